import { useEffect, useRef, useState } from "react";

// By name: a message is drawn anew wherever it is carried to.
const gone = new Set();

/** Its children until a dialog opens, however they are carried about; what comes together with a dialog stays in it. */
export function UntilDialog({ name, onGone, children }) {
  const [, redraw] = useState(0);
  const tell = useRef(onGone);
  useEffect(() => { tell.current = onGone; });

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
