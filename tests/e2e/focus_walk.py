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
_KEYS = "+".join(["Tab"] * _AT_ONCE)  # as when the key is held down

_STOPS = """
    const KINDS = "a[href], button, input, select, textarea, summary, [tabindex]";
    const TALL = 100;
    const scope = [...document.querySelectorAll(":modal")].at(-1) ?? document;
    // The keys pressed in a frame are not heard here.
    const isStop = (node) => node.tabIndex >= 0 && node.type !== "radio" && !node.matches(":disabled, iframe")
        && !node.closest("[inert]") && node.checkVisibility({ visibilityProperty: true });
    const stops = () => [...scope.querySelectorAll(KINDS)].filter(isStop);
    const named = (node) => `<${node.localName} ${node.name || node.className}> `
        + (node.ariaLabel || node.innerText || "").trim().slice(0, 50);
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
    // The link past the menu slides in and out, which takes a frame even where nothing is to move. And the key is let
    // go: of many pressed at once, the browser says that at the end.
    const arrive = (node) => {
        node.dispatchEvent(new KeyboardEvent("keyup", { key: "Tab", bubbles: true }));
        document.getAnimations().filter((each) => each.effect?.getComputedTiming().iterations !== Infinity)
            .forEach((each) => each.finish());
    };
"""
# What has the focus is judged when Tab leaves it: by then the browser has scrolled.
_WALK = f"""() => {{{_STOPS}
    const walk = window.walk = {{ faults: [], seen: 0, isDone: false }};
    const first = stops()[0];
    let last = null;
    const leave = () => {{
        const node = document.activeElement;
        arrive(node);
        if (walk.isDone) return;
        if (node === document.body && last && !last.isConnected) {{
            last = null; // replaced at this moment, with what it showed: the focus is handed on in a moment
        }} else if (node === document.body) {{
            const left = last ? stops().filter((one) => last.compareDocumentPosition(one) & 4) : [];
            if (left.length && !last?.contains(left[0])) walk.faults.push(`lost after ${{named(last)}}`);
            walk.isDone = true;
        }} else if (walk.seen && node === first) {{
            walk.isDone = true;
        }} else {{
            walk.seen += 1;
            last = node;
            if (!isSeen(node)) walk.faults.push(`hidden: ${{named(node)}}`);
        }}
    }};
    walk.end = () => window.removeEventListener("keydown", leave, true);
    window.addEventListener("keydown", leave, true);
    first?.focus();
    if (!first) walk.isDone = true;
}}"""
# The same without a key: what is given the focus by script is scrolled to in the same way.
_GIVE_EACH = f"""() => {{{_STOPS}
    const isHidden = (node) => {{
        node.focus();
        arrive(node);
        return document.activeElement === node && !isSeen(node);
    }};
    return stops().filter(isHidden).map((node) => `hidden: ${{named(node)}}`);
}}"""


def hidden_or_lost(page: Page) -> list[str]:
    """The controls that are out of view or covered while they have the focus, and those after which it is lost."""
    page.evaluate(SETTLED)
    return walk_by_keys(page)


def walk_by_keys(page: Page) -> list[str]:
    """The same of a page that does not scroll by itself."""
    page.wait_for_function(AT_REST)
    page.evaluate(_WALK)
    for _ in range(0, MOST_STEPS, _AT_ONCE):
        if page.evaluate("window.walk.isDone"):
            break
        page.keyboard.press(_KEYS)
    found = page.evaluate("() => { walk.end(); return walk.isDone ? walk.faults : [...walk.faults, 'endless'] }")
    assert page.evaluate("window.walk.seen") > 0, page.url
    return found


def hidden(page: Page) -> list[str]:
    """The controls that are out of view or covered while they have the focus, where the keys were tried already."""
    page.wait_for_function(AT_REST)
    return page.evaluate(_GIVE_EACH)
