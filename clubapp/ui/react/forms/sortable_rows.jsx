import { useEffect, useId, useRef, useState } from "react";

/** Writes into a field as a person would, so that whoever listens to the form hears of it. */
function enter(field, value) {
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set.call(field, value);
  field.dispatchEvent(new Event("input", { bubbles: true }));
}

/**
 * Rows of a form that can be put in order: Alt with an arrow presses the `[data-move]` button of the row the focus is in.
 * A new row gets the focus of `[data-add]`, which gets that of a row that goes. What happened is said to screen readers.
 * A name of `people`, typed or chosen from the list, brings along what else is known of them, where nothing is typed.
 */
export function SortableRows({ rows, people, noun, nameField, otherFields, children, ...rest }) {
  const box = useRef(null);
  const before = useRef(rows.map((row) => row.key));
  const [said, say] = useState("");
  const list = useId();
  const order = rows.map((row) => row.key);
  const rowOf = (key) => box.current.querySelector(`[data-row="${key}"]`);

  useEffect(() => {
    const was = before.current;
    before.current = order;
    if (was.join() === order.join()) return;
    const [gone] = was.filter((key) => !order.includes(key));
    const add = box.current.querySelector("[data-add]");
    // Whoever has gone on to another field meanwhile stays there.
    const isFree = [add, document.body].includes(document.activeElement);
    if (order.slice(0, -1).join() === was.join()) isFree && rowOf(order.at(-1))?.querySelector("input")?.focus();
    else if (gone && order.length === was.length - 1) {
      if (isFree) add?.focus();
      say(`${noun} supprimé.`);
    } else if (!gone) {
      const key = document.activeElement?.closest("[data-row]")?.dataset.row;
      say(`${noun} déplacé en position ${order.indexOf(key) + 1} sur ${order.length}.`);
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
    const found = people.filter((person) => person.name === target.value);
    if (found.length !== 1) return;
    const row = target.closest("[data-row]");
    for (const [field, property] of Object.entries(otherFields)) {
      const other = row.querySelector(`[name="${field}"]`);
      if (other.value === "" || other.value === other.dataset.known) {
        other.dataset.known = found[0][property];
        if (other.value !== found[0][property]) enter(other, found[0][property]);
      }
    }
    say(`Repris de la fiche de ${found[0].name}.`);
  };
  return (
    <div {...rest} ref={box} onKeyDown={onKeyDown} onInput={onInput}>
      {children}
      <datalist id={list}>
        {people.map((person, index) =>
      <option key={index} value={person.name}>{person.company}</option>)}
      </datalist>
      <p role="status" className="visually-hidden">{said}</p>
    </div>
  );
}
