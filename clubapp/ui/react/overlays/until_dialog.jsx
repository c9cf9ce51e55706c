import { useEffect, useRef, useState } from "react";

// Names, because a message is mounted anew when it moves into or out of a dialog.
const dismissed = new Set();

/**
 * Shows an error until a dialog opens; one that appears together with a dialog stays in it. The event `errorshown`
 * lets forms unlock.
 */
export function UntilDialog({ name, onDismiss, children }) {
  const [, redraw] = useState(0);
  const onDismissNow = useRef(onDismiss);
  useEffect(() => { onDismissNow.current = onDismiss; });
  useEffect(() => { window.dispatchEvent(new Event("errorshown")); }, [name]);

  useEffect(() => {
    const dismiss = () => {
      if (dismissed.has(name)) return;
      dismissed.add(name);
      redraw((times) => times + 1);
      onDismissNow.current?.();
    };
    const settled = setTimeout(() => window.addEventListener("dialogopen", dismiss));
    return () => {
      clearTimeout(settled);
      window.removeEventListener("dialogopen", dismiss);
    };
  }, [name]);

  return dismissed.has(name) ? null : children;
}
