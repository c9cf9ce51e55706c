import { useEffect, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { useBlocker } from "react-router";
import { EntriesForm, entriesOf } from "$/public/external/clubapp/ui/react/forms/entries_form/entries_form.jsx";
import { Modal } from "$/public/external/clubapp/ui/react/overlays/modal/modal.jsx";

const PREFIX = "saisie:";
const PAUSE_MS = 400;
const RESTORING_MS = 5000;
const KEPT_MS = 14 * 24 * 3600 * 1000;
const SIGN_IN = "/connexion";
const MOMENT = { day: "numeric", month: "long", hour: "2-digit", minute: "2-digit" };

// The visit of every form of the page: the router knows one blocker only.
const visits = new Set();

// Storage can be full or forbidden: the form then works without its memory.
const quietly = (act) => {
  try {
    return act();
  } catch {
    return null;
  }
};
const write = (name, entries) => quietly(() =>
  localStorage.setItem(PREFIX + name, JSON.stringify({ at: Date.now(), entries })));
const remove = (name) => quietly(() => localStorage.removeItem(PREFIX + name));
const read = (name) => {
  const kept = quietly(() => JSON.parse(localStorage.getItem(PREFIX + name)));
  return kept?.entries && Date.now() - kept.at < KEPT_MS ? kept : null;
};

const gathered = (pairs) => {
  const entries = {};
  for (const [name, value] of pairs) entries[name] = name in entries ? [].concat(entries[name], value) : value;
  return entries;
};
const counts = (field) => field.name && field.name !== "seen" && !["file", "submit", "button"].includes(field.type);
const isBox = (field) => ["checkbox", "radio"].includes(field.type);
const valueOf = (field) => (isBox(field) ? field.checked : field.value);
/** What a draft and the form as it stands are compared by: the fields it has now. The version it was opened with is none. */
const print = (form, entries) =>
  JSON.stringify([...new Set([...form.elements].filter(counts).map((field) => field.name))].map((name) => entries[name]));
const isText = (field) => field.matches("textarea, input:not([type=hidden], [type=checkbox], [type=radio])");
const firstField = (form) => form.querySelector("input:not([type=hidden]):not([type=file]), select, textarea");

/** Writes into a field as a person would, so that whoever listens hears of it. */
function enter(field, value) {
  if (field.value === value) return;
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), "value").set.call(field, value);
  for (const kind of ["input", "change"]) field.dispatchEvent(new Event(kind, { bubbles: true }));
}

/** Takes what was handed over away from the text fields that still begin with it: what was typed behind it stays. */
function takeAway(handed) {
  for (const [field, value] of handed) {
    if (!value || !isText(field) || !field.value.startsWith(value)) continue;
    enter(field, field.value.slice(value.length));
    handed.set(field, "");
  }
}

function fill(form, entries) {
  const places = {};
  for (const field of [...form.elements].filter(counts)) {
    const values = [].concat(entries[field.name] ?? []);
    if (isBox(field)) {
      if (values.includes(field.value) !== field.checked) field.click();
      continue;
    }
    const place = places[field.name] ?? 0;
    places[field.name] = place + 1;
    if (place < values.length) enter(field, values[place]);
  }
}

/** Fields that the answer to a restoration brings along are filled as they come, until the person types or presses. */
function fillAsItGrows(form, entries) {
  fill(form, entries);
  const growth = new MutationObserver(() => fill(form, entries));
  const stop = () => {
    growth.disconnect();
    form.removeEventListener("input", typed);
    form.removeEventListener("click", pressed);
  };
  const typed = (event) => event.isTrusted && stop();
  const pressed = (event) => event.target.closest("button") && stop(); // by a key of the rows too: not trusted then
  growth.observe(form, { childList: true, subtree: true });
  form.addEventListener("input", typed);
  form.addEventListener("click", pressed);
  setTimeout(stop, RESTORING_MS);
}

/**
 * Whether something differs from what was there first: each field has its own beginning, for some arrive later. One that
 * went away is a change too, unless it was derived from others.
 */
function beginnings(form) {
  const firsts = new Map();
  const note = () => [...form.elements].filter(counts).forEach((field) => {
    if (!firsts.has(field)) firsts.set(field, { value: valueOf(field), derived: field.closest("[data-derived]") });
  });
  const arrivals = new MutationObserver(note);
  const isChanged = () => {
    note();
    return [...firsts].some(([field, first]) =>
      form.contains(field) ? valueOf(field) !== first.value : !first.derived);
  };
  const again = (saved) => {
    firsts.clear();
    note();
    saved?.forEach((value, field) => { if (firsts.has(field)) firsts.get(field).value = value; });
  };
  note();
  arrivals.observe(form, { childList: true, subtree: true });
  return { isChanged, again, end: () => arrivals.disconnect() };
}

/**
 * One form from its opening to its end. `sent` while an answer is awaited, and nothing is typed. Of several tabs with
 * the same form, the draft is of the one that wrote last.
 */
function begin(name, form, ask) {
  const first = beginnings(form);
  const visit = { sent: false, isChanged: first.isChanged };
  let timer, passing = false, silent = false, ended = false;
  let own = false; // whether the draft is of this visit: an older one stays until something is typed

  visit.entries = () => gathered(entriesOf(form));
  visit.keep = () => {
    clearTimeout(timer);
    if (visit.isChanged()) {
      write(name, visit.entries());
      own = true;
    } else if (own) visit.forget();
  };
  visit.forget = () => {
    remove(name);
    own = false;
  };
  visit.takeUp = () => { own = true; };
  visit.held = () => new Map([...form.elements].filter(counts).map((field) => [field, valueOf(field)]));
  // It is saved as it was handed over; what was typed since is not.
  visit.settle = (handed) => {
    visit.forget();
    first.again(visit.sent ? null : handed);
    visit.sent = false;
    visit.keep();
  };

  const pass = (act) => {
    passing = true;
    act();
    passing = false;
  };
  const hold = (event, goOn) => {
    if (passing || !visit.isChanged()) return;
    event.preventDefault();
    event.stopPropagation();
    ask(() => () => pass(goOn));
  };
  const dialog = form.closest("dialog");
  const heard = [
    [form, "input", (event) => {
      if (event.isTrusted) visit.sent = silent = false;
      clearTimeout(timer);
      timer = setTimeout(visit.keep, PAUSE_MS);
    }],
    [dialog, "dialogleave", (event) => hold(event, () => dialog.dispatchEvent(new Event("cancel", { cancelable: true })))],
    [document, "click", (event) => {
      const way = event.target.closest?.("[data-leaves-form]");
      if (way) hold(event, () => way.click());
    }],
    [window, "beforeunload", (event) => {
      if (!ended && visit.isChanged()) event.preventDefault();
    }],
    [window, "pagehide", () => !silent && visit.isChanged() && visit.keep()],
    // Signed out by themselves: nothing stays behind, whatever the page still hears before it goes.
    [window, "signout", () => {
      clearTimeout(timer);
      silent = true;
    }],
    [window, "sessionend", () => {
      if (!silent && visit.isChanged()) visit.keep();
      silent = ended = true;
    }],
  ].filter(([where]) => where);

  heard.forEach(([where, kind, act]) => where.addEventListener(kind, act, where === document));
  visits.add(visit);
  visit.end = (isSaved) => {
    heard.forEach(([where, kind, act]) => where.removeEventListener(kind, act, where === document));
    visits.delete(visit);
    first.end();
    clearTimeout(timer);
    if (isSaved) visit.forget();
    else if (!silent) visit.keep();
  };
  return visit;
}

const button = (label, look, act, more) =>
  <button type="button" className={`button button-${look}`} onClick={act} {...more}>{label}</button>;

const Found = ({ at, onTake, onForget }) => (
  <div className="banner banner-amber">
    <p className="banner-body banner-title">
      {`Une saisie non enregistrée du ${new Intl.DateTimeFormat("fr-FR", MOMENT).format(at)} a été retrouvée.`}
    </p>
    <div className="placeholder-actions">
      {button("Reprendre", "secondary", onTake)}
      {button("Effacer", "quiet", onForget)}
    </div>
  </div>
);

const LeaveQuestion = ({ open, onStay, onLeave }) => (
  <Modal
    open={open} onClose={onStay} role="alertdialog" className="dialog dialog-confirm"
    title={"Quitter sans enregistrer\u00a0?"}
    description={"Votre saisie n'est pas enregistrée. Elle reste dans ce navigateur et vous sera proposée quand vous "
    + "rouvrirez ce formulaire."}
  >
    <div className="dialog-actions">
      {button("Continuer la saisie", "secondary", onStay, { "data-autofocus": "true" })}
      {button("Quitter", "danger", onLeave)}
    </div>
  </Modal>
);

/** See draft_form.py. */
export function DraftForm({ draft, busy, attempt, saved = 0, again, onEntries, onRestore, children, ...rest }) {
  const top = useRef(null);
  const visit = useRef(null);
  const savedBefore = useRef(saved);
  const handed = useRef(null);
  const now = useRef(saved);
  now.current = saved;
  const [found, setFound] = useState(null);
  const [goOn, ask] = useState(null);
  const blocker = useBlocker(({ currentLocation: from, nextLocation: to }) =>
    from.pathname !== to.pathname && !to.pathname.startsWith(SIGN_IN) && [...visits].some((visit) => visit.isChanged()));

  useEffect(() => {
    if (!draft) return undefined;
    const form = top.current.closest("form");
    const begun = begin(draft, form, ask);
    const next = read(draft);
    const isShown = next && print(form, next.entries) === print(form, begun.entries());
    if (isShown) begun.forget();
    setFound(isShown ? null : next);
    visit.current = begun;
    return () => {
      visit.current = null;
      if (begun.sent) handed.current = null;
      begun.end(now.current !== savedBefore.current);
    };
  }, [draft]);
  useEffect(() => {
    if (saved === savedBefore.current) return;
    savedBefore.current = saved;
    if (again && handed.current) beginAgain();
    visit.current?.settle(handed.current);
    setFound(null);
  }, [saved]);

  const beginAgain = () => {
    takeAway(handed.current);
    const form = top.current.closest("form");
    if (document.activeElement === document.body || form.contains(document.activeElement)) firstField(form)?.focus();
  };
  const answered = () => {
    setFound(null);
    firstField(top.current.closest("form"))?.focus();
  };
  const takeUp = () => {
    visit.current.takeUp();
    fillAsItGrows(top.current.closest("form"), found.entries);
    onRestore?.(found.entries);
    answered();
  };
  const drop = () => {
    visit.current.forget();
    visit.current.keep();
    answered();
  };
  const submit = (pairs) => {
    visit.current?.keep();
    if (visit.current) visit.current.sent = true;
    handed.current = visit.current?.held();
    onEntries?.(gathered(pairs));
  };
  const isBlocked = blocker.state === "blocked";
  const stay = () => (isBlocked ? blocker.reset() : ask(null));
  const leave = () => {
    if (isBlocked) return blocker.proceed();
    ask(null);
    return goOn?.();
  };

  const isAsked = isBlocked || goOn !== null;
  const bar = found && <Found at={found.at} onTake={takeUp} onForget={drop} />;
  return [
    <EntriesForm key="form" {...rest} busy={busy} attempt={attempt} onEntries={submit}>
      <div ref={top} role="status" className={found ? undefined : "visually-hidden"}>{bar}</div>
      {children}
    </EntriesForm>,
    // Not inside the form, which may stand in a part of the page that is folded away.
    isAsked && createPortal(<LeaveQuestion open onStay={stay} onLeave={leave} />, document.body, "question"),
  ];
}
