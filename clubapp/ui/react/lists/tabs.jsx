import { Children, useId, useRef, useState } from "react";

const STEP = { ArrowRight: 1, ArrowLeft: -1 };

/** WAI-ARIA tabs: one tab is in the tab order, arrows and Home/End move between tabs, hidden panels stay mounted. */
export function Tabs({ items, initial, requested, label, onChange, children, className }) {
  const [chosen, choose] = useState(initial);
  const [applied, apply] = useState(requested);
  const ids = useId();
  const list = useRef(null);
  const panels = Children.toArray(children);

  // During rendering, so that effects that focus a wrong field find its panel visible.
  if (requested !== applied) {
    apply(requested);
    if (requested) choose(requested.split(" ")[0]);
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
