import { useEffect, useRef } from "react";

const LOOK_MS = 5000;
const isWell = () => fetch("/health", { cache: "no-store" }).then((answer) => answer.ok, () => false);

/** Calls `onWell` once the site, which could not be reached or did not work, works again. */
export function ReadAgain({ onWell }) {
  const onWellNow = useRef(onWell);
  useEffect(() => { onWellNow.current = onWell; });
  useEffect(() => {
    let wasDown = false, left = false;
    const look = async () => {
      if (document.hidden) return;
      const works = await isWell();
      if (left) return;
      if (works && wasDown) onWellNow.current?.();
      wasDown = !works;
    };
    look();
    const timer = setInterval(look, LOOK_MS);
    return () => {
      left = true;
      clearInterval(timer);
    };
  }, []);
  return null;
}
