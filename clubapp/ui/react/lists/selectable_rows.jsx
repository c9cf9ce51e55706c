import { createContext, useContext, useEffect, useRef, useState } from "react";
import { useLocation } from "react-router";

const Chosen = createContext(null);
const STEPS = { ArrowDown: 1, ArrowUp: -1 };
const ROW = "[data-record-id]";

function told(count, hidden) {
  const chosen = `${count} ${count > 1 ? "membres choisis" : "membre choisi"}`;
  if (!hidden) return chosen;
  const out = hidden > 1 ? "non affichés" : "non affiché";
  return hidden === count ? `${chosen}, ${out}` : `${chosen}, dont ${hidden} ${out}`;
}
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

/**
 * Acts when a number rises after it was `awaited` here: a page that is loaded again gets the number that the server has
 * kept, and that is no answer to a press.
 */
function useRise(number, awaited, act) {
  const seen = useRef(number);
  useEffect(() => {
    if (number > seen.current && awaited.current) {
      awaited.current = false;
      act();
    }
    seen.current = number;
  }, [number]);
}

/**
 * Around rows `[data-record-id]` with a `RowCheck`: which of them are chosen. They stay chosen while the list is searched
 * and filtered, which the bar says, and when one comes back to it by the back button. `round` rises when `everything` is
 * to be chosen, `done` when an act on them is done.
 *
 * With Shift, a press or the space bar chooses up to the row pressed before, and an arrow takes the next row with it.
 */
export function SelectableRows({ everything, round, done, children, ...rest }) {
  const [chosen, setChosen] = useChosen();
  const box = useRef(null);
  const anchor = useRef(null);
  const awaited = { all: useRef(false), act: useRef(false) };
  useRise(round, awaited.all, () => setChosen(new Set(everything)));
  useRise(done, awaited.act, () => setChosen(new Set()));
  const { search } = useLocation();
  useEffect(() => { awaited.all.current = false; }, [search]);
  const clear = () => {
    awaited.all.current = false;
    setChosen(new Set());
  };

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
    <Chosen.Provider value={{ chosen, choose, mark, listShown, clear, awaited }}>
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

/** The acts on those who are chosen, below the list while there are some; it says how many of them are no `rows`. */
export function SelectionBar({ label, rows, found, most, onAll, children }) {
  const { chosen, clear, awaited } = useContext(Chosen);
  const count = chosen.size;
  const sentence = told(count, count - rows.filter((id) => chosen.has(id)).length);
  const chooseAll = () => {
    awaited.all.current = true;
    onAll();
  };
  const could = Math.min(found, most);
  return (
    <>
      <p role="status" className="visually-hidden">{count ? sentence : ""}</p>
      {count > 0 && (
        <div role="region" aria-label={label} className="selection-bar">
          <p className="selection-count" aria-hidden>{sentence}</p>
          {count < could && (
            <button type="button" className="selection-act selection-all" onClick={chooseAll}>
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
  const { chosen, awaited } = useContext(Chosen);
  const press = () => {
    awaited.act.current = true;
    onAct(act, [...chosen]);
  };
  return (
    <button type="button" className="selection-act" onClick={press}>
      {children}{chosen.size > 1 ? label : one}
    </button>
  );
}
