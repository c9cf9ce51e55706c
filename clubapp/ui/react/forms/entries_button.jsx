import { createElement as h } from "react";
import { entriesOf } from "$/public/external/clubapp/ui/react/forms/entries_form/entries_form.jsx";

/** A button that passes the entries of its form to `onEntries`; nothing is submitted. */
export function EntriesButton({ onEntries, children, ...rest }) {
  const onClick = (event) => onEntries?.(Object.fromEntries(entriesOf(event.currentTarget.form)));
  return h("button", { ...rest, type: "button", onClick }, children);
}
