import { createElement as h, useEffect, useRef } from "react";

// Kept for this document only; it leaves the address before anything else is asked for.
let token = "";

function take() {
  const found = new URLSearchParams(location.hash.slice(1)).get("token");
  if (!found) return;
  token = found;
  history.replaceState(history.state, "", location.pathname + location.search);
}

if (typeof window !== "undefined" && location.pathname.startsWith("/auth/")) take();

/** Nothing happens to the token before a person presses the button: opening the page uses nothing up. */
export function FragmentToken({ onConfirm, children, className }) {
  const pressed = useRef(false);
  useEffect(() => {
    const follow = () => { take(); pressed.current = false; };
    follow();
    window.addEventListener("hashchange", follow);
    return () => window.removeEventListener("hashchange", follow);
  }, []);
  const press = (event) => {
    if (pressed.current || !event.target.closest("[data-confirm]")) return;
    pressed.current = true;
    onConfirm?.(token);
  };
  return h("div", { className, onClick: press }, children);
}
