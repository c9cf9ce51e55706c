import { useEffect, useId, useRef, useState } from "react";

/** Sets a field as typing would, so that React and the listeners of the form notice. */
function enter(field, value) {
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set.call(field, value);
  field.dispatchEvent(new Event("input", { bubbles: true }));
}

/**
 * Reorders rows of a form: Alt with an arrow presses the `[data-move]` button of the focused row. A new row takes the
 * focus from `[data-add]`; when a row is removed, the focus goes to `[data-add]`. Changes are announced to screen readers.
 * A name of `people`, typed or chosen from the list, also fills the other fields of its row that are empty.
 */
export function SortableRows({ rows, people, noun, nameField, otherFields, children, ...rest }) {
  const box = useRef(null);
  const before = useRef(rows.map((row) => row.key));
  const [announcement, announce] = useState("");
  const list = useId();
  const order = rows.map((row) => row.key);
  const rowOf = (key) => box.current.querySelector(`[data-row="${key}"]`);

  useEffect(() => {
    const was = before.current;
    before.current = order;
    if (was.join() === order.join()) return;
    const [gone] = was.filter((key) => !order.includes(key));
    const add = box.current.querySelector("[data-add]");
    // A person who has moved on to another field stays there.
    const isFree = [add, document.body].includes(document.activeElement);
    if (order.slice(0, -1).join() === was.join()) isFree && rowOf(order.at(-1))?.querySelector("input")?.focus();
    else if (gone && order.length === was.length - 1) {
      if (isFree) add?.focus();
      announce(`${noun} supprimé.`);
    } else if (!gone) {
      const key = document.activeElement?.closest("[data-row]")?.dataset.row;
      announce(`${noun} déplacé en position ${order.indexOf(key) + 1} sur ${order.length}.`);
    }
  }, [order.join()]);
  useEffect(() => {
    box.current.querySelectorAll(`[name="${nameField}"]`).forEach((field) => field.setAttribute("list", list));
  });

  const onKeyDown = (event) => {
    const way = event.altKey && { ArrowUp: "up", ArrowDown: "down" }[event.key];
    const row = way && event.target.closest("[data-row]");
    if (!row) return;
    event.preventDefault();
    row.querySelector(`[data-move="${way}"]`)?.click();
  };
  const onInput = ({ target }) => {
    if (target.name !== nameField) return;
    const [person, ...others] = people.filter(({ name }) => name === target.value);
    if (!person || others.length) return;
    const row = target.closest("[data-row]");
    for (const [field, property] of Object.entries(otherFields)) {
      const other = row.querySelector(`[name="${field}"]`);
      if (other.value === "" || other.value === other.dataset.known) {
        other.dataset.known = person[property];
        if (other.value !== person[property]) enter(other, person[property]);
      }
    }
    announce(`Repris de la fiche\u00a0: ${person.name}.`);
  };
  return (
    <div {...rest} ref={box} onKeyDown={onKeyDown} onInput={onInput}>
      {children}
      <datalist id={list}>
        {people.map(({ name, company }, index) => <option key={index} value={name}>{company}</option>)}
      </datalist>
      <p role="status" className="visually-hidden">{announcement}</p>
    </div>
  );
}
