import { createElement as h, useEffect, useRef } from "react";

// Kept for this document only; removed from the address before any request is made.
let token = "";

function take() {
  const given = new URLSearchParams(location.hash.slice(1)).get("token");
  if (!given) return;
  token = given;
  history.replaceState(history.state, "", location.pathname + location.search);
}

if (typeof window !== "undefined" && location.pathname.startsWith("/auth/")) take();

/** The token is used only when a person presses the button; opening the page does not use it up (S4). */
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
