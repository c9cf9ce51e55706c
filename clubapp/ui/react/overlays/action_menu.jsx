import { useEffect, useId, useRef, useState } from "react";

const EDGE = 8;
const STEPS = { ArrowDown: 1, ArrowUp: -1 };

/** Below the button, within the window; above it where there is no room below. */
function place(panel, opener) {
  const at = opener.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = panel;
  const below = at.bottom + 4;
  panel.style.left = `${Math.max(EDGE, Math.min(at.right - width, window.innerWidth - width - EDGE))}px`;
  panel.style.top = `${below + height + EDGE > window.innerHeight ? Math.max(EDGE, at.top - height - 4) : below}px`;
}

/**
 * A button with three dots, or with `text`, and the native popover it opens, which closes on Esc, a press elsewhere, an act or scrolling.
 * What is in it exists while it is open. The focus goes to its first act, and back to the button.
 */
export function ActionMenu({ label, text, children, className, ...rest }) {
  const id = useId();
  const opener = useRef(null);
  const panel = useRef(null);
  const [isOpen, setOpen] = useState(false);

  useEffect(() => {
    if (!isOpen) return undefined;
    place(panel.current, opener.current);
    panel.current.querySelector("a[href], button")?.focus({ preventScroll: true });
    const close = () => panel.current?.hidePopover();
    window.addEventListener("scroll", close, { passive: true });
    return () => window.removeEventListener("scroll", close);
  }, [isOpen]);

  const onKeyDown = (event) => {
    const acts = [...panel.current.querySelectorAll("a[href], button")];
    const next = acts[acts.indexOf(document.activeElement) + STEPS[event.key]];
    if (STEPS[event.key]) {
      event.preventDefault();
      event.stopPropagation();
    }
    next?.focus();
  };
  const onClick = (event) => {
    if (event.target.closest("a[href], button")) panel.current.hidePopover();
  };

  return (
    <div {...rest} className={className}>
      <button
        ref={opener} type="button" popoverTarget={id} title={text ? undefined : label}
        className={text ? "button button-secondary" : "icon-button action-menu-button"}
      >
        <svg viewBox="0 0 20 20" width={text ? 18 : 20} height={text ? 18 : 20} fill="none" aria-hidden>
          <path
            d={text ? "M10 4v12M4 10h12" : "M4 10h.01M10 10h.01M16 10h.01"} stroke="currentColor"
            strokeWidth={text ? 1.800 : 2.600} strokeLinecap="round"
          />
        </svg>
        {text ? text : <span className="visually-hidden">{label}</span>}
      </button>
      <div
        ref={panel} id={id} popover="auto" className="action-menu" onKeyDown={onKeyDown} onClick={onClick}
        onToggle={(event) => setOpen(event.newState === "open")}
      >
        {isOpen ? children : null}
      </div>
    </div>
  );
}
