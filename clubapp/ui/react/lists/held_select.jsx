import { useReducer } from "react";

// The choices whose answer has not come yet, by the id of the select: its row may be drawn anew elsewhere meanwhile.
const pending = new Map();
let last = 0;

/** A select that stays on what was chosen until it is `settled`, so that the next key goes on from there. */
export function HeldSelect({ value, settled, onChoose, children, ...rest }) {
  const [, draw] = useReducer((count) => count + 1, 0);
  const held = pending.get(rest.id);
  const onChange = (event) => {
    last = Math.max(last + 1, Date.now()); // above those of a page that was there before
    pending.set(rest.id, { chosen: event.target.value, number: last });
    draw();
    onChoose(event.target.value, last);
  };
  return (
    <select {...rest} value={held && held.number > settled ? held.chosen : value} onChange={onChange}>
      {children}
    </select>
  );
}
