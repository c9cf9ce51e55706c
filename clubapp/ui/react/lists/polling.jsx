import { useEffect, useRef } from "react";

/** Calls `onBetween` and `onTick` in turn every `interval` ms while the tab is visible, and `onTick` at once when it
 *  becomes visible again; with `followsActs` also when a toast says that something was done here. */
export function Polling({ interval, followsActs, onTick, onBetween }) {
  const called = useRef([]);
  useEffect(() => { called.current = [onTick, onBetween]; });

  useEffect(() => {
    let timer, ticks = 1;
    const visible = () => document.visibilityState === "visible";
    const start = () => { timer = setInterval(() => called.current[ticks++ % 2]?.(), interval); };
    const follow = () => {
      clearInterval(timer);
      if (!visible()) return;
      called.current[0]?.();
      ticks = 1;
      start();
    };
    if (visible()) start();
    document.addEventListener("visibilitychange", follow);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", follow);
    };
  }, [interval]);

  useEffect(() => {
    if (!followsActs) return undefined;
    const tick = () => called.current[0]?.();
    window.addEventListener("successshown", tick);
    return () => window.removeEventListener("successshown", tick);
  }, [followsActs]);

  return null;
}
