import { createElement as h, useEffect, useRef } from "react";

const PATIENCE = 1500;

/** Calls onExpire after a while, but not under the reader's pointer or focus. */
export function AutoDismiss({ after, onExpire }) {
  const mark = useRef(null);
  const expire = useRef(onExpire);
  useEffect(() => { expire.current = onExpire; });

  useEffect(() => {
    const isRead = () => mark.current?.parentElement?.matches(":hover, :focus-within");
    let timer;
    const leave = () => {
      if (isRead()) timer = setTimeout(leave, PATIENCE);
      else expire.current?.();
    };
    timer = setTimeout(leave, after);
    return () => clearTimeout(timer);
  }, [after]);

  return h("span", { ref: mark, hidden: true });
}
