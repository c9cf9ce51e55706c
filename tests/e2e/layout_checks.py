"""What stands where: sizes of screens, boxes, and what sticks out when letters are set apart."""

from playwright.sync_api import FloatRect, Locator, Page

from tests.e2e.invitation_steps import AT_REST

HEIGHTS = {1280: 800, 390: 844, 320: 568}
# Of WCAG 1.4.12.
SPACING = """* {
    line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important;
} p { margin-bottom: 2em !important; }"""
# What is on top.
SCOPE = 'const scope = [...document.querySelectorAll(":modal")].at(-1) ?? document.body;'
_CUT_OFF = f"""() => {{
    {SCOPE}
    const isMoved = (node) => node && node !== scope
        && (["auto", "scroll"].includes(getComputedStyle(node).overflowX) || isMoved(node.parentElement));
    const isOut = (node) => {{
        const {{ left, right, width }} = node.getBoundingClientRect();
        return width > 1 && (right > innerWidth + 1 || left < -1) && node.checkVisibility() && !isMoved(node)
            && !node.closest(".visually-hidden, .skip-link, svg");
    }};
    const said = (node) => `<${{node.localName}} ${{node.className}}> ${{node.textContent.trim().slice(0, 40)}}`;
    return [...scope.querySelectorAll("*")].filter(isOut).slice(0, 5).map(said);
}}"""


def box(shown: Locator) -> FloatRect:
    """Where something stands."""
    found = shown.bounding_box()
    assert found
    return found


def overlap(one: FloatRect, other: FloatRect) -> bool:
    """Whether two things stand over each other."""
    return (
        one["x"] < other["x"] + other["width"]
        and other["x"] < one["x"] + one["width"]
        and one["y"] < other["y"] + other["height"]
        and other["y"] < one["y"] + one["height"]
    )


def set_apart(page: Page) -> list[str]:
    """What sticks out of the screen with letters, words and lines set apart."""
    style = page.add_style_tag(content=SPACING)
    page.wait_for_function(AT_REST)
    found = page.evaluate(_CUT_OFF)
    style.evaluate("(node) => node.remove()")
    return found
