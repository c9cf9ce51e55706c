import { createElement as h, useEffect, useState } from "react";

const NEAR = 0.8;
const french = (number) => number.toLocaleString("fr-FR");

/**
 * Counts the characters of the field `target` once they come near `longest`. Beyond, it says how many are too many; the
 * field carries `data-too-long` then, is invalid for this reason, and its form is not sent (entries_form.jsx). Nothing
 * is cut off.
 */
export function LengthCounter({ target, longest, id }) {
  const [length, setLength] = useState(0);
  const isTooLong = length > longest;
  const refusalId = `${target}-too-long`;

  useEffect(() => {
    const field = document.getElementById(target);
    const count = () => setLength(field.value.trim().length);
    count();
    field.addEventListener("input", count);
    return () => field.removeEventListener("input", count);
  }, [target]);
  useEffect(() => {
    if (!isTooLong) return undefined;
    const field = document.getElementById(target);
    const told = field.getAttribute("aria-describedby");
    const marks = { "data-too-long": "", "aria-invalid": "true", "aria-describedby": [told, refusalId].filter(Boolean).join(" ") };
    const before = Object.keys(marks).map((name) => [name, field.getAttribute(name)]);
    Object.entries(marks).forEach(([name, value]) => field.setAttribute(name, value));
    return () => before.forEach(([name, value]) => (value === null ? field.removeAttribute(name) : field.setAttribute(name, value)));
  }, [target, isTooLong]);

  const told = () => `${french(length)} / ${french(longest)} caractères`;
  const refusal = isTooLong ? `Ce texte est trop long\u00a0: ${french(longest)} caractères au maximum.` : "";
  return h("div", { id, className: "length-counter" },
    length > longest * NEAR ? h("p", { className: isTooLong ? "field-error" : "field-hint" }, told()) : null,
    h("p", { id: refusalId, role: "alert", className: refusal ? "field-error" : "visually-hidden" }, refusal));
}
