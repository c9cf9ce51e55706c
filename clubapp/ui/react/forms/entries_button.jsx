import { createElement as h } from "react";
import { entriesOf } from "$/public/external/clubapp/ui/react/forms/entries_form/entries_form.jsx";

/** A button that looks at what is typed; the form stays as it is. */
export function EntriesButton({ onEntries, children, ...rest }) {
  const look = (event) => onEntries?.(Object.fromEntries(entriesOf(event.currentTarget.form)));
  return h("button", { ...rest, type: "button", onClick: look }, children);
}
