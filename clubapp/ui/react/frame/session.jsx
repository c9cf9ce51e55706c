import { createElement as h, useEffect, useRef, useState } from "react";
import { createPortal } from "react-dom";

const SIGN_IN = "/connexion";
const EXPIRED = `${SIGN_IN}?motif=expiree`;
const TABS = "club-session";
const NONCE = "club-nonce";
const REFRESH_EVERY = 10 * 60 * 1000;
const CHECK_EVERY = 30 * 1000;
const AFTER_SUCCESS = 1000;
const AFTER_FAILURE = 3000;
const UNREACHABLE = "Le site ne répond pas. Vérifiez votre connexion internet, puis réessayez.";

async function post(path, body = {}) {
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

// The tokens of the link that led here. They leave the address before anything else runs, and go to nobody
// but the server's own address for redeeming.
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

/** Redeems the link this page was opened with, once; a pressed `[data-confirm]` inside it redeems it for good. */
export function Redeemer({ onStep, children, className }) {
  const tell = useRef(onStep);
  useEffect(() => { tell.current = onStep; });

  const redeem = async (confirmed) => {
    const { access_token, refresh_token } = link;
    tell.current?.("checking", "", "");
    const answer = await post("/auth/redeem", { access_token, refresh_token, nonce: nonce(), confirmed });
    if (answer.status === "confirm") {
      tell.current?.("confirm", answer.email, "");
    } else if (answer.status === "ok") {
      tell.current?.("done", "", "");
      setTimeout(() => location.replace(answer.next), AFTER_SUCCESS);
    } else {
      tell.current?.("error", "", answer.text ?? UNREACHABLE);
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

  return h("div", { className, onClick: (event) => event.target.closest("[data-confirm]") && redeem(true) }, children);
}

/** A form whose `code` is sent to the server's own address: the answer sets the cookie, or is told to the screen. */
export function CodeForm({ onRefuse, children, className }) {
  const [busy, setBusy] = useState(false);
  const submit = async (event) => {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    const code = new FormData(event.currentTarget).get("code") ?? "";
    const answer = await post("/auth/code", { code, nonce: nonce() });
    if (answer.status === "ok") {
      location.replace(answer.next);
      return;
    }
    setBusy(false);
    onRefuse?.(answer.text ?? UNREACHABLE);
  };
  return h("form", { className, onSubmit: submit, "aria-busy": busy }, children);
}

// Where a page goes when its session has ended: the reason is not the same when the person signed out in another tab.
let exit = EXPIRED;

function leave() {
  if (exit === SIGN_IN) forgetDrafts(); // typed since the other tab was left
  window.dispatchEvent(new Event("sessionend"));
  location.replace(exit);
}

async function renew() {
  if ((await post("/auth/refresh")).status === "ended") leave();
  else exit = EXPIRED; // another tab wanted to sign out, and could not
}

/** What draft_form.jsx keeps is for whoever is signed in, not for the next person at this browser. */
function forgetDrafts() {
  window.dispatchEvent(new Event("signout"));
  try {
    Object.keys(localStorage).filter((key) => key.startsWith("saisie:")).forEach((key) => localStorage.removeItem(key));
  } catch {
    // A browser that keeps nothing has nothing to forget.
  }
}

/** Signs out by a plain form, so that the whole page is loaded anew; the other tabs are told. */
export function SignOutForm({ action, children }) {
  const tell = () => {
    forgetDrafts();
    if (!("BroadcastChannel" in window)) return;
    const tabs = new BroadcastChannel(TABS);
    tabs.postMessage("out");
    tabs.close();
  };
  return h("form", { action, method: "post", onSubmit: tell }, children);
}

/**
 * Keeps a signed-in page honest. The server says how long is left (`endsIn`, in ms); this asks again every 30 s,
 * renews the cookie while someone is looking, and leaves, with every other tab, when the session has ended.
 * Its children stand outside the page's frame, so that they are seen wherever the menu is folded.
 */
export function SessionKeeper({ endsIn, onCheck, children }) {
  const check = useRef(onCheck);
  const [outside, setOutside] = useState(null);
  useEffect(() => { check.current = onCheck; });

  useEffect(() => {
    setOutside(document.body);
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
    const told = () => {
      exit = SIGN_IN;
      forgetDrafts();
      // The other tab's request is still on its way.
      setTimeout(renew, 1000);
    };
    tabs?.addEventListener("message", told);
    const timer = setInterval(look, CHECK_EVERY);
    document.addEventListener("visibilitychange", look);
    window.addEventListener("pageshow", shown);
    return () => {
      clearInterval(timer);
      tabs?.close();
      document.removeEventListener("visibilitychange", look);
      window.removeEventListener("pageshow", shown);
      // Sent to the sign-in page without having asked for it: the session has ended.
      if (location.pathname.replace(/\/+$/, "") === SIGN_IN) leave();
    };
  }, []);

  useEffect(() => {
    if (!endsIn) return undefined;
    const timer = setTimeout(renew, endsIn + 100);
    return () => clearTimeout(timer);
  }, [endsIn]);

  const region = h("div", { role: "status" }, children);
  return outside && createPortal(h("aside", { "aria-label": "Session", className: "session-notice" }, region), outside);
}
