import { createElement as h, useEffect, useRef, useState } from "react";
import { tokenOfLink } from "$/public/external/clubapp/ui/react/answer/answer_token/answer_token.jsx";

const LATE_MS = 2500;
const RETRY_MS = 4000;
const RELOAD_MS = 15000;
const KEPT_MS = 3600000;

const slot = () => `said:${location.pathname.replace(/\/+$/, "")}`;

function keep(press) {
  try {
    if (press) sessionStorage.setItem(slot(), JSON.stringify(press));
    else sessionStorage.removeItem(slot());
  } catch {
    // Storage is forbidden: the press is lost when the document is left.
  }
}

/** The press kept before a reload, unless it is old or belongs to another invitation. */
function kept() {
  try {
    const press = JSON.parse(sessionStorage.getItem(slot()));
    return press && press.link === tokenOfLink() && Date.now() - press.at < KEPT_MS ? press : null;
  } catch {
    return null;
  }
}

function markPressed(press) {
  const page = document.querySelector(".answer");
  page?.toggleAttribute("data-pending", Boolean(press));
  page?.setAttribute("aria-busy", String(Boolean(press)));
  for (const button of document.querySelectorAll("button[data-say]")) {
    button.toggleAttribute("data-pressed", button.dataset.say === press?.said);
  }
}

function pressOf(target) {
  const [what, value] = target.dataset.say.split(":");
  const field = target.tagName === "FORM" ? target.elements.namedItem(value).value : value;
  const id = Math.random().toString(36).slice(2) + Date.now().toString(36);
  return { id, what, value: field, said: target.dataset.say, at: Date.now(), link: tokenOfLink() };
}

/**
 * Sends what is pressed on `[data-say]`, such as "attend:oui", and sends it again until the server returns its id in
 * `handled`. Further presses are ignored until then. A press survives a lost connection; when the server answers over
 * HTTP but not over the socket, the page is reloaded, and the kept press is sent again.
 */
export function AnswerSender({ handled, step, lateText, onAttend, onLunch, onGuests }) {
  const [press, setPress] = useState(null);
  const [isLate, setLate] = useState(false);
  const now = useRef({});
  const note = useRef(null);
  const held = useRef(null); // the current press, before React renders: a key may press again first
  now.current = { step, attend: onAttend, lunch: onLunch, guests: onGuests };

  const send = ({ id, what, value }) => now.current[what]?.(what === "guests" ? value : value === "oui", id);
  const hold = (made) => {
    held.current = made;
    keep(made);
    setPress(made);
  };
  const begin = (made) => {
    hold(made);
    send(made);
  };

  useEffect(() => {
    const onPress = (event) => {
      const target = event.target.closest?.("[data-say]");
      if (!target || (target.tagName === "FORM") !== (event.type === "submit")) return;
      event.preventDefault();
      if (!held.current) begin({ ...pressOf(target), step: now.current.step });
    };
    document.addEventListener("click", onPress);
    document.addEventListener("submit", onPress);
    return () => {
      document.removeEventListener("click", onPress);
      document.removeEventListener("submit", onPress);
    };
  }, []);

  useEffect(() => {
    if (held.current && handled === held.current.id) hold(null);
  }, [handled, press]);

  useEffect(() => {
    if (!step || held.current) return;
    const before = kept();
    if (!before) return;
    if (before.step === step) begin(before);
    else keep(null); // the question has been answered since
  }, [step]);

  useEffect(() => {
    markPressed(press);
    setLate(false);
    if (!press) return undefined;
    let wait = RETRY_MS;
    let timer = setTimeout(function again() {
      send(press);
      wait *= 2;
      timer = setTimeout(again, wait);
    }, wait);
    const lateness = setTimeout(() => setLate(true), navigator.onLine ? LATE_MS : 0);
    const reload = setTimeout(async () => {
      const answer = await fetch("/health", { cache: "no-store" }).catch(() => null);
      if (answer?.ok && held.current) location.reload();
    }, RELOAD_MS);
    return () => [timer, lateness, reload].forEach(clearTimeout);
  }, [press]);

  useEffect(() => {
    if (isLate) note.current.scrollIntoView({ block: "nearest" });
  }, [isLate]);

  return h("div", { role: "status" }, isLate ? h("p", { ref: note, className: "answer-kept" }, lateText) : null);
}
