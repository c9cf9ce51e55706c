import { Children, useEffect, useId, useLayoutEffect, useRef, useState } from "react";
import { Link, useNavigate } from "react-router";

const KINDS = ["search", "person", "company", "meeting", "shortcut", "recent"];
const OPEN = "finder-open";
const RECENT = "club-recent";
const MOST_RECENT = 5;
const LONGEST = 100; // as in services/base/search.py
const PAUSE_MS = 80; // typing goes on: no search for each letter
const PATIENCE_MS = 8000;
const SLOW_MS = 400; // sooner, a word of it would only flicker
const PRESS_MS = 6000;

const isMac = () => /Mac|iP(hone|ad|od)/.test(navigator.platform);
const open = () => window.dispatchEvent(new Event(OPEN));

// Storage can be forbidden: nothing is recent then.
const orNone = (act) => {
  try {
    return act() ?? [];
  } catch {
    return [];
  }
};
const recents = () => orNone(() => JSON.parse(sessionStorage.getItem(RECENT)));
const keepRecent = (hit) => orNone(() => sessionStorage.setItem(
  RECENT, JSON.stringify([hit, ...recents().filter((other) => other.id !== hit.id)].slice(0, MOST_RECENT))));

export function FinderButton({ label, hasKey, className, children }) {
  const [key, setKey] = useState("Ctrl K");
  useEffect(() => { if (isMac()) setKey("⌘ K"); }, []);
  return (
    <button
      type="button" className={className} aria-label={label} aria-keyshortcuts="Control+K Meta+K"
      aria-haspopup="dialog" onClick={open}
    >
      {children}
      {hasKey ? <kbd aria-hidden className="finder-key">{key}</kbd> : null}
    </button>
  );
}

/** Presses a button of the screen that opens, as soon as it is there; not the one of the screen that is left. */
function pressOnArrival(name, path) {
  const until = Date.now() + PRESS_MS;
  const find = () => document.querySelector(`main [data-press="${name}"]`);
  const left = window.location.pathname === path ? null : find();
  const attempt = () => {
    const button = find();
    if (button && button !== left && !document.getElementById("first-paint")) button.click();
    else if (Date.now() < until) setTimeout(attempt, 50);
  };
  setTimeout(attempt, 50);
}

/** A link to a screen on which a button is pressed then. */
export function PressLink({ press, children, ...rest }) {
  return <Link {...rest} onClick={() => pressOnArrival(press, rest.to)}>{children}</Link>;
}

/** Asks for one text at a time; once it is answered, for the newest, if that is another. */
function useSearch(found, failed, onSearch) {
  const [text, setText] = useState("");
  const [isLate, setLate] = useState(false);
  const asking = useRef(null);
  const wanted = useRef("");
  const ask = useRef(onSearch);
  const timers = useRef({});
  useEffect(() => { ask.current = onSearch; });

  const send = () => {
    clearTimeout(timers.current.pause); // the newest text is not asked twice
    if (asking.current !== null) return;
    const asked = asking.current = wanted.current;
    timers.current.patience = setTimeout(() => {
      asking.current = null;
      if (asked === wanted.current) setLate(true);
      else send();
    }, PATIENCE_MS);
    ask.current?.(wanted.current);
  };
  const type = (typed) => {
    wanted.current = typed;
    setText(typed);
    clearTimeout(timers.current.pause);
    timers.current.pause = setTimeout(send, PAUSE_MS);
  };
  const retry = () => {
    setLate(false);
    asking.current = null;
    send();
  };
  useEffect(() => {
    if (asking.current === null || ![found.asked, failed.asked].includes(asking.current)) return;
    clearTimeout(timers.current.patience);
    setLate(false);
    asking.current = null;
    if (![found.asked, failed.asked].includes(wanted.current)) send();
  }, [found, failed]);
  useEffect(() => () => Object.values(timers.current).forEach(clearTimeout), []);

  const isFresh = found.asked === text;
  const hasFailed = !isFresh && (isLate || (failed.number > 0 && failed.asked === text));
  return { text, type, retry, isFresh, hasFailed, isLate };
}

function Option({ hit, id, icon, isActive, isHeld, onPick, onPoint }) {
  return (
    <div
      id={id} role="option" aria-selected={isActive} aria-disabled={isHeld} className="finder-option" data-kind={hit.kind}
      onMouseMove={onPoint} onMouseDown={(event) => event.preventDefault()} onClick={onPick}
    >
      <span className="finder-icon">{icon}</span>
      <span className="finder-words">
        <span className="finder-title">{hit.title}</span>
        {hit.hint ? <span className="finder-hint">{hit.hint}</span> : null}
      </span>
    </div>
  );
}

/** The search and its results: a combobox whose list is always shown, in a dialog. */
function Palette({ found, failed, onSearch, icons, onLeave }) {
  const ids = useId();
  const navigate = useNavigate();
  const list = useRef(null);
  const { text, type, retry, isFresh, hasFailed, isLate } = useSearch(found, failed, onSearch);
  const [active, setActive] = useState(0);
  const [isSlow, setSlow] = useState(false);
  const [recent] = useState(recents);
  const isEntered = useRef(false); // before the answer was there

  useEffect(() => { type(""); }, []);
  useEffect(() => { setActive(0); }, [found, text === ""]);
  useEffect(() => {
    setSlow(false);
    if (isFresh) return undefined;
    const timer = setTimeout(() => setSlow(true), SLOW_MS);
    return () => clearTimeout(timer);
  }, [isFresh, text]);

  const shown = found.groups;
  const before = text === "" && recent.length ? [{ kind: "recent", name: "Récents", hits: recent }] : [];
  const groups = hasFailed ? [] : [...before, ...(text === "" && !isFresh ? [] : shown)];
  const hits = groups.flatMap((group) => group.hits.map((hit) => ({ ...hit, key: `${ids}-${group.kind}-${hit.id}` })));
  const chosen = hits[Math.min(active, hits.length - 1)];
  const isHeld = !isFresh && text !== ""; // what is shown answers another text
  const isMarked = !(isHeld && isSlow);

  useEffect(() => { list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: "nearest" }); });

  const pick = (hit, isApart) => {
    keepRecent({ id: hit.id, kind: hit.kind, title: hit.title, hint: hit.hint, href: hit.href,
      press: hit.press, is_document: hit.is_document });
    if (isApart) {
      window.open(hit.href, "_blank", "noopener");
      return;
    }
    onLeave();
    if (hit.press) pressOnArrival(hit.press, hit.href);
    if (hit.is_document) window.location.assign(hit.href);
    else navigate(hit.href);
  };
  const move = (step) => setActive((hits.length + Math.min(active, hits.length - 1) + step) % hits.length);
  const onKeyDown = (event) => {
    if (event.nativeEvent.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && hits.length) isHeld || move(step);
    else if (event.key === "Enter" && hasFailed) retry();
    else if (event.key === "Enter" && !isHeld) chosen && pick(chosen, event.ctrlKey || event.metaKey);
    else if (event.key === "Enter") isEntered.current = true;
    else if (!step) return;
    event.preventDefault();
  };
  useEffect(() => {
    if (isFresh && isEntered.current && chosen) pick(chosen, false);
    if (isFresh) isEntered.current = false;
  }, [found]);

  let place = -1;
  const isNothing = isFresh && text.trim() !== "" && !shown.length && !hasFailed;
  const told = hasFailed ? "La recherche n’a pas répondu."
    : isNothing ? "Aucun résultat." : isFresh && text ? `${found.count} ${found.count > 1 ? "résultats" : "résultat"}` : "";
  return (
    <>
      <div className="finder-head">
        {icons.search}
        <input
          type="text" role="combobox" aria-expanded={hits.length > 0} aria-controls={`${ids}-list`} aria-autocomplete="list"
          aria-activedescendant={isHeld ? undefined : chosen?.key} aria-label="Chercher" placeholder="Une personne, une rencontre, une action…"
          value={text} maxLength={LONGEST} autoComplete="off" autoCapitalize="off" spellCheck={false} enterKeyHint="go"
          data-autofocus onChange={(event) => { isEntered.current = false; type(event.target.value); }} onKeyDown={onKeyDown} className="finder-input"
        />
        <button type="button" className="button button-quiet finder-close" onClick={onLeave}>Fermer</button>
      </div>
      <div id={`${ids}-list`} ref={list} role="listbox" aria-label="Résultats" aria-busy={!isFresh} className="finder-list">
        {groups.map((group) => (
          <div key={group.kind} role="group" aria-labelledby={`${ids}-${group.kind}`} className="finder-group">
            <p id={`${ids}-${group.kind}`} role="presentation" className="finder-name">
              {group.name}
              {group.more > 0 ? <span className="finder-more">{` et ${group.more} ${group.more > 1 ? "autres" : "autre"}`}</span> : null}
            </p>
            {group.hits.map((hit) => {
              place += 1;
              const here = place;
              return (
                <Option
                  key={hit.id} id={`${ids}-${group.kind}-${hit.id}`} hit={hit} icon={icons[hit.kind]} isHeld={isHeld}
                  isActive={isMarked && hits[here].key === chosen?.key}
                  onPick={(event) => isHeld || pick(hit, event.ctrlKey || event.metaKey)}
                  onPoint={() => isHeld || active === here || setActive(here)}
                />
              );
            })}
          </div>
        ))}
      </div>
      {hasFailed ? (
        <div className="finder-none">
          <p className="finder-title">La recherche n’a pas répondu</p>
          <p className="finder-hint">{isLate ? "Vérifiez votre connexion. Ce que vous avez tapé est gardé." : failed.text}</p>
          <button type="button" className="button button-secondary" onClick={retry}>Chercher à nouveau</button>
        </div>
      ) : null}
      {isNothing ? (
        <div className="finder-none">
          <p className="finder-title">{`Rien ne correspond à «\u00a0${text.trim()}\u00a0»`}</p>
          <p className="finder-hint">{"Essayez un nom, une entreprise, un mois ou un verbe, comme «\u00a0inviter\u00a0»."}</p>
        </div>
      ) : null}
      <p className="finder-foot">
        <span className="finder-keys" aria-hidden><kbd>↑</kbd> <kbd>↓</kbd> choisir <kbd>Entrée</kbd> ouvrir <kbd>Échap</kbd> fermer</span>
        <span>{isSlow && !hasFailed ? "Recherche en cours…" : ""}</span>
      </p>
      <p role="status" className="visually-hidden">{told}</p>
    </>
  );
}

export function Finder({ found, failed, onSearch, children }) {
  const box = useRef(null);
  const opener = useRef(null);
  const [isOpen, setOpen] = useState(false);
  const icons = Object.fromEntries(KINDS.map((kind, place) => [kind, Children.toArray(children)[place]]));

  // Before anything can be pressed: the script of the document holds presses until then.
  useLayoutEffect(() => {
    const show = () => {
      if (document.querySelector("dialog[open]")) return;
      opener.current = document.activeElement;
      setOpen(true);
    };
    const onKeyDown = (event) => {
      const isOurs = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.key.toLowerCase() === "k";
      if (!isOurs || event.defaultPrevented || document.querySelector("dialog[open]:not(.finder)")) return;
      event.preventDefault();
      show();
    };
    window.addEventListener(OPEN, show);
    window.addEventListener("keydown", onKeyDown);
    return () => {
      window.removeEventListener(OPEN, show);
      window.removeEventListener("keydown", onKeyDown);
    };
  }, []);
  useLayoutEffect(() => {
    if (!isOpen) return undefined;
    const dialog = box.current;
    dialog.showModal();
    dialog.querySelector("[data-autofocus]").focus();
    return () => {
      dialog.close();
      const target = opener.current;
      if (target?.isConnected && target !== document.body) target.focus({ preventScroll: true });
    };
  }, [isOpen]);

  const leave = () => setOpen(false);
  const pressed = useRef(null);
  return (
    <dialog
      ref={box} className="finder" aria-label="Chercher dans l’administration" onClose={leave}
      onCancel={(event) => { event.preventDefault(); leave(); }}
      onMouseDown={(event) => { pressed.current = event.target; }}
      onClick={(event) => event.target === box.current && pressed.current === box.current && leave()}
    >
      {isOpen ? <div className="finder-frame"><Palette {...{ found, failed, onSearch, icons }} onLeave={leave} /></div> : null}
    </dialog>
  );
}
