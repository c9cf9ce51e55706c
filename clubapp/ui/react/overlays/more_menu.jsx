import { useEffect, useRef } from "react";
import { useLocation } from "react-router";

const ITEMS = "a[href], button";
const STEPS = { ArrowDown: 1, ArrowUp: -1 };

/**
 * A button and the native popover of quiet acts that it opens: it closes on Esc, a press outside, a press on an act and a
 * change of screen. The arrow keys move between the acts.
 */
export function MoreMenu({ id, label, className, children }) {
  const opener = useRef(null);
  const list = useRef(null);
  const { key } = useLocation();

  useEffect(() => list.current?.hidePopover?.(), [key]);

  // It opens below its button, whose place varies; when it closes with the focus inside, the button gets it.
  const onBeforeToggle = ({ currentTarget, newState }) => {
    if (newState === "closed") {
      if (currentTarget.contains(document.activeElement)) opener.current.focus();
      return;
    }
    const button = opener.current.getBoundingClientRect();
    currentTarget.style.top = `${button.bottom + window.scrollY + 6}px`;
    currentTarget.style.right = `${document.documentElement.clientWidth - button.right}px`;
  };
  const onKeyDown = (event) => {
    const items = [...list.current.querySelectorAll(ITEMS)];
    const ends = { Home: 0, End: items.length - 1 };
    const here = items.indexOf(document.activeElement);
    const next = ends[event.key] ?? (STEPS[event.key] && (here + STEPS[event.key] + items.length) % items.length);
    if (next === undefined || !list.current.matches(":popover-open")) return;
    event.preventDefault();
    items[next].focus();
  };

  return (
    <div className={`more-menu ${className ?? ""}`.trim()} onKeyDown={onKeyDown}>
      <button ref={opener} type="button" popoverTarget={id} aria-label={label} title={label} className="icon-button more-menu-opener">
        <svg viewBox="0 0 20 20" width={20} height={20} aria-hidden>
          <path d="M4 10h.01M10 10h.01M16 10h.01" stroke="currentColor" strokeWidth={3} strokeLinecap="round" />
        </svg>
      </button>
      <div
        ref={list} id={id} popover="auto" onBeforeToggle={onBeforeToggle} onClick={() => list.current.hidePopover()}
        className="more-menu-list"
      >
        {children}
      </div>
    </div>
  );
}
