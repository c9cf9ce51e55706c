import { createElement as h, useEffect, useRef } from "react";

const AFTER_MS = 100;

/** The opener may have been removed, such as a row that a search no longer finds, or an address has opened the panel: the heading takes its place. */
function returnFocus(opener) {
  const target = opener?.isConnected && opener !== document.body ? opener : document.querySelector("main h1");
  if (target && target !== opener) target.tabIndex = -1;
  target?.focus();
}

/** Takes the focus when it appears, is scrolled to a moment later so that what has the focus is seen, and returns the focus when it is removed. */
export function RevealPanel({ children, ...rest }) {
  const box = useRef(null);

  useEffect(() => {
    const opener = document.activeElement;
    const target = box.current.querySelector("[data-autofocus]") ?? box.current.querySelector("h2");
    if (target.tagName === "H2") target.tabIndex = -1;
    target.focus({ preventScroll: true });
    const calm = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
    const show = () => {
      const held = box.current.contains(document.activeElement) ? document.activeElement : target; // by an offered draft
      const reach = held.getBoundingClientRect().bottom - box.current.getBoundingClientRect().top;
      const isNear = reach < window.innerHeight / 2;
      (isNear ? box.current : held).scrollIntoView({ behavior: calm ? "auto" : "smooth", block: isNear ? "start" : "center" });
    };
    const timer = setTimeout(show, AFTER_MS);
    // A control that moves between pointer down and up gets no click, so scrolling stops.
    box.current.addEventListener("pointerdown", () => clearTimeout(timer));
    return () => {
      clearTimeout(timer);
      // Another panel may have replaced it and taken the focus.
      if (document.activeElement === document.body) returnFocus(opener);
    };
  }, []);

  return h("div", { ...rest, ref: box }, children);
}
