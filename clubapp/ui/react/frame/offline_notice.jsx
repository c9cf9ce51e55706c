import { useEffect, useState } from "react";

const RETRY_MS = 3000;

const answers = () => fetch("/health", { cache: "no-store" }).then(() => true, () => false);

/**
 * Shows its children while the server is unreachable: the socket is `broken`, which is detected late, or the browser
 * is offline and the server does not respond (on the same machine it still responds).
 */
export function OfflineNotice({ broken, children }) {
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
  return broken || isCut ? children : null;
}
