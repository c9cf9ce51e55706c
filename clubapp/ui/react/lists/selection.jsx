import { createContext, useContext, useEffect, useRef, useState } from "react";
import { useLocation } from "react-router";

const Chosen = createContext(null);
const STEPS = { ArrowDown: 1, ArrowUp: -1 };
const ROW = "[data-record-id]";

const told = (count) => `${count} ${count > 1 ? "membres choisis" : "membre choisi"}`;
const idOf = (node) => node.closest(ROW)?.dataset.recordId;

/** What the entry of the browser's history remembers, so that the back button finds it again. */
function useChosen() {
  const [chosen, setChosen] = useState(() => new Set());
  const { key } = useLocation();
  useEffect(() => setChosen(new Set(window.history.state?.chosen)), []);
  useEffect(() => {
    window.history.replaceState({ ...window.history.state, chosen: [...chosen] }, "");
  }, [chosen, key]);
  return [chosen, setChosen];
}

/** Acts when a number rises, not for what it is when the screen appears. */
function useRise(number, act) {
  const seen = useRef(number);
  useEffect(() => {
    if (number > seen.current) act();
    seen.current = number;
  }, [number]);
}

/**
 * Around rows `[data-record-id]` with a `RowCheck`: which of them are chosen. They stay chosen while the list is searched
 * and filtered, and when one comes back to it by the back button. `round` rises when `everything` is to be chosen, `done`
 * when an act on them is done.
 *
 * With Shift, a press or the space bar chooses up to the row pressed before, and an arrow takes the next row with it.
 */
export function SelectableRows({ everything, round, done, children, ...rest }) {
  const [chosen, setChosen] = useChosen();
  const box = useRef(null);
  const anchor = useRef(null);
  useRise(round, () => setChosen(new Set(everything)));
  useRise(done, () => setChosen(new Set()));

  const listShown = () => [...box.current.querySelectorAll(ROW)].map((row) => row.dataset.recordId);
  const mark = (ids, isOn) => setChosen((before) => {
    const next = new Set(before);
    ids.forEach((id) => (isOn ? next.add(id) : next.delete(id)));
    return next;
  });
  const choose = (id, isOn, isRange) => {
    const ids = listShown();
    const [from, to] = [ids.indexOf(anchor.current), ids.indexOf(id)];
    mark(isRange && from >= 0 ? ids.slice(Math.min(from, to), Math.max(from, to) + 1) : [id], isOn);
    anchor.current = id;
  };
  const onKeyDown = (event) => {
    const row = event.target.closest(ROW);
    if (!row || !event.shiftKey) return;
    if (event.key === " ") {
      event.preventDefault();
      choose(idOf(row), !chosen.has(idOf(row)), event.target.matches("[data-check]"));
    } else if (STEPS[event.key]) {
      const rows = [...box.current.querySelectorAll(ROW)];
      const next = rows[rows.indexOf(row) + STEPS[event.key]];
      event.preventDefault();
      if (!next) return;
      mark([idOf(row), idOf(next)], true);
      anchor.current = idOf(next);
      next.querySelector(event.target.matches("[data-check]") ? "[data-check]" : "[data-row]").focus();
    }
  };
  return (
    <Chosen.Provider value={{ chosen, choose, mark, listShown, clear: () => setChosen(new Set()) }}>
      <div {...rest} ref={box} onKeyDown={onKeyDown}>{children}</div>
    </Chosen.Provider>
  );
}

const Check = ({ label, ...rest }) => (
  <label className="record-check">
    <input {...rest} type="checkbox" aria-label={label} className="checkbox-box" />
  </label>
);

/** The box of one row. */
export function RowCheck({ record, label }) {
  const { chosen, choose } = useContext(Chosen);
  const onChange = ({ target, nativeEvent }) => choose(record, target.checked, nativeEvent.shiftKey);
  return <Check label={label} data-check="true" checked={chosen.has(record)} onChange={onChange} />;
}

/** The box of all rows that are shown, half ticked while some of them are chosen. */
export function AllCheck({ rows, label }) {
  const { chosen, mark, listShown } = useContext(Chosen);
  const box = useRef(null);
  const count = rows.filter((id) => chosen.has(id)).length;
  useEffect(() => { box.current.indeterminate = count > 0 && count < rows.length; });
  return (
    <label className="record-check">
      <input
        ref={box} type="checkbox" aria-label={label} className="checkbox-box" checked={rows.length > 0 && count === rows.length}
        onChange={({ target }) => mark(listShown(), target.checked)}
      />
    </label>
  );
}

/** The acts on those who are chosen, below the list while there are some. */
export function SelectionBar({ label, found, most, onAll, children }) {
  const { chosen, clear } = useContext(Chosen);
  const count = chosen.size;
  const could = Math.min(found, most);
  return (
    <>
      <p role="status" className="visually-hidden">{count ? told(count) : ""}</p>
      {count > 0 && (
        <div role="region" aria-label={label} className="selection-bar">
          <p className="selection-count" aria-hidden>{told(count)}</p>
          {count < could && (
            <button type="button" className="selection-act selection-all" onClick={onAll}>
              {found > most ? `Choisir les ${most} premiers` : `Tout sélectionner (${found})`}
            </button>
          )}
          <div className="selection-acts">{children}</div>
          <button type="button" className="selection-act" aria-label="Ne plus rien choisir" onClick={clear}>
            <svg viewBox="0 0 20 20" width={20} height={20} aria-hidden>
              <path d="M5 5l10 10M15 5L5 15" stroke="currentColor" strokeWidth={1.600} strokeLinecap="round" />
            </svg>
          </button>
        </div>
      )}
    </>
  );
}

/** A button of the bar: `onAct` gets the act and the chosen ids. `one` is its label for a single one. */
export function SelectionAct({ act, label, one = label, onAct, children }) {
  const { chosen } = useContext(Chosen);
  return (
    <button type="button" className="selection-act" onClick={() => onAct(act, [...chosen])}>
      {children}{chosen.size > 1 ? label : one}
    </button>
  );
}
