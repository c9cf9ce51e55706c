import { useLayoutEffect } from "react";

function removeFirstPaint() {
  document.getElementById("first-paint")?.remove();
  document.querySelectorAll("[data-first-paint]").forEach((node) => node.remove());
}

/** Removes what the server wrote for the first paint once React shows the same, or when the screen is left. */
export function Takeover({ ready }) {
  useLayoutEffect(() => {
    if (ready) removeFirstPaint();
  }, [ready]);
  useLayoutEffect(() => removeFirstPaint, []);
  return null;
}
