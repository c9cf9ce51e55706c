import { useEffect, useRef, useState } from "react";

const PAUSE_MS = 350;
const FIELDS = "input[name]:not([type=hidden]), textarea[name]";
const EDITOR = "[data-editor-for]";

/** Whether the editor over a field, if there is one, has done it (mail_text.jsx). */
const isDoneByEditor = (field, kind, detail) => !field.dispatchEvent(new CustomEvent(kind, { detail, cancelable: true }));

/** Replaces text in a field as typing would: listeners notice, and the browser can undo it. */
function write(field, text, from, to) {
  field.focus();
  field.setSelectionRange(from, to);
  if (document.execCommand("insertText", false, text) || !text) return;
  field.setRangeText(text, from, to, "end");
  field.dispatchEvent(new Event("input", { bubbles: true }));
}

/** Calls `onTyped` with the texts of its fields, by name, when the person pauses or leaves one of them. */
export function TypingListener({ onTyped, children, ...rest }) {
  const box = useRef(null);
  const timer = useRef();
  useEffect(() => () => clearTimeout(timer.current), []);

  const send = () => {
    timer.current = clearTimeout(timer.current);
    if (box.current.querySelector("[data-too-long]")) return; // refused by its form as well
    const fields = [...box.current.querySelectorAll(FIELDS)];
    onTyped?.(Object.fromEntries(fields.map((field) => [field.name, field.value])));
  };
  const onInput = () => {
    clearTimeout(timer.current);
    timer.current = setTimeout(send, PAUSE_MS);
  };
  const onBlur = () => timer.current && send();
  return <div {...rest} ref={box} onInput={onInput} onBlur={onBlur}>{children}</div>;
}

/** Buttons that are enabled once no named field of their form is empty. */
export function RequireFilled({ names, children, ...rest }) {
  const box = useRef(null);
  const [filled, setFilled] = useState(false);

  useEffect(() => {
    const form = box.current.closest("form");
    const look = () => setFilled(names.every((name) => form.elements.namedItem(name)?.value.trim()));
    look();
    form.addEventListener("input", look);
    return () => form.removeEventListener("input", look);
  }, [names.join()]);

  return <fieldset {...rest} role="presentation" ref={box} disabled={!filled}>{children}</fieldset>;
}

/** The variables of a text: a press inserts one at the cursor. */
export function VariableButtons({ items, target, className }) {
  const box = useRef(null);
  const last = useRef(null);

  useEffect(() => {
    const note = (event) => {
      if (event.target.matches(`${FIELDS}, ${EDITOR}`) && event.target.closest(".mail-text") === box.current?.closest(".mail-text"))
        last.current = event.target;
    };
    document.addEventListener("focusin", note);
    return () => document.removeEventListener("focusin", note);
  }, []);

  const insert = (name) => {
    const field = last.current?.isConnected && last.current.matches(FIELDS) ? last.current : document.getElementById(target);
    if (field !== last.current && isDoneByEditor(field, "insertvariable", name)) return;
    write(field, `{{${name}}}`, field.selectionStart ?? field.value.length, field.selectionEnd ?? field.value.length);
  };
  return (
    <ul ref={box} className={className}>
      {items.map(([name, label, meaning]) => (
        <li key={name}>
          <button type="button" className="variable" onClick={() => insert(name)}>
            <span className="variable-chip">{label}</span> <code>{`{{${name}}}`}</code>
          </button>
          <span className="variable-meaning">{meaning}</span>
        </li>
      ))}
    </ul>
  );
}

/** Sets fields, by their ids, to the given texts. */
export function RestoreButton({ texts, children, className }) {
  const restore = () => Object.entries(texts).forEach(([id, text]) => {
    const field = document.getElementById(id);
    if (!field || field.value === text || isDoneByEditor(field, "replacetext", text)) return;
    write(field, text, 0, field.value.length);
  });
  return <button type="button" className={className} onClick={restore}>{children}</button>;
}

/** An HTML document in a sandbox without scripts, forms and popups (M6). */
export function MailFrame({ html, title, className }) {
  // A new frame for each text: one that is filled again would be a step of the back button.
  return <iframe key={html} srcDoc={html} sandbox="" title={title} className={className} />;
}

/** A number of days with 'jour' or 'jours'. What is not a number becomes 0. */
export function DaysField({ id, name, initial, max, describedBy, invalid, after }) {
  const [value, setValue] = useState(String(initial ?? 0));
  const number = Number.parseInt(value, 10) || 0;
  const settle = (event) => {
    if (event.target.validity.badInput || String(number) !== value) {
      event.target.value = "";
      setValue(String(number));
    }
  };
  return (
    <div className="days">
      <input
        id={id} name={name} value={value} min={0} max={max} step={1} type="number" inputMode="numeric"
        autoComplete="off" className="control" aria-describedby={describedBy}
        aria-invalid={invalid ? "true" : undefined} onChange={(event) => setValue(event.target.value)}
        onBlur={settle}
      />
      <span className="days-word">{`${number > 1 ? "jours" : "jour"} ${after}`}</span>
    </div>
  );
}
