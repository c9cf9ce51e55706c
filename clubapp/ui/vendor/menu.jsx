import { createElement as h, useEffect, useId, useRef, useState } from "react";
import { Link, useLocation } from "react-router";

const bare = (path) => path.replace(/\/+$/, "") || "/";

/** A link that says it leads to the screen one is on. */
export function NavLink({ to, also = [], children, ...rest }) {
  const here = bare(useLocation().pathname);
  const current = [to, ...also].some((path) => path.startsWith("/") && !path.includes("#") && bare(path) === here);
  return h(Link, { ...rest, to, "aria-current": current ? "page" : undefined }, children);
}

/** A disclosure: closes on Esc, when something outside is pressed, and when the screen changes. */
export function Fold({ label, className, children }) {
  const [open, setOpen] = useState(false);
  const id = useId();
  const box = useRef(null);
  const { key } = useLocation();

  useEffect(() => setOpen(false), [key]);
  useEffect(() => {
    if (!open) return undefined;
    const outside = (event) => box.current?.contains(event.target) || setOpen(false);
    document.addEventListener("pointerdown", outside);
    return () => document.removeEventListener("pointerdown", outside);
  }, [open]);

  const onKeyDown = (event) => {
    if (event.key !== "Escape" || !open) return;
    setOpen(false);
    box.current.querySelector("button").focus();
  };

  return h("div", { ref: box, className, onKeyDown, "data-open": open ? "" : undefined },
    h("button", {
      type: "button", className: "fold-button", "aria-expanded": open, "aria-controls": id,
      onClick: () => setOpen(!open),
    }, h("span", { className: "fold-icon", "aria-hidden": true }), label),
    h("div", { id, className: "fold-content" }, children));
}
