import { createElement as h, useEffect, useRef } from "react";

const AFTER_MS = 100;

/** What opened it may have gone meanwhile: a row that a search no longer finds. */
function giveBack(opener) {
  const target = opener?.isConnected ? opener : document.querySelector("main h1");
  if (target && target !== opener) target.tabIndex = -1;
  target?.focus();
}

/** Takes the focus as it appears, scrolls into sight a moment later, and gives the focus back when it goes. */
export function RevealPanel({ children, ...rest }) {
  const box = useRef(null);

  useEffect(() => {
    const opener = document.activeElement;
    const target = box.current.querySelector("[data-autofocus]") ?? box.current.querySelector("h2");
    if (target.tagName === "H2") target.tabIndex = -1;
    target.focus({ preventScroll: true });
    const calm = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
    const timer = setTimeout(
      () => box.current.scrollIntoView({ behavior: calm ? "auto" : "smooth", block: "start" }),
      AFTER_MS,
    );
    // A button that moves between press and release is not pressed.
    box.current.addEventListener("pointerdown", () => clearTimeout(timer));
    return () => {
      clearTimeout(timer);
      // Another one may have taken its place, and the focus with it.
      if (document.activeElement === document.body) giveBack(opener);
    };
  }, []);

  return h("div", { ...rest, ref: box }, children);
}
