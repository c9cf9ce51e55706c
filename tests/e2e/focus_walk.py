"""A walk with the Tab key over everything that takes the focus, in the dialog on top or on the whole page (A7, A8)."""

from playwright.sync_api import Page

from tests.e2e.invitation_steps import AT_REST

MOST_STEPS = 600
# What was pressed keeps the focus or handed it on, and it is in view.
HOLDS_FOCUS = """() => {
    const node = document.activeElement;
    const box = node.getBoundingClientRect();
    return node !== document.body && box.bottom > 0 && box.top < innerHeight;
}"""
# Ten frames in which the page does not scroll.
SETTLED = """() => new Promise((resolve) => {
  let [at, still] = [scrollY, 0];
  const look = () => {
    still = scrollY === at ? still + 1 : 0;
    at = scrollY;
    if (still < 10) requestAnimationFrame(look);
    else resolve();
  };
  look();
})"""
_AT_ONCE = 12

# What has the focus is judged when Tab leaves it: by then the browser has scrolled.
_WALK = """() => {
    const KINDS = "a[href], button, input, select, textarea, summary, [tabindex]";
    const TALL = 100;
    const walk = window.walk = { faults: [], seen: 0, isDone: false };
    const scope = [...document.querySelectorAll(":modal")].at(-1) ?? document;
    // The keys pressed in a frame are not heard here.
    const isStop = (node) => node.tabIndex >= 0 && node.type !== "radio" && !node.matches(":disabled, iframe")
        && !node.closest("[inert]") && node.checkVisibility({ visibilityProperty: true });
    const stops = () => [...scope.querySelectorAll(KINDS)].filter(isStop);
    const named = (node) => `<${node.localName} ${node.name || node.className}> `
        + (node.ariaLabel || node.innerText || "").trim().slice(0, 50);
    const first = stops()[0];
    let last = null;

    const boxOf = (node) => {
        const box = node.getClientRects()[0] ?? node.getBoundingClientRect();
        return box.width > 2 ? box : (node.labels?.[0] ?? node.parentElement).getBoundingClientRect();
    };
    const isSeen = (node) => {
        const { left, right, top, bottom } = boxOf(node);
        // Browsers scroll sideways only to what shows less than 32 pixels.
        const x = (Math.max(left, 0) + Math.min(right, innerWidth)) / 2;
        // Of something tall, such as a text of twenty lines, a part is enough.
        const heights = bottom - top > TALL ? [top + 20, (top + bottom) / 2, bottom - 20] : [(top + bottom) / 2];
        return heights.map((y) => document.elementFromPoint(x, y)).some((above) => above && (node.contains(above)
            || above.contains(node) && above.matches("a, button, label, summary")
            || [...(node.labels ?? [])].some((label) => label.contains(above))));
    };
    // The link past the menu slides in and out, which takes a frame even where nothing is to move.
    const arrive = () => document.getAnimations()
        .filter((each) => each.effect?.getComputedTiming().iterations !== Infinity).forEach((each) => each.finish());
    const leave = () => {
        arrive();
        const node = document.activeElement;
        if (walk.isDone) return;
        if (node === document.body && last && !last.isConnected) {
            last = null; // replaced at this moment, with what it showed: the focus is handed on in a moment
        } else if (node === document.body) {
            const left = last ? stops().filter((one) => last.compareDocumentPosition(one) & 4) : [];
            if (left.length && !last?.contains(left[0])) walk.faults.push(`lost after ${named(last)}`);
            walk.isDone = true;
        } else if (walk.seen && node === first) {
            walk.isDone = true;
        } else {
            walk.seen += 1;
            last = node;
            if (!isSeen(node)) walk.faults.push(`hidden: ${named(node)}`);
        }
    };
    walk.end = () => window.removeEventListener("keydown", leave, true);
    window.addEventListener("keydown", leave, true);
    first?.focus();
    if (!first) walk.isDone = true;
}"""


def hidden_or_lost(page: Page) -> list[str]:
    """The controls that are out of view or covered while they have the focus, and those after which it is lost."""
    page.wait_for_function(AT_REST)
    page.evaluate(SETTLED)
    page.evaluate(_WALK)
    for _ in range(0, MOST_STEPS, _AT_ONCE):
        if page.evaluate("window.walk.isDone"):
            break
        for _ in range(_AT_ONCE):
            page.keyboard.press("Tab")
    found = page.evaluate("() => { walk.end(); return walk.isDone ? walk.faults : [...walk.faults, 'endless'] }")
    assert page.evaluate("window.walk.seen") > 0, page.url
    return found
