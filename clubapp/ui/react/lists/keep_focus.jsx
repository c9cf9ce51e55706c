import { createElement as h, useEffect, useRef } from "react";

const CONTROLS = "button, input:not([type=hidden]), select, textarea, a[href]";
const rowOf = (node) => node.closest("tbody > tr");

/** Gives the focus back to a control that React has moved in the document, or to the row that takes its row's place. */
export function KeepFocus({ children, ...rest }) {
  const box = useRef(null);
  useEffect(() => {
    let held = null;
    const rows = () => [...box.current.querySelectorAll("tbody > tr")];
    const hold = ({ target }) => { held = { node: target, row: rows().indexOf(rowOf(target)) }; };
    const leave = (event) => { if (event.relatedTarget) held = null; };
    const replaced = ({ node, row }) => {
      if (node.isConnected) return node;
      const next = row < 0 ? null : rows()[Math.min(row, rows().length - 1)];
      return document.getElementById(node.id) ?? next?.querySelector(CONTROLS);
    };
    const moved = new MutationObserver(() => {
      if (held && !box.current.contains(document.activeElement)) replaced(held)?.focus();
    });
    box.current.addEventListener("focusin", hold);
    box.current.addEventListener("focusout", leave);
    moved.observe(box.current, { childList: true, subtree: true });
    return () => moved.disconnect();
  }, []);
  return h("div", { ...rest, ref: box }, children);
}
