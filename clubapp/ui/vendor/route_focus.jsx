import { useEffect } from "react";
import { useLocation } from "react-router";

// One for the whole visit: each screen brings its own layout, and with it a new RouteFocus.
let seen = null;

function focus(node) {
  if (!node) return;
  if (!node.hasAttribute("tabindex")) node.tabIndex = -1;
  node.focus({ preventScroll: true });
}

function anchorOf(hash) {
  try {
    return document.getElementById(decodeURIComponent(hash.slice(1)));
  } catch {
    return null;
  }
}

/** On a change of screen: top of the page and focus on the main heading, or on the anchor of the address. */
export function RouteFocus() {
  const { pathname, hash, key } = useLocation();
  useEffect(() => {
    const before = seen;
    seen = { pathname, key };
    const anchor = hash && anchorOf(hash);
    if (anchor) {
      anchor.scrollIntoView();
      if (before) focus(anchor);
      return;
    }
    if (!before || before.pathname === pathname) return;
    window.scrollTo(0, 0);
    focus(document.querySelector("main h1") ?? document.querySelector("main"));
  }, [pathname, hash, key]);
  return null;
}
