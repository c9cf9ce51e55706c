import { useRef } from "react";

/** People carried with the mouse: each `[data-person-id]` from one `[data-table]` to another. A phone whose browser drags
 *  by a long press sends the same events; keys and fingers have the select of each person, which does the same. */
export function Carrying({ onCarried, children, ...rest }) {
  const carried = useRef(null);
  const over = useRef(null);
  const mark = (table) => {
    over.current?.removeAttribute("data-over");
    over.current = table;
    table?.setAttribute("data-over", "true");
  };
  const end = () => {
    mark(null);
    carried.current = null;
  };
  const onDragStart = (event) => {
    const row = event.target.closest?.("[data-person-id]");
    if (!row) return;
    carried.current = row;
    event.dataTransfer.effectAllowed = "move";
    event.dataTransfer.setData("text/plain", "");
  };
  const onDragOver = (event) => {
    if (!carried.current) return;
    const table = event.target.closest("[data-table]");
    if (table) event.preventDefault();
    if (table !== over.current) mark(table);
  };
  const onDrop = (event) => {
    const row = carried.current;
    const table = event.target.closest("[data-table]");
    end();
    if (!row || !table || table.contains(row)) return;
    event.preventDefault();
    onCarried(row.dataset.personId, table.dataset.table);
  };
  return <div {...rest} onDragStart={onDragStart} onDragOver={onDragOver} onDrop={onDrop} onDragEnd={end}>{children}</div>;
}
