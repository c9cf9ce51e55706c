import { createElement as h, useEffect, useRef } from "react";

const PAUSE_MS = 500;

/**
 * Calls `onFields` with the values of some fields of its form: at once, half a second after a letter, and when a field is
 * left; but not while somebody is in a field that is derived from them, which may be drawn anew then.
 */
export function FieldWatch({ names, onFields }) {
  const here = useRef(null);
  const onFieldsNow = useRef(onFields);
  onFieldsNow.current = onFields;

  useEffect(() => {
    const form = here.current.closest("form");
    let timer, last;
    const isBelow = (element) => Boolean(element?.closest("[data-derived]")) && element.matches("input, select");
    const send = () => {
      clearTimeout(timer);
      if (isBelow(document.activeElement)) return;
      const values = Object.fromEntries(names.map((name) => [name, form.elements[name]?.value ?? ""]));
      const text = JSON.stringify(values);
      if (text === last) return;
      last = text;
      onFieldsNow.current?.(values);
    };
    const onChange = (event) => {
      if (!names.includes(event.target.name)) return;
      clearTimeout(timer);
      if (event.type === "change") send();
      else timer = setTimeout(send, PAUSE_MS);
    };
    const onLeave = (event) => {
      if (isBelow(event.target) && !isBelow(event.relatedTarget)) setTimeout(send);
    };
    send();
    form.addEventListener("input", onChange);
    form.addEventListener("change", onChange);
    form.addEventListener("focusout", onLeave);
    return () => {
      clearTimeout(timer);
      form.removeEventListener("input", onChange);
      form.removeEventListener("change", onChange);
      form.removeEventListener("focusout", onLeave);
    };
  }, []);
  return h("span", { ref: here, hidden: true });
}
