import { createElement as h } from "react";

const STEPS = { ArrowDown: 1, ArrowUp: -1 };

/** A list in which the arrow keys, Home and End move the focus between the `[data-row]` buttons. */
export function ArrowKeyList({ children, ...rest }) {
  const onKeyDown = (event) => {
    const row = event.target.closest("li");
    const rows = [...event.currentTarget.querySelectorAll("[data-row]")];
    const here = rows.findIndex((one) => row?.contains(one));
    const ends = { Home: 0, End: rows.length - 1 };
    const next = rows[ends[event.key] ?? here + STEPS[event.key]];
    if (here < 0 || !next || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    next.focus();
  };
  return h("ul", { ...rest, onKeyDown }, children);
}
