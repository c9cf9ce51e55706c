import { createElement as h, useEffect, useRef, useState } from "react";

const RETRY_MS = 3000;
const BLOCKED_MS = 5000;
const NEEDS_SOCKET = /^\/(admin|member|auth)(\/(?!login)|$)/;

const health = () => fetch("/health", { cache: "no-store" });
const answers = () => health().then(() => true, () => false);

/** Whether no socket could be opened for a while on a network that lets the rest of the site through. */
function useBlocked(connected) {
  const [isBlocked, setBlocked] = useState(false);
  const hasConnected = useRef(false);
  if (connected) hasConnected.current = true;
  useEffect(() => {
    if (hasConnected.current) {
      setBlocked(false);
      return undefined;
    }
    const timer = setInterval(async () => {
      const answer = NEEDS_SOCKET.test(location.pathname) && await health().catch(() => null);
      setBlocked(Boolean(answer?.ok) && !hasConnected.current);
    }, BLOCKED_MS);
    return () => clearInterval(timer);
  }, [connected]);
  return isBlocked;
}

/** Names the socket's address and its port. */
function named(text) {
  const port = location.port || (location.protocol === "https:" ? "443" : "80");
  return text.replace("{address}", location.origin.replace(/^http/, "ws")).replace("{port}", port);
}

/**
 * Shows its children while the server is unreachable: the socket is `broken`, which is detected late, or the browser
 * is offline and the server does not respond (on the same machine it still responds).
 */
export function OfflineNotice({ broken, connected, blocked, children }) {
  const isBlocked = useBlocked(connected);
  const [isCut, setCut] = useState(false);
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
  if (isBlocked) return h("p", { className: "offline-banner" }, named(blocked));
  return broken || isCut ? children : null;
}
