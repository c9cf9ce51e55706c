import { useEffect, useId, useRef } from "react";
import { reachableIn } from "$/public/external/clubapp/ui/react/frame/frame/frame.jsx";
import "./scroll_room.jsx";

const LONG_TITLE = 80;

const Cross = () => (
  <svg viewBox="0 0 20 20" width={20} height={20} aria-hidden>
    <path d="M5 5l10 10M15 5L5 15" stroke="currentColor" strokeWidth={2} strokeLinecap="round" />
  </svg>
);

function focusInside(dialog) {
  const target = dialog.querySelector("[data-autofocus]") ?? dialog.querySelector("h2");
  target?.focus({ preventScroll: true });
  // What stands in the row of buttons is in sight; the room that is left for that row would scroll it.
  if (!target?.closest(".dialog-actions")) target?.scrollIntoView({ block: "nearest" });
  if (target?.dataset.autofocus === "select") target.select();
}

/** What surrounds the opener, from the inside out, each with its neighbours: a deleted row hands the focus to the next. */
function surroundings(opener) {
  const near = [];
  for (let node = opener; node && !node.matches("main, dialog, body"); node = node.parentElement)
    near.push(node, node.nextElementSibling, node.previousElementSibling);
  return near;
}

/** The opener may have been removed: what is nearest to it takes the focus, and is scrolled to. */
function returnFocus(opener, near) {
  if (opener?.isConnected && !opener.disabled && opener !== document.body) {
    opener.focus({ preventScroll: true });
    return;
  }
  const beneath = [...document.querySelectorAll("dialog[open]")].at(-1);
  const target = near.flatMap(reachableIn).find((node) => (beneath ?? document).contains(node))
    ?? (beneath ?? document).querySelector(beneath ? "h2" : "main h1");
  if (target && target.tabIndex < 0) target.tabIndex = -1;
  target?.focus();
}

const notify = (...kinds) => kinds.forEach((kind) => window.dispatchEvent(new Event(kind)));

/** A native <dialog>: the browser makes the rest of the page inert and keeps the focus inside. */
export function Modal({ title, description, open, role, backdropCloses, leavesOnBack, onClose, className, children, ...rest }) {
  const box = useRef(null);
  const pressed = useRef(null);
  const ids = useId();
  const isQuestion = role === "alertdialog";
  const isLong = title?.length > LONG_TITLE; // scrollable on small screens, so it must be in the tab order

  useEffect(() => {
    if (!open) return undefined;
    const dialog = box.current;
    const opener = document.activeElement;
    const near = surroundings(opener);
    dialog.showModal();
    dialog.scrollTop = 0; // browsers keep the scroll position of the previous content
    focusInside(dialog);
    notify("dialogopen", "dialogchange");
    return () => {
      dialog.close();
      notify("dialogchange");
      returnFocus(opener, near);
    };
  }, [open]);

  useEffect(() => {
    if (!open || !leavesOnBack) return undefined;
    const back = () => onClose?.();
    window.addEventListener("popstate", back);
    return () => window.removeEventListener("popstate", back);
  }, [open]);

  const isOwn = (event) => event.target === event.currentTarget;
  const leave = (event) => {
    event.preventDefault();
    event.stopPropagation();
    // A form inside with unsaved changes cancels the event, and asks first.
    if (box.current.dispatchEvent(new Event("dialogleave", { cancelable: true }))) onClose?.();
  };

  return (
    <dialog
      {...rest} ref={box} role={role} className={className} aria-labelledby={`${ids}-title`}
      aria-describedby={description ? `${ids}-text` : undefined}
      onKeyDown={(event) => event.key === "Escape" && !event.defaultPrevented && leave(event)}
      onCancel={(event) => isOwn(event) && leave(event)}
      onClose={(event) => isOwn(event) && open && box.current && !box.current.open && onClose?.()}
      onMouseDown={(event) => { pressed.current = event.target; }}
      onClick={(event) => backdropCloses && isOwn(event) && pressed.current === event.target && leave(event)}
    >
      {open ? (
        <div className="dialog-frame">
          <header className="dialog-header">
            <h2
              id={`${ids}-title`} tabIndex={isLong ? 0 : -1}
              className={isLong ? "dialog-title dialog-title-long" : "dialog-title"}
            >
              {title}
            </h2>
            {isQuestion ? null : <button type="button" className="icon-button" aria-label="Fermer" onClick={leave}><Cross /></button>}
          </header>
          {description ? <p id={`${ids}-text`} className="dialog-text">{description}</p> : null}
          {children}
        </div>
      ) : null}
    </dialog>
  );
}
