import { Children, useId, useRef, useState } from "react";

const STEP = { ArrowRight: 1, ArrowLeft: -1 };

/** WAI-ARIA tabs: one stop for Tab, arrows and Home/End between tabs, panels kept in place while hidden. */
export function Tabs({ items, initial, asked, label, onChange, children, className }) {
  const [chosen, choose] = useState(initial);
  const [answered, answer] = useState(asked);
  const ids = useId();
  const list = useRef(null);
  const panels = Children.toArray(children);

  // While drawing, so that whoever looks for something in the panel next, such as a wrong field, finds it shown.
  if (asked !== answered) {
    answer(asked);
    if (asked) choose(asked.split(" ")[0]);
  }

  const show = (index) => {
    choose(items[index].key);
    onChange?.(items[index].key);
    list.current.children[index].focus();
  };
  const onKeyDown = (event) => {
    const now = items.findIndex((item) => item.key === chosen);
    const ends = { Home: 0, End: items.length - 1 };
    const next = ends[event.key] ?? (STEP[event.key] && (now + STEP[event.key] + items.length) % items.length);
    if (next === undefined) return;
    event.preventDefault();
    show(next);
  };

  const tab = (item, index) => (
    <button
      key={item.key} type="button" role="tab" className="tab" id={`${ids}-tab-${item.key}`}
      aria-controls={`${ids}-panel-${item.key}`} aria-selected={item.key === chosen}
      tabIndex={item.key === chosen ? 0 : -1} onClick={() => show(index)}
    >
      {item.label}
    </button>
  );
  const panel = (item, index) => (
    <div
      key={item.key} role="tabpanel" className="tab-panel" hidden={item.key !== chosen}
      id={`${ids}-panel-${item.key}`} aria-labelledby={`${ids}-tab-${item.key}`}
    >
      {panels[index]}
    </div>
  );

  return (
    <div className={["tabs", className].filter(Boolean).join(" ")}>
      <div ref={list} role="tablist" aria-label={label} className="tab-list" onKeyDown={onKeyDown}>{items.map(tab)}</div>
      {items.map(panel)}
    </div>
  );
}
