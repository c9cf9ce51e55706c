import { useEffect, useId, useRef } from "react";

const LONG_TITLE = 80;
const WATCH_MS = 2000;

const Cross = () => (
  <svg viewBox="0 0 20 20" width={20} height={20} aria-hidden>
    <path d="M5 5l10 10M15 5L5 15" stroke="currentColor" strokeWidth={2} strokeLinecap="round" />
  </svg>
);

function enter(dialog) {
  const target = dialog.querySelector("[data-autofocus]") ?? dialog.querySelector("h2");
  target?.focus({ preventScroll: true });
}

function comeBack(opener) {
  const usable = opener?.isConnected && !opener.disabled && opener !== document.body;
  const beneath = [...document.querySelectorAll("dialog[open]")].at(-1);
  const target = usable ? opener : (beneath ?? document).querySelector(beneath ? "h2" : "main h1");
  if (target && !usable && target.tabIndex < 0) target.tabIndex = -1;
  target?.focus({ preventScroll: true });
}

/** What opened a dialog may go a moment after it, with what was deleted: the focus must not go with it. */
function watchOver(opener) {
  const watch = new MutationObserver(() => {
    const isLost = document.activeElement === document.body && !document.querySelector("dialog[open]");
    if (isLost && !opener?.isConnected) comeBack(opener);
  });
  watch.observe(document.body, { childList: true, subtree: true });
  setTimeout(() => watch.disconnect(), WATCH_MS);
}

const tellOthers = (...kinds) => kinds.forEach((kind) => window.dispatchEvent(new Event(kind)));

/** A native <dialog>: the browser makes the rest of the page inert and keeps the focus inside. */
export function Modal({ title, description, open, role, backdropCloses, onClose, className, children, ...rest }) {
  const box = useRef(null);
  const pressed = useRef(null);
  const ids = useId();
  const isQuestion = role === "alertdialog";
  const isLong = title?.length > LONG_TITLE; // scrolled on small screens, so it must be reached by Tab

  useEffect(() => {
    if (!open) return undefined;
    const dialog = box.current;
    const opener = document.activeElement;
    dialog.showModal();
    dialog.scrollTop = 0; // a browser remembers how far what was there before had been read
    enter(dialog);
    tellOthers("dialogopen", "dialogchange");
    return () => {
      dialog.close();
      tellOthers("dialogchange");
      comeBack(opener);
      watchOver(opener);
    };
  }, [open]);

  const own = (event) => event.target === event.currentTarget;
  const leave = (event) => {
    event.preventDefault();
    event.stopPropagation();
    // A form inside may have something unsaved, and hold it open.
    if (box.current.dispatchEvent(new Event("dialogleave", { cancelable: true }))) onClose?.();
  };

  return (
    <dialog
      {...rest} ref={box} role={role} className={className} aria-labelledby={`${ids}-title`}
      aria-describedby={description ? `${ids}-text` : undefined}
      onKeyDown={(event) => event.key === "Escape" && !event.defaultPrevented && leave(event)}
      onCancel={(event) => own(event) && leave(event)}
      onClose={(event) => own(event) && open && box.current && !box.current.open && onClose?.()}
      onMouseDown={(event) => { pressed.current = event.target; }}
      onClick={(event) => backdropCloses && own(event) && pressed.current === event.target && leave(event)}
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
