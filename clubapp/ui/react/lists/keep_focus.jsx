import { createElement as h, useEffect, useRef } from "react";

/**
 * Keeps the focus in its content: a control with an id has it again after React has moved its row in the document; when
 * the control is gone, `data-focus-after` has it.
 */
export function KeepFocus({ children, ...rest }) {
  const box = useRef(null);
  useEffect(() => {
    let held = null;
    const hold = (event) => { held = event.target; };
    const leave = (event) => { if (event.relatedTarget) held = null; };
    const moved = new MutationObserver(() => {
      if (!held || box.current.contains(document.activeElement)) return;
      const after = held.isConnected ? null : box.current.querySelector("[data-focus-after]");
      if (after) after.tabIndex = -1;
      ((held.id && document.getElementById(held.id)) || after)?.focus();
    });
    box.current.addEventListener("focusin", hold);
    box.current.addEventListener("focusout", leave);
    moved.observe(box.current, { childList: true, subtree: true });
    return () => moved.disconnect();
  }, []);
  return h("div", { ...rest, ref: box }, children);
}
