import { useEffect, useRef, useState } from "react";

// By name: a message is drawn anew wherever it is carried to.
const gone = new Set();

/**
 * An error that is told until a dialog opens, however it is carried about; one that comes together with a dialog stays
 * in it. The page hears of it (`errortold`).
 */
export function UntilDialog({ name, onGone, children }) {
  const [, redraw] = useState(0);
  const tell = useRef(onGone);
  useEffect(() => { tell.current = onGone; });
  useEffect(() => { window.dispatchEvent(new Event("errortold")); }, [name]);

  useEffect(() => {
    const leave = () => {
      if (gone.has(name)) return;
      gone.add(name);
      redraw((times) => times + 1);
      tell.current?.();
    };
    const settled = setTimeout(() => window.addEventListener("dialogopen", leave));
    return () => {
      clearTimeout(settled);
      window.removeEventListener("dialogopen", leave);
    };
  }, [name]);

  return gone.has(name) ? null : children;
}
