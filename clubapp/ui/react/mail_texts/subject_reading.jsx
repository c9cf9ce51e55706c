import { createElement as h, useEffect, useState } from "react";

const VARIABLE = /\{\{\s*(\w+)\s*\}\}/;

/** Below the field `target`, what it holds with the words of its variables, as long as it holds any. */
export function SubjectReading({ target, labels }) {
  const [text, setText] = useState("");
  useEffect(() => {
    const field = document.getElementById(target);
    const read = () => setText(field.value);
    read();
    field.addEventListener("input", read);
    return () => field.removeEventListener("input", read);
  }, [target]);
  const parts = text.split(VARIABLE); // a name at each odd place
  if (parts.length < 2) return null;
  return h("p", { className: "field-hint subject-reading" }, "Se lit\u00a0: ", parts.map((part, at) => {
    if (at % 2 === 0) return part;
    return labels[part] ? h("span", { key: at, className: "variable-chip" }, labels[part]) : `{{${part}}}`;
  }));
}
