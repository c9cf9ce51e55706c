import { useEffect, useRef } from "react";

/** Calls onTick every `interval` ms while the tab is visible, and at once when it becomes visible again. */
export function Ticker({ interval, onTick }) {
  const tick = useRef(onTick);
  useEffect(() => { tick.current = onTick; });

  useEffect(() => {
    let timer;
    const visible = () => document.visibilityState === "visible";
    const start = () => { timer = setInterval(() => tick.current?.(), interval); };
    const follow = () => {
      clearInterval(timer);
      if (!visible()) return;
      tick.current?.();
      start();
    };
    if (visible()) start();
    document.addEventListener("visibilitychange", follow);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", follow);
    };
  }, [interval]);

  return null;
}
