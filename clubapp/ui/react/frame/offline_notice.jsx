import { useEffect, useState } from "react";

const AGAIN_MS = 3000;

const answers = () => fetch("/health", { cache: "no-store" }).then(() => true, () => false);

/**
 * Its children while the server is out of reach: the socket is `broken`, which takes a while to be noticed, or the
 * browser says that it is offline and the server indeed does not answer (on one's own machine it still does).
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
      if (!isReached) timer = setTimeout(look, AGAIN_MS);
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
