import { useEffect, useLayoutEffect, useRef } from "react";
import { Link, useLocation, useNavigationType } from "react-router";

// What every layout needs: menus, the takeover of the first paint, the change of screen. One file, because each file
// is a request more before the interface responds.

const bare = (path) => path.replace(/\/+$/, "") || "/";

/** A link that carries `aria-current` on its own screen. */
export function NavLink({ to, also = [], children, ...rest }) {
  const here = bare(useLocation().pathname);
  const current = [to, ...also].some((path) => path.startsWith("/") && !path.includes("#") && bare(path) === here);
  return <Link {...rest} to={to} aria-current={current ? "page" : undefined}>{children}</Link>;
}

const ID = "menu";

/**
 * A button and the native popover it opens: it works before any script has run, closes on Esc or a press outside, and
 * exposes whether it is open. Here it also closes when the screen changes.
 */
export function CollapsibleMenu({ label, className, children }) {
  const content = useRef(null);
  const { key } = useLocation();

  useEffect(() => content.current?.hidePopover?.(), [key]);

  // It opens right below its header, whose height varies; when it closes with the focus inside, the button gets it.
  const onBeforeToggle = ({ currentTarget, newState }) => {
    if (newState === "closed") {
      if (currentTarget.contains(document.activeElement)) currentTarget.previousElementSibling.focus();
      return;
    }
    const header = currentTarget.closest("header").getBoundingClientRect();
    currentTarget.style.top = `${header.bottom + window.scrollY}px`;
  };

  return (
    <div className={className}>
      <button type="button" className="fold-button" popoverTarget={ID}>
        <span className="fold-icon" aria-hidden />
        <span className="fold-label">{label}</span>
      </button>
      <div ref={content} id={ID} popover="auto" onBeforeToggle={onBeforeToggle} className="fold-content">
        {children}
      </div>
    </div>
  );
}

/** The field that React has rendered for a field of the first paint. */
function findField(field, paint) {
  return [...document.getElementsByName(field.name)].find((other) => !paint.contains(other));
}

const FOCUSABLE = "a[href], button, input:not([type=hidden])";

/** The element that React has rendered for one of the first paint: both have the same ones in the same order. */
function findCounterpart(node, paint, kind) {
  const index = [...paint.querySelectorAll(kind)].indexOf(node);
  return [...document.querySelectorAll(kind)].filter((other) => !paint.contains(other))[index];
}

/**
 * Returns what to do once the first paint is removed: open the menu that was open, focus what had the focus, and submit
 * the form that was submitted too early, which web/documents/first_paint/start.js has held.
 */
function readPosition(paint) {
  const focused = document.activeElement;
  const open = paint.querySelector(":popover-open");
  const menu = open && findCounterpart(open, paint, "[popover]");
  const target = paint.contains(focused) && findCounterpart(focused, paint, FOCUSABLE);
  // What is typed next replaces what was selected, or what the empty field has been filled with meanwhile.
  const isReplaced = String(getSelection()) === focused.value;
  const sent = [...paint.querySelectorAll("form")].find((form) => form.isHeld);
  const form = sent && findCounterpart(sent, paint, "form");
  return () => {
    menu?.showPopover();
    // At once: a key that is pressed before the next frame would reach nothing.
    if (target && target.localName === focused.localName) {
      target.focus({ preventScroll: true });
      if (isReplaced) target.select?.();
    }
    form?.requestSubmit();
  };
}

/** Copies what was typed into the first paint to the fields of React; what React has filled by itself stays. */
function transferInput(paint) {
  for (const field of paint.querySelectorAll("input[name]:not([type=hidden])")) {
    const target = findField(field, paint);
    if (!target || field.value === field.defaultValue || target.value === field.value) continue;
    target.value = field.value;
    target.dispatchEvent(new Event("input", { bubbles: true }));
  }
}

function removeAll(selector) {
  document.querySelectorAll(selector).forEach((node) => node.remove());
}

function removeFirstPaint() {
  const paint = document.getElementById("first-paint");
  if (paint) {
    transferInput(paint);
    const restorePosition = readPosition(paint);
    paint.remove();
    restorePosition();
  }
  removeAll("[data-first-paint]");
}

function leaveDocument() {
  removeFirstPaint();
  removeAll("[data-of-document]");
}

/**
 * Removes the first paint once React shows the same. Metadata of the document (`data-of-document`) stays until its
 * address is left.
 */
export function Takeover({ ready }) {
  const { pathname } = useLocation();
  useLayoutEffect(() => {
    if (!ready) return undefined;
    let timer = null;
    // A press ends on the node that it began on, or the browser makes no click of it.
    const removeWhenReleased = () => {
      if (document.querySelector("#first-paint :active")) timer = setTimeout(removeWhenReleased, 50);
      else removeFirstPaint();
    };
    removeWhenReleased();
    return () => clearTimeout(timer);
  }, [ready]);
  useLayoutEffect(() => leaveDocument, [pathname]);
  return null;
}

/** A button that is busy, or has nothing to do now, is `aria-disabled`: it keeps the focus, and presses are ignored. */
const ignorePress = (event) => {
  if (!event.target.closest?.('button[aria-disabled="true"]')) return;
  event.preventDefault();
  event.stopPropagation();
};

const REACHABLE = "a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex]";
const HEIR = "[data-heir]"; // takes the focus of what it replaces elsewhere on the screen
const SETTLED_MS = 60; // what moves the focus by itself has done so by then

const isReachable = (node) => node.matches(REACHABLE) && !node.matches(":disabled") && node.getClientRects().length > 0;
export const reachableIn = (node) =>
  node instanceof Element && node.isConnected ? [node, ...node.querySelectorAll(REACHABLE)].filter(isReachable) : [];

/** Has `places`, `after` and `before` the removed control, and `around`, what surrounded it, from the inside out. */
function successorOf({ places, after, before, around }) {
  const near = [...places.flatMap(reachableIn), ...reachableIn(after), ...reachableIn(before).reverse()];
  if (near.length) return near[0];
  for (const [index, node] of around.entries()) {
    if (!node.isConnected) continue;
    const main = node.matches("main, dialog") ? node : node.querySelector("main");
    if (main) return main.querySelector("h1, h2") ?? main;
    const inside = reachableIn(node).filter((each) => each !== node);
    const from = around[index - 1]; // it has nothing to be reached: the next control is taken, else the one before
    const isAfter = (each) => from.compareDocumentPosition(each) & Node.DOCUMENT_POSITION_FOLLOWING;
    if (inside.length) return from?.isConnected ? inside.find(isAfter) ?? inside.at(-1) : inside[0];
  }
  return document.querySelector("main h1") ?? document.querySelector("main");
}

/** Gives the focus of a control that is removed to what takes its place, else to what is nearest (A7). */
function keepFocus() {
  let held = null, around = [], lost = null;
  document.addEventListener("focusin", ({ target }) => {
    held = target;
    around = [];
    for (let node = target.parentElement; node; node = node.parentElement) around.push(node);
  });
  // A press beside it takes the focus away on purpose.
  document.addEventListener("focusout", ({ target, relatedTarget }) => relatedTarget || setTimeout(() => {
    if (held === target && target.isConnected && document.hasFocus()) held = null;
  }));
  new MutationObserver((changes) => {
    if (!held || held.isConnected || document.activeElement !== document.body) return;
    const [left, above] = [held, around];
    const own = changes.find(({ removedNodes }) =>
      [...removedNodes].some((node) => node === left || above.includes(node)));
    const added = changes.flatMap(({ addedNodes }) => [...addedNodes]).filter((node) => node instanceof Element);
    const heirs = added.flatMap((node) => [node, ...node.querySelectorAll(HEIR)]).filter((node) => node.matches(HEIR));
    const places = [...heirs, ...changes.filter((change) => change.target === own?.target).flatMap(({ addedNodes }) => [...addedNodes])];
    held = null;
    lost = { places, after: own?.nextSibling, before: own?.previousSibling, around: above };
    setTimeout(() => {
      if (document.activeElement === document.body && lost) focus(successorOf(lost), {});
      lost = null;
    }, SETTLED_MS);
  }).observe(document.body, { childList: true, subtree: true });
}

if (typeof window !== "undefined") {
  window.addEventListener("click", ignorePress, true);
  keepFocus();
}

// An area's document brings its style sheet (web/documents/html_shell.py).
const STYLED = ["admin", "member"];
const areaOf = (path) => path.split("/")[1];
const begunIn = typeof window === "undefined" ? "" : areaOf(window.location.pathname);

// Kept for the whole visit, because each screen mounts its own layout, and with it a new RouteFocus.
let lastLocation = null;

function focus(node, how = { preventScroll: true }) {
  if (!node) return;
  if (node.tabIndex < 0) node.tabIndex = -1;
  node.focus(how);
}

/** Focuses the field that the screen begins with, else its main heading; while it is missing, the content, then the heading unless the focus has moved. */
function focusHeading() {
  const main = document.querySelector("main");
  const heading = main?.querySelector("[data-autofocus]:not(dialog *)") ?? main?.querySelector("h1");
  focus(heading ?? main);
  if (heading?.dataset.autofocus) heading.scrollIntoView({ block: "nearest" });
  if (heading || !main) return undefined;
  const watch = new MutationObserver(() => {
    const arrived = main.querySelector("h1");
    if (!arrived) return;
    watch.disconnect();
    if ([main, document.body].includes(document.activeElement)) focus(arrived);
  });
  watch.observe(main, { childList: true, subtree: true });
  return () => watch.disconnect();
}

/** Focuses what leads to a screen, and says whether there is such a link. */
function focusLinkTo(path) {
  const link = document.querySelector(`main a[href="${CSS.escape(bare(path))}"]`);
  focus(link);
  return link !== null;
}

function anchorOf(hash) {
  try {
    return document.getElementById(decodeURIComponent(hash.slice(1)));
  } catch {
    return null;
  }
}

/**
 * On a change of screen: scroll to the top and focus the main heading, or the anchor of the address. The back button
 * finds the place that the screen was left at, where the router has scrolled to, and the link that was followed. `onArrive` is
 * called before anything can be pressed, so that it never resets what a press has done. Earlier presses are held by the
 * document's own script (web/documents/first_paint/start.js) until `isAlive` is true.
 */
export function RouteFocus({ onArrive }) {
  const { pathname, hash, key } = useLocation();
  const way = useNavigationType();
  useLayoutEffect(() => {
    const area = areaOf(pathname);
    if (area !== begunIn && STYLED.includes(area)) window.location.reload(); // come here by a redirect
    window.isAlive = true;
    onArrive?.();
  }, [pathname]);
  useEffect(() => {
    const before = lastLocation;
    lastLocation = { pathname, key };
    const anchor = hash && anchorOf(hash);
    if (anchor) {
      anchor.scrollIntoView();
      if (before) focus(anchor);
      return undefined;
    }
    if (!before || before.pathname === pathname) return undefined;
    if (way !== "POP") window.scrollTo(0, 0);
    else if (window.scrollY > 0 && focusLinkTo(before.pathname)) return undefined;
    return focusHeading();
  }, [pathname, hash, key]);
  return null;
}
