import { useEffect, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { useBlocker } from "react-router";
import { EntriesForm, entriesOf } from "$/public/external/clubapp/ui/react/forms/entries_form/entries_form.jsx";
import { Modal } from "$/public/external/clubapp/ui/react/overlays/modal/modal.jsx";

const PREFIX = "saisie:";
const PAUSE_MS = 400;
const RESTORING_MS = 5000;
const KEPT_MS = 3 * 24 * 3600 * 1000; // as in session.jsx, which deletes older ones
const SIGN_IN = "/connexion";
const SAVED_SINCE = "Des changements ont été enregistrés depuis\u00a0: ils restent, et seul ce que vous aviez changé est repris.";
const MOMENT = { day: "numeric", month: "long", hour: "2-digit", minute: "2-digit" };

// The drafts of all forms of the page: the router allows one blocker only, which asks all of them.
const openDrafts = new Set();
// The name of the draft that its form takes up as soon as it is opened.
let resumed = "";

// Storage can be full or forbidden: the form then works without a draft.
const orNull = (act) => {
  try {
    return act();
  } catch {
    return null;
  }
};
const write = (name, draft) => orNull(() => localStorage.setItem(PREFIX + name, JSON.stringify({ at: Date.now(), ...draft })));
const remove = (name) => orNull(() => localStorage.removeItem(PREFIX + name));
const read = (name) => {
  const kept = orNull(() => JSON.parse(localStorage.getItem(PREFIX + name)));
  return kept?.entries && Date.now() - kept.at < KEPT_MS ? kept : null;
};

/** The newest of the drafts named '{kind}:…', with its name; on the page of a record only that one's. */
const newest = (kind) => {
  const record = location.pathname.match(/[0-9a-f-]{36}$/)?.[0] ?? "";
  const names = orNull(() => Object.keys(localStorage)) ?? [];
  return names.filter((name) => name.startsWith(`${PREFIX}${kind}:${record}`))
    .map((name) => ({ ...read(name.slice(PREFIX.length)), name: name.slice(PREFIX.length) }))
    .filter(({ at }) => at).sort((one, other) => other.at - one.at)[0] ?? null;
};

const byName = (pairs) => {
  const entries = {};
  for (const [name, value] of pairs) entries[name] = name in entries ? [].concat(entries[name], value) : value;
  return entries;
};
const isDrafted = (field) => field.name && field.name !== "seen" && !["file", "submit", "button"].includes(field.type);
const isBox = (field) => ["checkbox", "radio"].includes(field.type);
const valueOf = (field) => (isBox(field) ? field.checked : field.value);
const isSame = (one, other) => JSON.stringify(one) === JSON.stringify(other);
/** Whether a draft changes a field: of a stored record only what was changed comes back, of a new one all. */
const isInDraft = ({ entries, opened }, name) => !entries.seen || !opened || !isSame(entries[name], opened[name]);
/** The entries of the form as it is now, with those that the draft changes. An absent entry is an unticked box. */
const withDraft = (draft, now) => Object.fromEntries(
  [...new Set([...Object.keys(now), ...Object.keys(draft.entries)])]
    .map((name) => [name, (isInDraft(draft, name) ? draft.entries : now)[name]])
    .filter(([, entry]) => entry !== undefined),
);
/** A draft that leaves alone what was typed into the form meanwhile and the draft itself never changed. */
const withTyped = (draft, formDraft) => {
  const now = formDraft.entries();
  const left = formDraft.typed().filter((name) => isSame(draft.entries[name], draft.opened?.[name]));
  return { ...draft, entries: { ...draft.entries, ...Object.fromEntries(left.map((name) => [name, now[name]])) } };
};
/** Whether the form shows all changes of a draft already; it does not while a field is still to come. */
const isShown = (form, draft, now) => [...[...form.elements].filter(isDrafted).map(({ name }) => name), ...Object.keys(draft.entries)]
  .every((name) => name === "seen" || !isInDraft(draft, name) || isSame(draft.entries[name], now[name]));
const isText = (field) => field.matches("textarea, input:not([type=hidden], [type=checkbox], [type=radio])");
const LONGEST_SAID = 60;
/** The first text of a form, which says whose draft it is. */
const firstText = (form) => ([...form.elements].find((field) => isText(field) && !field.matches("[type^=date]") && field.value.trim())
  ?.value ?? "").trim();
const shortened = (text) => (text.length > LONGEST_SAID ? `${text.slice(0, LONGEST_SAID).trim()}…` : text);
const firstField = (form) => form.querySelector("input:not([type=hidden]):not([type=file]), select, textarea");

/** Sets a field as typing would, so that React and the listeners of the form notice. */
function enter(field, value) {
  if (field.value === value) return;
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), "value").set.call(field, value);
  for (const kind of ["input", "change"]) field.dispatchEvent(new Event(kind, { bubbles: true }));
}

/**
 * Removes the submitted text from the text fields that still begin with it, and the submitted choice; what was typed
 * after it stays.
 */
function removeSubmitted(submitted) {
  for (const [field, value] of submitted) {
    if (field.type === "radio" && value && field.checked) {
      field.checked = false;
      submitted.set(field, false);
    }
    if (!value || !isText(field) || !field.value.startsWith(value)) continue;
    enter(field, field.value.slice(value.length));
    submitted.set(field, "");
  }
}

/** Fills what a draft changes, each field once: what was entered into it since stays. */
function fill(form, draft, filled) {
  const places = {};
  for (const field of [...form.elements].filter(isDrafted)) {
    if (!isInDraft(draft, field.name)) continue;
    const values = [].concat(draft.entries[field.name] ?? []);
    const place = places[field.name] ?? 0;
    places[field.name] = place + 1;
    if (filled.has(field)) continue;
    filled.add(field);
    if (isBox(field)) {
      if (values.includes(field.value) !== field.checked) field.click();
    } else if (place < values.length) enter(field, values[place]);
  }
}

/** Shows what was stored in the fields that still hold what was submitted: lists lose their empty entries. */
function showStored(submitted, stored) {
  for (const [field, value] of submitted) {
    if (!(field.name in stored) || field.value !== value) continue;
    enter(field, stored[field.name]);
    submitted.set(field, stored[field.name]);
  }
}

/** Also fills fields that are added after the restoration, until the person types or presses a button. */
function fillWithLateFields(form, draft) {
  const filled = new Set();
  fill(form, draft, filled);
  const additions = new MutationObserver(() => fill(form, draft, filled));
  const stop = () => {
    additions.disconnect();
    form.removeEventListener("input", typed);
    form.removeEventListener("click", pressed);
  };
  const typed = (event) => event.isTrusted && stop();
  const pressed = (event) => event.target.closest("button") && stop(); // scripted clicks of the rows' keys too
  additions.observe(form, { childList: true, subtree: true });
  form.addEventListener("input", typed);
  form.addEventListener("click", pressed);
  setTimeout(stop, RESTORING_MS);
}

/**
 * The initial value of each field, noted when the field is added; `entries` are those of the fields that are there.
 * `isChanged` compares with them; a removed field is a change too, unless it is derived from others.
 */
function initialValues(form) {
  const initials = new Map();
  const note = () => [...form.elements].filter(isDrafted).forEach((field) => {
    if (!initials.has(field)) initials.set(field, { value: valueOf(field), derived: field.closest("[data-derived]") });
  });
  const arrivals = new MutationObserver(note);
  const isChanged = () => {
    note();
    return [...initials].some(([field, initial]) =>
      form.contains(field) ? valueOf(field) !== initial.value : !initial.derived);
  };
  const entries = () => byName([...form.elements].filter((field) => initials.has(field)).flatMap((field) => {
    const { value } = initials.get(field);
    return isBox(field) ? (value ? [[field.name, field.value]] : []) : [[field.name, value]];
  }));
  const reset = (saved) => {
    initials.clear();
    note();
    saved?.forEach((value, field) => { if (initials.has(field)) initials.get(field).value = value; });
  };
  note();
  arrivals.observe(form, { childList: true, subtree: true });
  return { isChanged, entries, reset, end: () => arrivals.disconnect() };
}

/**
 * The draft of one open form, until `end`. `sent` is true from a submit to its answer, unless something is typed
 * meanwhile. When several tabs have the same form open, the last one that writes owns the draft.
 */
function openDraft(name, form, ask) {
  const initial = initialValues(form);
  const formDraft = { name, sent: false, isChanged: initial.isChanged };
  let opened = byName(entriesOf(form));
  let timer, passing = false, silent = false, ended = false;
  let own = false; // whether this form wrote the kept draft: an older one stays until something is typed

  formDraft.entries = () => byName(entriesOf(form));
  formDraft.keep = () => {
    clearTimeout(timer);
    if (formDraft.isChanged()) {
      write(name, { entries: formDraft.entries(), opened: { ...initial.entries(), ...opened }, text: shortened(firstText(form)) });
      own = true;
    } else if (own) formDraft.forget();
  };
  formDraft.forget = () => {
    remove(name);
    own = false;
  };
  formDraft.typed = () => {
    const now = formDraft.entries();
    return Object.keys({ ...opened, ...now }).filter((name) => !isSame(now[name], opened[name]));
  };
  formDraft.adopt = (draft) => {
    own = true;
    if (draft.opened) opened = draft.opened;
  };
  formDraft.values = () => new Map([...form.elements].filter(isDrafted).map((field) => [field, valueOf(field)]));
  // What was submitted is saved; what was typed since is not.
  formDraft.markSaved = (submitted, entries) => {
    formDraft.forget();
    opened = entries ?? formDraft.entries();
    initial.reset(formDraft.sent ? null : submitted);
    formDraft.sent = false;
    formDraft.keep();
  };

  const pass = (act) => {
    passing = true;
    act();
    passing = false;
  };
  const hold = (event, goOn) => {
    if (passing || !formDraft.isChanged()) return;
    event.preventDefault();
    event.stopPropagation();
    ask(() => () => pass(goOn));
  };
  const dialog = form.closest("dialog");
  const listeners = [
    [form, "input", (event) => {
      if (event.isTrusted) formDraft.sent = silent = false;
      clearTimeout(timer);
      timer = setTimeout(formDraft.keep, PAUSE_MS);
    }],
    [dialog, "dialogleave", (event) => hold(event, () => dialog.dispatchEvent(new Event("cancel", { cancelable: true })))],
    [document, "click", (event) => {
      const control = event.target.closest?.("[data-leaves-form]");
      if (control) hold(event, () => control.click());
    }],
    [window, "beforeunload", (event) => {
      if (!ended && formDraft.isChanged()) event.preventDefault();
    }],
    [window, "pagehide", () => !silent && formDraft.isChanged() && formDraft.keep()],
    // Signed out by the person: no draft is written any more, whatever events follow before the page is left.
    [window, "signout", () => {
      clearTimeout(timer);
      silent = true;
    }],
    [window, "sessionend", () => {
      if (!silent && formDraft.isChanged()) formDraft.keep();
      silent = ended = true;
    }],
  ].filter(([where]) => where);

  listeners.forEach(([where, kind, act]) => where.addEventListener(kind, act, where === document));
  openDrafts.add(formDraft);
  window.dispatchEvent(new Event("draftopen"));
  formDraft.end = (isSaved) => {
    listeners.forEach(([where, kind, act]) => where.removeEventListener(kind, act, where === document));
    openDrafts.delete(formDraft);
    initial.end();
    clearTimeout(timer);
    if (isSaved) formDraft.forget();
    else if (!silent) formDraft.keep();
    window.dispatchEvent(new Event("draftclose"));
  };
  return formDraft;
}

const button = (label, look, act, more) =>
  <button type="button" className={`button button-${look}`} onClick={act} {...more}>{label}</button>;

const DraftOffer = ({ at, isOlder, onRestore, onDelete }) => (
  <div className="banner banner-amber">
    <div className="banner-body">
      <p className="banner-title">
        {`Une saisie non enregistrée du ${new Intl.DateTimeFormat("fr-FR", MOMENT).format(at)} a été retrouvée.`}
      </p>
      {isOlder ? <p className="banner-text">{SAVED_SINCE}</p> : null}
    </div>
    <div className="placeholder-actions">
      {button("Reprendre", "secondary", onRestore)}
      {button("Effacer", "quiet", onDelete)}
    </div>
  </div>
);

const LeaveQuestion = ({ open, onStay, onLeave }) => (
  <Modal
    open={open} onClose={onStay} role="alertdialog" className="dialog dialog-confirm"
    title={"Quitter sans enregistrer\u00a0?"}
    description={"Votre saisie n’est pas enregistrée. Elle reste dans ce navigateur et vous sera proposée quand vous "
    + "rouvrirez ce formulaire."}
  >
    <div className="dialog-actions">
      {button("Continuer la saisie", "secondary", onStay, { "data-autofocus": "true" })}
      {button("Quitter", "danger", onLeave)}
    </div>
  </Modal>
);

/** See draft_form.py. */
export function DraftNote({ draft, onNew, onEdit }) {
  const [kept, setKept] = useState(null);
  useEffect(() => {
    const isOpen = () => [...openDrafts].some(({ name }) => name.startsWith(`${draft}:`));
    const tell = () => setKept(isOpen() ? null : newest(draft));
    const withdraw = () => setKept(null);
    const listeners = [["draftopen", tell], ["draftclose", tell], ["draftsdeleted", withdraw], ["signout", withdraw]];
    listeners.forEach(([kind, act]) => window.addEventListener(kind, act));
    tell();
    return () => listeners.forEach(([kind, act]) => window.removeEventListener(kind, act));
  }, []);
  const resume = () => {
    const id = kept.name.slice(draft.length + 1);
    resumed = kept.name;
    if (id === "new") onNew?.();
    else onEdit?.(id);
  };
  const drop = () => {
    remove(kept.name);
    setKept(newest(draft));
  };
  return (
    <div role="status" className={kept ? "draft-note" : "visually-hidden"}>
      {kept && <p>{kept.text ? `Saisie non enregistrée\u00a0: «\u00a0${kept.text}\u00a0».` : "Une saisie n’est pas enregistrée."}</p>}
      {kept && button("Reprendre", "quiet", resume)}
      {kept && button("Effacer", "quiet", drop)}
    </div>
  );
}

/** See draft_form.py. */
export function DraftForm({ draft, busy, attempt, saved = 0, stored = {}, again, onEntries, onRestore, children, ...rest }) {
  const top = useRef(null);
  const formDraft = useRef(null);
  const savedBefore = useRef(saved);
  const submitted = useRef(null);
  const entries = useRef(null);
  const now = useRef(saved);
  now.current = saved;
  const [offered, setOffered] = useState(null);
  const [goOn, ask] = useState(null);
  const blocker = useBlocker(({ currentLocation: from, nextLocation: to }) =>
    from.pathname !== to.pathname && !to.pathname.startsWith(SIGN_IN) && [...openDrafts].some((other) => other.isChanged()));

  useEffect(() => {
    if (!draft) return undefined;
    const form = top.current.closest("form");
    const begun = openDraft(draft, form, ask);
    const next = read(draft);
    const isKnown = next && isShown(form, next, begun.entries());
    if (isKnown) begun.forget();
    formDraft.current = begun;
    const offer = isKnown ? null : next && { ...next, isOlder: next.entries.seen !== begun.entries().seen };
    if (offer && resumed === draft) restore(offer);
    else setOffered(offer);
    resumed = "";
    return () => {
      formDraft.current = null;
      if (begun.sent) submitted.current = null;
      begun.end(now.current !== savedBefore.current);
    };
  }, [draft]);
  useEffect(() => {
    const held = document.activeElement; // an offer that goes moves it
    if (!top.current.closest("form").contains(held)) return;
    if (offered) top.current.querySelector("button").focus(); // to be answered first: the field may be far below it
    else held.scrollIntoView({ block: "nearest" });
  }, [offered]);
  useEffect(() => {
    const withdraw = () => setOffered(null); // it was another person's
    window.addEventListener("draftsdeleted", withdraw);
    return () => window.removeEventListener("draftsdeleted", withdraw);
  }, []);
  useEffect(() => {
    if (saved === savedBefore.current) return;
    savedBefore.current = saved;
    if (again && submitted.current) emptyFields();
    if (submitted.current) showStored(submitted.current, stored);
    formDraft.current?.markSaved(submitted.current, entries.current);
    setOffered(null);
  }, [saved]);

  const emptyFields = () => {
    removeSubmitted(submitted.current);
    const form = top.current.closest("form");
    if (document.activeElement === document.body || form.contains(document.activeElement)) firstField(form)?.focus();
  };
  const answered = () => {
    setOffered(null);
    firstField(top.current.closest("form"))?.focus();
  };
  const restore = (offer) => {
    const form = top.current.closest("form");
    const { entries: { seen }, opened } = offer;
    const taken = withTyped(offer, formDraft.current);
    // For what the state draws: the form as it is now with the changes, on the version that the draft was begun with.
    onRestore?.({ ...withDraft(taken, formDraft.current.entries()), seen, opened: opened && { ...opened, seen } });
    formDraft.current.adopt(taken);
    fillWithLateFields(form, taken);
    answered();
  };
  const drop = () => {
    formDraft.current.forget();
    formDraft.current.keep();
    answered();
  };
  const submit = (pairs) => {
    formDraft.current?.keep();
    if (formDraft.current) formDraft.current.sent = true;
    submitted.current = formDraft.current?.values();
    entries.current = byName(pairs);
    onEntries?.(entries.current);
  };
  const isBlocked = blocker.state === "blocked";
  const stay = () => (isBlocked ? blocker.reset() : ask(null));
  const leave = () => {
    if (isBlocked) return blocker.proceed();
    ask(null);
    return goOn?.();
  };

  const isAsked = isBlocked || goOn !== null;
  const offer = offered && <DraftOffer at={offered.at} isOlder={offered.isOlder} onRestore={() => restore(offered)} onDelete={drop} />;
  return [
    <EntriesForm key="form" {...rest} busy={busy} attempt={attempt} onEntries={submit}>
      <div ref={top} role="status" className={offered ? undefined : "visually-hidden"}>{offer}</div>
      {children}
    </EntriesForm>,
    // Outside the form, which may be in a hidden panel.
    isAsked && createPortal(<LeaveQuestion open onStay={stay} onLeave={leave} />, document.body, "question"),
  ];
}
