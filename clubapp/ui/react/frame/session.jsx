import { createContext, createElement as h, useContext, useEffect, useRef, useState } from "react";
import { createPortal } from "react-dom";
import "$/public/external/clubapp/ui/react/overlays/modal/scroll_room.jsx";

const SIGN_IN = "/connexion";
const EXPIRED = `${SIGN_IN}?motif=expiree`;
const TABS = "club-session";
const NONCE = "club-nonce";
const ADDRESS = "club-address";
const DRAFT = "saisie:";
const DRAFTS_OF = "saisie-de";
const DRAFT_MS = 3 * 24 * 3600 * 1000; // as in draft_form.jsx
const REFRESH_EVERY = 10 * 60 * 1000;
const CHECK_EVERY = 30 * 1000;
const AFTER_SUCCESS = 1000;
const AFTER_FAILURE = 3000;
const UNREACHABLE = "Le site ne répond pas. Vérifiez votre connexion internet, puis réessayez.";

export async function post(path, body = {}) {
  try {
    const answer = await fetch(path, {
      method: "POST",
      credentials: "same-origin",
      cache: "no-store",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
    return await answer.json();
  } catch {
    return { status: "unreachable", text: UNREACHABLE };
  }
}

function nonce() {
  try {
    return localStorage.getItem(NONCE) ?? "";
  } catch {
    return "";
  }
}

// The tokens of the link that led here. They are removed from the address first, and sent only to /auth/redeem.
let link = null;

function takeLink() {
  const fragment = new URLSearchParams(location.hash.slice(1));
  link = {
    access_token: fragment.get("access_token") ?? "",
    refresh_token: fragment.get("refresh_token") ?? "",
    started: false,
  };
  if (location.hash) history.replaceState(history.state, "", location.pathname + location.search);
}

if (typeof window !== "undefined" && /\/callback\/?$/.test(location.pathname)) takeLink();

const BEGIN = { step: "begin", email: "", text: "" };
const Redemption = createContext(BEGIN);

/** Redeems the link this page was opened with, once; a pressed `[data-confirm]` inside it redeems it for good. */
export function Redeemer({ children, className }) {
  const [redemption, setRedemption] = useState(BEGIN);
  const show = (step, email = "", text = "") => setRedemption({ step, email, text });

  const redeem = async (confirmed) => {
    const { access_token, refresh_token } = link;
    show("checking");
    const answer = await post("/auth/redeem", { access_token, refresh_token, nonce: nonce(), confirmed });
    if (answer.status === "confirm") {
      show("confirm", answer.email, answer.text);
    } else if (answer.status === "ok") {
      show("done");
      setTimeout(() => location.replace(answer.next), AFTER_SUCCESS);
    } else {
      show("error", "", answer.text ?? UNREACHABLE);
      setTimeout(() => location.replace(SIGN_IN), AFTER_FAILURE);
    }
  };

  const begin = () => {
    if (link.started) return;
    link.started = true;
    redeem(false);
  };

  useEffect(() => {
    if (!link || location.hash) takeLink();
    begin();
    const follow = () => {
      if (!location.hash) return;
      takeLink();
      begin();
    };
    window.addEventListener("hashchange", follow);
    return () => window.removeEventListener("hashchange", follow);
  }, []);

  const onClick = (event) => event.target.closest("[data-confirm]") && redeem(true);
  return h(Redemption.Provider, { value: redemption }, h("div", { className, onClick }, children));
}

/** Its children while the redemption around it is at `step`, and has told `text` when that is given. */
export function RedemptionStep({ step, text, children }) {
  const shown = useContext(Redemption);
  return shown.step === step && (!text || shown.text === text) ? children : null;
}

/** What the redemption around it has told: its `email` or its `text`. */
export function RedemptionText({ of }) {
  return useContext(Redemption)[of];
}

/**
 * A form whose `code` is posted to `path`: the response sets the cookie, or its text goes to `onRefuse`. Without
 * `onAccept` the page is left for the person's own. `nonce` is the one kept in this browser unless given.
 */
export function CodeForm({ path = "/auth/code", nonce: given, onAccept, onRefuse, children, className }) {
  const [busy, setBusy] = useState(false);
  const submit = async (event) => {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    const code = new FormData(event.currentTarget).get("code") ?? "";
    const answer = await post(path, { code, nonce: given || nonce() });
    if (answer.status === "ok" && !onAccept) {
      location.replace(answer.next);
      return;
    }
    setBusy(false);
    if (answer.status === "ok") {
      onAccept();
      return;
    }
    onRefuse?.(answer.text ?? UNREACHABLE);
  };
  return h("form", { className, onSubmit: submit, "aria-busy": busy }, children);
}

// Where the page goes when its session has ended; without the expiry notice after a sign-out in another tab.
let exit = EXPIRED;
let address = "";

/** Keeps the address for the sign-in form of this tab, unless the person has signed out. */
function keepAddress(email) {
  try {
    if (email) sessionStorage.setItem(ADDRESS, email);
    else sessionStorage.removeItem(ADDRESS);
  } catch {
    // Storage is forbidden: the address is typed again.
  }
}

function leave() {
  if (exit === SIGN_IN) forgetDrafts(); // what was typed since the other tab signed out
  keepAddress(exit === EXPIRED ? address : "");
  window.dispatchEvent(new Event("sessionend"));
  location.replace(exit);
}

async function renew() {
  if ((await post("/auth/refresh")).status === "ended") leave();
  else exit = EXPIRED; // another tab tried to sign out, and failed
}

/** Deletes the drafts of draft_form.jsx that a rule of their time of writing names. */
function deleteDrafts(isDeleted) {
  try {
    Object.keys(localStorage).filter((key) => key.startsWith(DRAFT)).forEach((key) => {
      if (isDeleted(JSON.parse(localStorage.getItem(key))?.at ?? 0)) localStorage.removeItem(key);
    });
  } catch {
    // Storage is forbidden: there are no drafts.
  }
}

/** Deletes all drafts: the next person at this browser must not see them. */
function forgetDrafts() {
  window.dispatchEvent(new Event("signout"));
  deleteDrafts(() => true);
}

/** A number that tells two addresses apart and from which none is found again. */
const numberOf = (email) =>
  String([...email].reduce((number, letter) => (Math.imul(number, 31) + letter.codePointAt(0)) >>> 0, 7));

/** Deletes the drafts of another person, whose session ended here without a sign-out. */
function claimDrafts(email) {
  try {
    const before = localStorage.getItem(DRAFTS_OF);
    if (before && before !== numberOf(email)) {
      deleteDrafts(() => true);
      window.dispatchEvent(new Event("draftsdeleted"));
    }
    localStorage.setItem(DRAFTS_OF, numberOf(email));
  } catch {
    // Storage is forbidden: there are no drafts.
  }
}

if (typeof window !== "undefined") deleteDrafts((at) => Date.now() - at >= DRAFT_MS);

/** Calls `onKnown` with the address whose session has expired in this tab, if any. */
export function ExpiredAddress({ onKnown }) {
  useEffect(() => {
    try {
      const kept = location.search.includes("motif=expiree") && sessionStorage.getItem(ADDRESS);
      if (kept) onKnown?.(kept);
    } catch {
      // Storage is forbidden: the address is typed again.
    }
  }, []);
  return null;
}

/** Signs out by a plain form, so that the whole page is loaded anew; the other tabs are notified. */
export function SignOutForm({ action, children }) {
  const onSubmit = () => {
    forgetDrafts();
    keepAddress("");
    if (!("BroadcastChannel" in window)) return;
    const tabs = new BroadcastChannel(TABS);
    tabs.postMessage("out");
    tabs.close();
  };
  return h("form", { action, method: "post", onSubmit }, children);
}

/**
 * Keeps a signed-in page in step with its session. The server says how long is left (`endsIn`, in ms); this asks again
 * every 30 s, renews the cookie while the tab is visible, and leaves, like every other tab, when the session has ended.
 * Its children are rendered into the body, because the menu that holds it may be closed, or into the topmost dialog,
 * because the rest of the page is inert then: into one element that moves, so that a code that is being typed stays.
 */
export function SessionKeeper({ endsIn, email, onCheck, children }) {
  const check = useRef(onCheck);
  const [outside, setOutside] = useState(null);
  useEffect(() => { check.current = onCheck; });
  useEffect(() => {
    if (email) {
      address = email; // the state is emptied as soon as the session has ended
      keepAddress(email); // which the server may say first, on a page that is loaded anew
    }
    if (email) claimDrafts(email);
  }, [email]);

  useEffect(() => {
    const host = document.createElement("div");
    const place = () => {
      const dialog = [...document.querySelectorAll("dialog[open]")].at(-1);
      if (host.isConnected && host.parentElement === (dialog ?? document.body)) return;
      const focused = host.contains(document.activeElement) ? document.activeElement : null;
      if (dialog) dialog.prepend(host);
      else document.body.prepend(host);
      focused?.focus();
    };
    place();
    setOutside(host);
    window.addEventListener("dialogchange", place);
    return () => {
      window.removeEventListener("dialogchange", place);
      host.remove();
    };
  }, []);

  useEffect(() => {
    check.current?.();
    let renewed = Date.now();
    const visible = () => document.visibilityState === "visible";
    const look = () => {
      if (!visible()) return;
      check.current?.();
      if (Date.now() - renewed < REFRESH_EVERY) return;
      renewed = Date.now();
      renew();
    };
    const shown = (event) => event.persisted && renew();
    const tabs = "BroadcastChannel" in window ? new BroadcastChannel(TABS) : null;
    const onSignOut = ({ data }) => {
      if (data !== "out") return;
      exit = SIGN_IN;
      forgetDrafts();
      // The other tab's request may not have arrived yet.
      setTimeout(renew, 1000);
    };
    tabs?.addEventListener("message", onSignOut);
    const timer = setInterval(look, CHECK_EVERY);
    document.addEventListener("visibilitychange", look);
    window.addEventListener("pageshow", shown);
    return () => {
      clearInterval(timer);
      tabs?.close();
      document.removeEventListener("visibilitychange", look);
      window.removeEventListener("pageshow", shown);
      // Redirected to the sign-in page by the guard: the session has ended.
      if (location.pathname.replace(/\/+$/, "") === SIGN_IN) leave();
    };
  }, []);

  useEffect(() => {
    if (!endsIn) return undefined;
    const timer = setTimeout(renew, endsIn + 100);
    return () => clearTimeout(timer);
  }, [endsIn]);

  return outside && createPortal(h("aside", { "aria-label": "Session", className: "session-notice" }, children), outside);
}
