import { createElement as h, useEffect, useRef } from "react";

/** A heading that takes the focus when it appears, because it replaces what had the focus. */
export function FocusHeading({ children, ...rest }) {
  const box = useRef(null);
  useEffect(() => box.current.focus(), []);
  return h("h2", { ...rest, ref: box, tabIndex: -1 }, children);
}
