import { createElement as h, useEffect, useRef } from "react";

const PAUSE_MS = 500;

/** Tells the values of some fields of the form around it: at once, then whenever they change and rest a moment. */
export function FieldWatch({ names, onFields }) {
  const here = useRef(null);
  const tellNow = useRef(onFields);
  tellNow.current = onFields;

  useEffect(() => {
    const form = here.current.closest("form");
    let timer, last;
    const tell = () => {
      const values = Object.fromEntries(names.map((name) => [name, form.elements[name]?.value ?? ""]));
      const told = JSON.stringify(values);
      if (told === last) return;
      last = told;
      tellNow.current?.(values);
    };
    const soon = (event) => {
      if (!names.includes(event.target.name)) return;
      clearTimeout(timer);
      timer = setTimeout(tell, PAUSE_MS);
    };
    tell();
    form.addEventListener("input", soon);
    form.addEventListener("change", soon);
    return () => {
      clearTimeout(timer);
      form.removeEventListener("input", soon);
      form.removeEventListener("change", soon);
    };
  }, []);
  return h("span", { ref: here, hidden: true });
}
