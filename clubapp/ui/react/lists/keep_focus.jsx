import { createElement as h, useEffect, useRef } from "react";

/** Gives the focus back to a control with an id after React has moved its row in the document. */
export function KeepFocus({ children, ...rest }) {
  const box = useRef(null);
  useEffect(() => {
    let held = "";
    const hold = (event) => { held = event.target.id; };
    const leave = (event) => { if (event.relatedTarget) held = ""; };
    const moved = new MutationObserver(() => {
      if (held && !box.current.contains(document.activeElement)) document.getElementById(held)?.focus();
    });
    box.current.addEventListener("focusin", hold);
    box.current.addEventListener("focusout", leave);
    moved.observe(box.current, { childList: true, subtree: true });
    return () => moved.disconnect();
  }, []);
  return h("div", { ...rest, ref: box }, children);
}
