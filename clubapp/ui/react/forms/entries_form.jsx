import { createElement as h, useEffect, useRef } from "react";

const UNLOCK_MS = 8000;

/** The (name, value) pairs of a form. Browsers read an incomplete date as ""; it becomes "?", so that it is refused. */
export const entriesOf = (form, pressed) => {
  const unreadable = new Set([...form.elements].filter((field) => field.validity?.badInput).map((field) => field.name));
  return [...new FormData(form, pressed).entries()].map(([name, value]) => [name, unreadable.has(name) ? "?" : String(value)]);
};

/**
 * A form that submits every (name, value) pair in order, so that a name may occur once per row.
 * One submit at a time: nothing leaves while busy, and the same text once until it is answered; another text leaves at
 * once, since not every form says when it was answered. After a refusal (`attempt` changes) the first wrong field gets the focus, and its error is
 * scrolled to. If no field is wrong, the pressed button gets the focus back.
 */
export function EntriesForm({ busy, attempt, marksPress, onEntries, children, ...rest }) {
  const box = useRef(null);
  const sent = useRef("");
  const pressed = useRef(null);
  const answered = useRef(attempt);

  const mark = (button) => {
    if (!marksPress) return;
    box.current.querySelectorAll('button[type="submit"]').forEach((each) => {
      each.toggleAttribute("data-pressed", each === button);
      each.ariaDisabled = String(button !== null);
      each.ariaBusy = String(each === button);
    });
  };

  // An error toast may be shown, or the dialog of a proof closed, without `busy` or `attempt` changing, when the call
  // never reached the form's handler.
  useEffect(() => {
    if (busy) return undefined;
    const unlock = () => {
      sent.current = "";
      mark(null);
    };
    unlock();
    ["errorshown", "dialogchange"].forEach((kind) => window.addEventListener(kind, unlock));
    return () => ["errorshown", "dialogchange"].forEach((kind) => window.removeEventListener(kind, unlock));
  }, [busy, attempt]);
  useEffect(() => {
    const wrong = attempt && box.current.querySelector('[aria-invalid="true"], [data-form-failure]');
    if (!wrong) return;
    // A text that is formatted is corrected where it is seen, not in the field behind it.
    const seen = document.querySelector(`.editor[data-view="formatted"] [data-editor-for="${wrong.id}"]`) ?? wrong;
    seen.focus();
    seen.scrollIntoView({ block: "nearest" }); // once more: the failure above the buttons has made them higher
    document.getElementById(`${wrong.id}-error`)?.scrollIntoView({ block: "nearest" });
  }, [attempt]);
  useEffect(() => {
    if (busy || attempt === answered.current) return;
    answered.current = attempt;
    if (document.activeElement === document.body) pressed.current?.focus();
  }, [busy, attempt]);

  const onSubmit = (event) => {
    event.preventDefault();
    if (busy) return;
    const tooLong = event.currentTarget.querySelector("[data-too-long]");
    if (tooLong) {
      tooLong.focus();
      return;
    }
    const entries = entriesOf(event.currentTarget, event.nativeEvent.submitter);
    const text = JSON.stringify(entries);
    if (sent.current === text) return;
    sent.current = text;
    pressed.current = event.nativeEvent.submitter;
    mark(pressed.current);
    setTimeout(() => {
      if (sent.current !== text || !box.current) return;
      sent.current = "";
      mark(null);
    }, UNLOCK_MS);
    onEntries?.(entries);
  };
  return h("form", { ...rest, ref: box, noValidate: true, onSubmit }, children);
}
