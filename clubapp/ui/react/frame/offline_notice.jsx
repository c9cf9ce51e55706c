import { createElement as h, useEffect, useRef, useState } from "react";
import { useLocation } from "react-router";

const RETRY_MS = 3000;
const READ_MS = 6000; // as long as its sentence takes to read
const MISSED = "screenmissed"; // sent by the guard of `menu_link.jsx`
const BLOCKED_MS = 4000; // with what a page takes to come alive, five seconds after it was opened
// The second step of a sign-in too; asking for a mail and opening its link go without.
const NEEDS_SOCKET = /^\/(admin|member|auth\/adresse|connexion\/verification)(\/(?!login|callback)|$)/;

const health = () => fetch("/health", { cache: "no-store" });
const answers = () => health().then(() => true, () => false);

const FULL = "full", BLOCKED = "blocked";
const CROSS = h("svg", { viewBox: "0 0 20 20", width: 20, height: 20, "aria-hidden": true },
  h("path", { d: "M5 5l10 10M15 5L5 15", stroke: "currentColor", strokeWidth: 2, strokeLinecap: "round" }));

/**
 * Why no socket could be opened for a while although the site answers: "full", too many from this address, or
 * "blocked", never one on this network. A browser does not say why a socket was refused: the site is asked.
 */
function useRefusal(connected) {
  const [refusal, setRefusal] = useState("");
  const hasConnected = useRef(false);
  if (connected) hasConnected.current = true;
  useEffect(() => {
    setRefusal("");
    if (connected) return undefined;
    let left = false;
    const timer = setInterval(async () => {
      const answer = NEEDS_SOCKET.test(location.pathname) && await health().catch(() => null);
      if (left) return;
      const isFull = answer && answer.headers.get("X-Club-Connections") === FULL;
      setRefusal(isFull ? FULL : answer?.ok && !hasConnected.current ? BLOCKED : "");
    }, BLOCKED_MS);
    return () => {
      left = true;
      clearInterval(timer);
    };
  }, [connected]);
  return refusal;
}

/** Names the socket's address and its port. */
function named(text) {
  const port = location.port || (location.protocol === "https:" ? "443" : "80");
  return text.replace("{address}", location.origin.replace(/^http/, "ws")).replace("{port}", port);
}

/** Whether a screen could not be opened for want of a network: said until it is read, or another one is opened. */
function useMissedScreen() {
  const [isMissed, setMissed] = useState(false);
  const { pathname } = useLocation();
  useEffect(() => setMissed(false), [pathname]);
  useEffect(() => {
    let timer;
    const tell = () => {
      setMissed(true);
      clearTimeout(timer);
      timer = setTimeout(setMissed, READ_MS, false);
    };
    window.addEventListener(MISSED, tell);
    return () => {
      clearTimeout(timer);
      window.removeEventListener(MISSED, tell);
    };
  }, []);
  return isMissed;
}

/**
 * Shows its children while the server is unreachable: the socket is `broken`, which is detected late, or the browser
 * is offline and the server does not respond (on the same machine it still responds). It shows `missed` in their place
 * when a screen was asked for that could not be fetched.
 */
export function OfflineNotice({ broken, connected, blocked, full, missed, children }) {
  const refusal = useRefusal(connected);
  const isMissed = useMissedScreen();
  const [isCut, setCut] = useState(false);
  const [closed, setClosed] = useState("");
  useEffect(() => setClosed(""), [connected]);
  useEffect(() => {
    let timer;
    let left = false;
    const look = async () => {
      clearTimeout(timer);
      const isReached = navigator.onLine || await answers();
      if (left) return;
      setCut(!isReached);
      if (!isReached) timer = setTimeout(look, RETRY_MS);
    };
    window.addEventListener("offline", look);
    window.addEventListener("online", look);
    if (!navigator.onLine) look();
    return () => {
      left = true;
      clearTimeout(timer);
      window.removeEventListener("offline", look);
      window.removeEventListener("online", look);
    };
  }, []);
  if (isMissed) return h("p", { className: "offline-banner offline-missed" }, missed);
  if (!refusal) return broken || isCut ? children : null;
  if (refusal === closed) return null;
  const close = () => {
    setClosed(refusal);
    document.querySelector("main")?.focus();
  };
  return h("div", { className: "offline-banner offline-refusal" },
    h("p", null, refusal === FULL ? full : named(blocked)),
    h("button", { type: "button", className: "icon-button", "aria-label": "Fermer le message", onClick: close }, CROSS));
}
