import { createElement as h, useEffect, useRef } from "react";

const UNLOCK_MS = 8000;

/** What a field holds; half a date or letters in a number read as "" in a browser, and must not pass for empty. */
export const entriesOf = (form, pressed) => {
  const unreadable = new Set([...form.elements].filter((field) => field.validity?.badInput).map((field) => field.name));
  return [...new FormData(form, pressed).entries()].map(([name, value]) => [name, unreadable.has(name) ? "?" : String(value)]);
};

/**
 * A form that hands over every (name, value) pair in order, so that a name may occur once per row.
 * One submit at a time; after a refusal (`attempt` changes) the first wrong field gets the focus, and what is
 * said under it comes in sight. Where no field is wrong, the button that was pressed gets it back: it was locked.
 */
export function EntriesForm({ busy, attempt, onEntries, children, ...rest }) {
  const box = useRef(null);
  const locked = useRef(false);
  const pressed = useRef(null);
  const answered = useRef(attempt);

  // An error may be told that never came to the form's handler: neither `busy` nor `attempt` has changed then.
  useEffect(() => {
    if (busy) return undefined;
    const unlock = () => { locked.current = false; };
    unlock();
    window.addEventListener("errortold", unlock);
    return () => window.removeEventListener("errortold", unlock);
  }, [busy, attempt]);
  useEffect(() => {
    const wrong = attempt && box.current.querySelector('[aria-invalid="true"], [data-form-failure]');
    if (!wrong) return;
    wrong.focus();
    document.getElementById(`${wrong.id}-error`)?.scrollIntoView({ block: "nearest" });
  }, [attempt]);
  useEffect(() => {
    if (busy || attempt === answered.current) return;
    answered.current = attempt;
    if (document.activeElement === document.body) pressed.current?.focus();
  }, [busy, attempt]);

  const onSubmit = (event) => {
    event.preventDefault();
    if (locked.current) return;
    locked.current = true;
    pressed.current = event.nativeEvent.submitter;
    setTimeout(() => { locked.current = false; }, UNLOCK_MS);
    onEntries?.(entriesOf(event.currentTarget, event.nativeEvent.submitter));
  };
  return h("form", { ...rest, ref: box, noValidate: true, onSubmit }, children);
}
