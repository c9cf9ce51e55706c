import { createElement as h, useEffect, useRef } from "react";

const EXTENSION_MS = 1500;

/** Calls `onExpire` after `after` ms, but not while the message is hovered or focused. */
export function AutoDismiss({ after, onExpire }) {
  const mark = useRef(null);
  const expire = useRef(onExpire);
  useEffect(() => { expire.current = onExpire; });

  useEffect(() => {
    const isRead = () => mark.current?.parentElement?.matches(":hover, :focus-within");
    let timer;
    const expireUnlessRead = () => {
      if (isRead()) timer = setTimeout(expireUnlessRead, EXTENSION_MS);
      else expire.current?.();
    };
    timer = setTimeout(expireUnlessRead, after);
    return () => clearTimeout(timer);
  }, [after]);

  return h("span", { ref: mark, hidden: true });
}
