import { createElement as h, useEffect, useRef } from "react";

const PAUSE_MS = 500;

/** Calls `onFields` with the values of some fields of its form: at once, then half a second after a change. */
export function FieldWatch({ names, onFields }) {
  const here = useRef(null);
  const onFieldsNow = useRef(onFields);
  onFieldsNow.current = onFields;

  useEffect(() => {
    const form = here.current.closest("form");
    let timer, last;
    const send = () => {
      const values = Object.fromEntries(names.map((name) => [name, form.elements[name]?.value ?? ""]));
      const text = JSON.stringify(values);
      if (text === last) return;
      last = text;
      onFieldsNow.current?.(values);
    };
    const onChange = (event) => {
      if (!names.includes(event.target.name)) return;
      clearTimeout(timer);
      timer = setTimeout(send, PAUSE_MS);
    };
    send();
    form.addEventListener("input", onChange);
    form.addEventListener("change", onChange);
    return () => {
      clearTimeout(timer);
      form.removeEventListener("input", onChange);
      form.removeEventListener("change", onChange);
    };
  }, []);
  return h("span", { ref: here, hidden: true });
}
