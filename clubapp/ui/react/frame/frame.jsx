import { useEffect, useLayoutEffect, useRef } from "react";
import { Link, useLocation } from "react-router";

// What the frame of every screen does: menus, the takeover from the first paint, the change of screen. One file, for
// each file is a request of its own before the interface comes alive.

const bare = (path) => path.replace(/\/+$/, "") || "/";

/** A link that says it leads to the screen one is on. */
export function NavLink({ to, also = [], children, ...rest }) {
  const here = bare(useLocation().pathname);
  const current = [to, ...also].some((path) => path.startsWith("/") && !path.includes("#") && bare(path) === here);
  return <Link {...rest} to={to} aria-current={current ? "page" : undefined}>{children}</Link>;
}

const ID = "menu";

/**
 * A button and what it shows, by the browser's own means: it works before any script has run, closes on Esc and when
 * something outside is pressed, and says whether it is open. Here it also closes when the screen changes.
 */
export function CollapsibleMenu({ label, className, children }) {
  const content = useRef(null);
  const { key } = useLocation();

  useEffect(() => content.current?.hidePopover?.(), [key]);

  // It opens right below its header, however tall a long name makes that; closed, it leaves the focus to its button.
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
        {label}
      </button>
      <div ref={content} id={ID} popover="auto" onBeforeToggle={onBeforeToggle} className="fold-content">
        {children}
      </div>
    </div>
  );
}

/** The field of React's that stands for one of the first paint. */
function twin(field, paint) {
  return [...document.getElementsByName(field.name)].find((other) => !paint.contains(other));
}

const REACHED = "a[href], button, input:not([type=hidden])";

/** What React has in the place of a node of the first paint: both hold the same, in the same order. */
function heirOf(node, paint, kind) {
  const place = [...paint.querySelectorAll(kind)].indexOf(node);
  return [...document.querySelectorAll(kind)].filter((other) => !paint.contains(other))[place];
}

/**
 * What to do once the first paint is gone: an open menu stays open, whoever moves by keyboard stays where they are, and
 * a form that was sent too early (web/documents/first_paint/start.js holds it) is sent.
 */
function placeIn(paint) {
  const held = document.activeElement;
  const open = paint.querySelector(":popover-open");
  const menu = open && heirOf(open, paint, "[popover]");
  const heir = paint.contains(held) && heirOf(held, paint, REACHED);
  const sent = [...paint.querySelectorAll("form")].find((form) => form.isHeld);
  const form = sent && heirOf(sent, paint, "form");
  return () => {
    menu?.showPopover();
    form?.requestSubmit();
    if (heir && heir.localName === held.localName) requestAnimationFrame(() => heir.focus({ preventScroll: true }));
  };
}

/** What was typed before the interface had started goes along. */
function handOver(paint) {
  for (const field of paint.querySelectorAll("input[name]:not([type=hidden])")) {
    const heir = twin(field, paint);
    if (!heir) continue;
    if (heir.value !== field.value) {
      heir.value = field.value;
      heir.dispatchEvent(new Event("input", { bubbles: true }));
    }
  }
}

function removeAll(selector) {
  document.querySelectorAll(selector).forEach((node) => node.remove());
}

function removeFirstPaint() {
  const paint = document.getElementById("first-paint");
  if (paint) {
    handOver(paint);
    const keepPlace = placeIn(paint);
    paint.remove();
    keepPlace();
  }
  removeAll("[data-first-paint]");
}

function leaveDocument() {
  removeFirstPaint();
  removeAll("[data-of-document]");
}

/**
 * Removes what the server wrote for the first paint once React shows the same. What describes the document to
 * machines stays until its address is left.
 */
export function Takeover({ ready }) {
  const { pathname } = useLocation();
  useLayoutEffect(() => {
    if (ready) removeFirstPaint();
  }, [ready]);
  useLayoutEffect(() => leaveDocument, [pathname]);
  return null;
}

// One for the whole visit: each screen brings its own layout, and with it a new RouteFocus.
let seen = null;

function focus(node) {
  if (!node) return;
  if (!node.hasAttribute("tabindex")) node.tabIndex = -1;
  node.focus({ preventScroll: true });
}

/** The main heading; while it is still on its way the content, and then the heading unless someone moved on. */
function focusHeading() {
  const main = document.querySelector("main");
  const heading = main?.querySelector("h1");
  focus(heading ?? main);
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

function anchorOf(hash) {
  try {
    return document.getElementById(decodeURIComponent(hash.slice(1)));
  } catch {
    return null;
  }
}

/**
 * On a change of screen: top of the page and focus on the main heading, or on the anchor of the address. `onArrive`
 * is asked for before anything can be pressed: what a screen loads comes after what was pressed on it meanwhile. What
 * was pressed before this is held by the document's own script (web/documents/first_paint/start.js), which `isAlive` lets go.
 */
export function RouteFocus({ onArrive }) {
  const { pathname, hash, key } = useLocation();
  useLayoutEffect(() => {
    window.isAlive = true;
    onArrive?.();
  }, [pathname]);
  useEffect(() => {
    const before = seen;
    seen = { pathname, key };
    const anchor = hash && anchorOf(hash);
    if (anchor) {
      anchor.scrollIntoView();
      if (before) focus(anchor);
      return undefined;
    }
    if (!before || before.pathname === pathname) return undefined;
    window.scrollTo(0, 0);
    return focusHeading();
  }, [pathname, hash, key]);
  return null;
}
