import { useEffect, useId, useRef } from "react";

const LONG_TITLE = 80;
const WATCH_MS = 2000;
const ROOM = 8; // for the ring of the focus

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

function returnFocus(opener) {
  const usable = opener?.isConnected && !opener.disabled && opener !== document.body;
  const beneath = [...document.querySelectorAll("dialog[open]")].at(-1);
  const target = usable ? opener : (beneath ?? document).querySelector(beneath ? "h2" : "main h1");
  if (target && !usable && target.tabIndex < 0) target.tabIndex = -1;
  target?.focus({ preventScroll: true });
}

/** The control that opened a dialog may be removed a moment later, with a deleted row: the focus is moved then. */
function watchOpener(opener) {
  const watch = new MutationObserver(() => {
    const isLost = document.activeElement === document.body && !document.querySelector("dialog[open]");
    if (isLost && !opener?.isConnected) returnFocus(opener);
  });
  watch.observe(document.body, { childList: true, subtree: true });
  setTimeout(() => watch.disconnect(), WATCH_MS);
}

/** What is sticky in a dialog covers nothing that takes the focus: browsers scroll as far as the padding asks. */
function leaveRoom(dialog) {
  const height = (selector) => Math.max(0, ...[...dialog.querySelectorAll(selector)]
    .filter((node) => getComputedStyle(node).position === "sticky").map((node) => node.offsetHeight));
  dialog.style.scrollPadding = `${height(".dialog-header, .session-notice") + ROOM}px 0 ${height(".dialog-foot, .dialog-actions, .form-actions") + ROOM}px`;
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
    dialog.showModal();
    dialog.scrollTop = 0; // browsers keep the scroll position of the previous content
    focusInside(dialog);
    notify("dialogopen", "dialogchange");
    return () => {
      dialog.close();
      notify("dialogchange");
      returnFocus(opener);
      watchOpener(opener);
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
      {...rest} ref={box} role={role} onFocus={() => leaveRoom(box.current)} className={className} aria-labelledby={`${ids}-title`}
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
