import { useEffect, useRef, useState } from "react";
import { useLocation } from "react-router";

const EXTENSION_MS = 1500;
const SHOWN = "toasts";
const MOST_NOTED = 20;

// Storage can be forbidden: a message may then be shown again after a reload.
const orNull = (act) => {
  try {
    return act();
  } catch {
    return null;
  }
};
const noted = () => orNull(() => JSON.parse(sessionStorage.getItem(SHOWN))) ?? [];
const note = (name) =>
  orNull(() => sessionStorage.setItem(SHOWN, JSON.stringify([...noted(), name].slice(-MOST_NOTED))));

// What was shown before the document was loaded, and by name the messages of this document: a message is mounted anew
// when it moves out of a dialog, and its time goes on.
const shownBefore = new Set(typeof window === "undefined" ? [] : noted());
const lives = new Map();

const bare = (path) => path.replace(/\/+$/, "") || "/";

function lifeOf(name, path, leadsTo) {
  if (!lives.has(name)) {
    lives.set(name, { since: Date.now(), paths: [path, leadsTo], isOver: shownBefore.has(name) });
    if (!shownBefore.has(name)) note(name);
  }
  const life = lives.get(name);
  if (!life.paths.includes(path)) life.isOver = true;
  return life;
}

/**
 * Shows a message once: for `after` ms since it first appeared, longer while it is hovered or focused, or without an
 * end if `after` is 0; and in any case until a dialog opens, the page is reloaded or the screen is left, for another one
 * than `leadsTo`. Then calls
 * `onEnd`. The event `errorshown` lets forms unlock; `successshown` says that something was done.
 */
export function ToastLife({ name, leadsTo, after, isError, onEnd, children }) {
  const path = bare(useLocation().pathname);
  const life = lifeOf(name, path, leadsTo);
  const mark = useRef(null);
  const [, redraw] = useState(0);
  const onEndNow = useRef(onEnd);
  useEffect(() => { onEndNow.current = onEnd; });

  useEffect(() => {
    if (life.isOver) {
      onEndNow.current?.();
      return undefined;
    }
    window.dispatchEvent(new Event(isError ? "errorshown" : "successshown"));
    let timer;
    const end = () => {
      life.isOver = true;
      redraw((times) => times + 1);
      onEndNow.current?.();
    };
    const isRead = () => mark.current?.parentElement?.matches(":hover, :focus-within");
    const endUnlessRead = () => {
      if (isRead()) timer = setTimeout(endUnlessRead, EXTENSION_MS);
      else end();
    };
    if (after) timer = setTimeout(endUnlessRead, Math.max(0, life.since + after - Date.now()));
    // A message that appears together with a dialog stays in it.
    const settled = setTimeout(() => window.addEventListener("dialogopen", end));
    return () => {
      clearTimeout(timer);
      clearTimeout(settled);
      window.removeEventListener("dialogopen", end);
    };
  }, [name, path]);

  return life.isOver ? null : <div ref={mark} className="toast-life">{children}</div>;
}
