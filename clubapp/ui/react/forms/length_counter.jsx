import { createElement as h, useEffect, useState } from "react";

const NEAR = 0.8;
const french = (number) => number.toLocaleString("fr-FR");

/**
 * Counts the characters of the field `target` once they come near `longest`. Beyond, it says how many are too many; the
 * field carries `data-too-long` then, and its form is not sent (entries_form.jsx). Nothing is cut off.
 */
export function LengthCounter({ target, longest, id }) {
  const [length, setLength] = useState(0);
  const excess = length - longest;

  useEffect(() => {
    const field = document.getElementById(target);
    const count = () => setLength(field.value.trim().length);
    count();
    field.addEventListener("input", count);
    return () => field.removeEventListener("input", count);
  }, [target]);
  useEffect(() => {
    document.getElementById(target).toggleAttribute("data-too-long", excess > 0);
  }, [target, excess > 0]);

  const told = () => `${french(length)} / ${french(longest)} caractères`;
  const refusal = excess > 0 ? `Ce texte est trop long\u00a0: ${french(longest)} caractères au maximum.` : "";
  return h("div", { id, className: "length-counter" },
    length > longest * NEAR ? h("p", { className: excess > 0 ? "field-error" : "field-hint" }, told()) : null,
    h("p", { role: "alert", className: refusal ? "field-error" : "visually-hidden" }, refusal));
}
