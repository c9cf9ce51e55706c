import { useEffect, useRef } from "react";

const HOLD_MS = 350;
const SLIP_PX = 10;
const EDGE_PX = 90;
const SCROLL_PX = 9;
const PRESSED = "select, button, input, summary";

/** People carried from one `[data-table]` to another, each a `[data-person-id]`: with the mouse by the drag of the browser,
 *  with a finger by a long press. The select of each person does the same for keys. */
export function Carrying({ onCarried, children, ...rest }) {
  const board = useRef(null);
  const carried = useRef(null);
  const over = useRef(null);
  const mark = (table) => {
    if (table === over.current) return;
    over.current?.removeAttribute("data-over");
    over.current = table;
    table?.setAttribute("data-over", "true");
  };
  const end = () => {
    mark(null);
    carried.current = null;
  };
  const put = (row, table) => {
    if (row && table && !table.contains(row)) onCarried(row.dataset.personId, table.dataset.table);
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
    mark(table);
  };
  const onDrop = (event) => {
    const row = carried.current;
    end();
    if (row) event.preventDefault();
    put(row, event.target.closest("[data-table]"));
  };
  useFinger(board, mark, put);
  return (
    <div {...rest} ref={board} onDragStart={onDragStart} onDragOver={onDragOver} onDrop={onDrop} onDragEnd={end}>
      {children}
    </div>
  );
}

/** A row under a long press goes with the finger; the page scrolls by itself at its upper and lower edge. */
function useFinger(board, mark, put) {
  const acts = useRef(null);
  acts.current = { mark, put };
  useEffect(() => {
    let held = null;
    const onTouchStart = (event) => {
      held?.end();
      held = event.touches.length === 1 && !event.target.closest(PRESSED) ? hold(event, acts) : null;
    };
    const node = board.current;
    node.addEventListener("touchstart", onTouchStart, { passive: true });
    return () => {
      held?.end();
      node.removeEventListener("touchstart", onTouchStart);
    };
  }, []);
}

/** One touch of a row: null beside the rows. It hears its own target, which keeps the touch when the list is drawn anew. */
function hold(event, acts) {
  const target = event.target;
  const row = target.closest("[data-person-id]");
  if (!row) return null;
  const over = new AbortController();
  let { clientX: x, clientY: y } = event.touches[0];
  const from = { x, y };
  let shadow = null;
  let frame = 0;
  const tableHere = () => document.elementFromPoint(x, y)?.closest("[data-table]") ?? null;
  const end = () => {
    clearTimeout(timer);
    cancelAnimationFrame(frame);
    over.abort();
    shadow?.remove();
    row.draggable = true;
    row.removeAttribute("data-carried");
    acts.current.mark(null);
  };
  const follow = () => {
    shadow.style.translate = `${x}px ${y}px`;
    acts.current.mark(tableHere());
    const way = y < EDGE_PX ? -1 : y > innerHeight - EDGE_PX ? 1 : 0;
    if (way) scrollBy(0, way * SCROLL_PX);
    frame = requestAnimationFrame(follow);
  };
  const lift = () => {
    shadow = document.createElement("div");
    shadow.className = "carried-shadow";
    shadow.ariaHidden = "true";
    shadow.textContent = row.querySelector("p").textContent;
    document.body.append(shadow);
    row.setAttribute("data-carried", "true");
    follow();
  };
  const timer = setTimeout(lift, HOLD_MS);
  row.draggable = false; // a browser that begins its own drag by a long press would take the touch away
  const hear = (kind, act) => target.addEventListener(kind, act, { passive: false, signal: over.signal });
  hear("touchmove", (moved) => {
    ({ clientX: x, clientY: y } = moved.touches[0]);
    if (shadow) moved.preventDefault();
    else if (Math.hypot(x - from.x, y - from.y) > SLIP_PX) end(); // the page is scrolled
  });
  hear("touchend", (left) => {
    const table = shadow && tableHere();
    if (shadow) left.preventDefault();
    end();
    acts.current.put(row, table);
  });
  hear("touchcancel", end);
  hear("contextmenu", (asked) => asked.preventDefault());
  return { end };
}
