// What is fixed or sticky at an edge covers nothing that has the focus (A7): browsers scroll what takes the focus clear
// of the scroll padding, which follows the bars that are shown. Toasts stand above them.

const BARS = ".shortcuts, .selection-bar, .form-actions, .mail-form-end, .calendar-answer";
const FLOATING = ".selection-bar, .toasts, .offline";
const DIALOG_TOP = ".dialog-header, .session-notice";
const DIALOG_BOTTOM = ".dialog-foot, .dialog-actions, .form-actions";
const ROOM = 8; // for the ring of the focus
const LEAST_ABOVE = 24; // as in base.css

const SETTLED_MS = 150;

const known = new WeakMap();
let keepLast = () => {};
let barsBefore = null;

/** How far what is shown of these nodes reaches into the view from its `side`. */
const reach = (nodes, side) => Math.max(0, ...nodes.map((node) => {
  const style = getComputedStyle(node);
  const isBar = ["fixed", "sticky"].includes(style.position) && node.offsetHeight > 0;
  return isBar ? node.offsetHeight + parseFloat(style[side]) : 0;
}));

const inPage = (selector) => [...document.querySelectorAll(selector)].filter((node) => !node.closest("dialog"));

/** Whether a bar stands at an edge of the view, and not in its place in the text, where toasts may cover it. */
function isAtEdge(bar, view) {
  const { top, bottom } = bar.getBoundingClientRect();
  return getComputedStyle(bar).position === "fixed" || bottom >= view.bottom - 1 || top <= view.top + 1;
}

function keepInSight(scope, above, below, growth) {
  const node = document.activeElement;
  const view = scope === document.documentElement ? { top: 0, bottom: window.innerHeight } : scope.getBoundingClientRect();
  const bar = node.closest(`${BARS}, ${FLOATING}, ${DIALOG_TOP}, ${DIALOG_BOTTOM}`);
  if (!scope.contains(node) || node === document.body || (bar && isAtEdge(bar, view))) return;
  const { top, bottom, height } = node.getBoundingClientRect();
  const wasSeen = bottom > view.top - growth && top < view.bottom + growth;
  if (wasSeen && height < view.bottom - view.top - above - below) node.scrollIntoView({ block: "nearest" });
}

function leaveRoom(scope, above, below) {
  const [wasAbove, wasBelow] = known.get(scope) ?? [0, 0];
  if (above === wasAbove && below === wasBelow) return; // to write a style anew costs a look at the whole page
  known.set(scope, [above, below]);
  scope.style.scrollPadding = `${above}px 0 ${below}px`;
  const growth = Math.max(above - wasAbove, below - wasBelow);
  if (growth <= 0) return;
  keepInSight(scope, above, below, growth);
  const until = performance.now() + SETTLED_MS;
  keepLast = () => performance.now() < until && keepInSight(scope, above, below, growth);
}

function measurePage() {
  const root = document.documentElement;
  const bars = reach(inPage(BARS), "bottom");
  if (bars !== barsBefore) root.style.setProperty("--bars-below", `${bars}px`);
  barsBefore = bars;
  const floating = reach(inPage(FLOATING), "bottom");
  // So that the end of the page can be scrolled clear too; the shortcuts have their room.
  document.body.style.paddingBottom = `${Math.max(0, floating - reach(inPage(".shortcuts"), "bottom"))}px`;
  leaveRoom(root, Math.max(LEAST_ABOVE, reach(inPage(".session-notice"), "top") + ROOM), Math.max(bars, floating) + ROOM);
}

function measureDialog(dialog) {
  const within = (selector) => [...dialog.querySelectorAll(selector)];
  leaveRoom(dialog, reach(within(DIALOG_TOP), "top") + ROOM, reach(within(DIALOG_BOTTOM), "bottom") + ROOM);
}

function measure() {
  const dialog = [...document.querySelectorAll("dialog[open]")].at(-1);
  if (dialog) measureDialog(dialog);
  else measurePage();
}

let frame = null;

function measureSoon() {
  frame ??= requestAnimationFrame(() => {
    frame = null;
    measure();
  });
}

/** Browsers scroll to the caret only, with most of the field below the edge. */
function showWholeField({ key }) {
  const node = document.activeElement;
  if (key === "Tab" && node.localName === "textarea") node.scrollIntoView({ block: "nearest" });
}

if (typeof window !== "undefined") {
  window.addEventListener("keyup", showWholeField);
  new MutationObserver(measureSoon).observe(document.body, { childList: true, subtree: true });
  window.addEventListener("resize", measureSoon);
  // The room at the end of the page is there a little later than the padding that makes it.
  new ResizeObserver(() => {
    keepLast();
    keepLast = () => {};
  }).observe(document.body, { box: "border-box" });
  measureSoon();
}
