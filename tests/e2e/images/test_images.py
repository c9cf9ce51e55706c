"""Photographs arrive in the size the screen needs, when it needs them, and move nothing."""

from collections.abc import Callable

from playwright.sync_api import BrowserContext, Page, Response, expect

from tests.e2e.site import Site

# The widths in which pictures of one kind were fetched, and what they are.
SHOWN = """(images) => images.filter((image) => image.complete).map((image) => ({
  width: image.naturalWidth, box: image.getBoundingClientRect().width, file: image.currentSrc, name: image.alt,
}))"""
NewContext = Callable[..., BrowserContext]


def opened(page: Page) -> Page:
    """The page, once its faces may be fetched."""
    page.goto("/membres")
    page.locator("#first-paint").wait_for(state="detached")
    return page


def test_faces_come_in_the_size_of_the_screen(site: Site, new_context: NewContext) -> None:
    kinds: dict[str, str] = {}

    def note(answer: Response) -> None:
        if "/media/" in answer.url:
            kinds[answer.url] = answer.headers["content-type"]

    page = new_context(site, device_scale_factor=1).new_page()
    page.on("response", note)
    opened(page)
    expect(page.locator("img.face").first).to_have_js_property("complete", True)
    (first, *_) = page.locator("img.face").evaluate_all(SHOWN)
    assert first["file"].endswith("?w=64")
    assert first["box"] == 64
    card = page.locator(".member-card").filter(has=page.locator("img.face")).first
    assert first["name"] == card.get_by_role("heading").inner_text()
    assert set(kinds.values()) == {"image/webp"}
    assert all(url.endswith("?w=64") for url in kinds)


def test_on_a_telephone_faces_far_below_wait_and_a_portrait_does_not(site: Site, new_context: NewContext) -> None:
    page = new_context(site, viewport={"width": 390, "height": 844}, device_scale_factor=2).new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if "/media/" in request.url else None)
    opened(page)
    page.wait_for_load_state("networkidle")
    first, faces = set(asked), page.locator("img.face")
    assert 0 < len(first) < faces.count()
    assert all(url.endswith("?w=128") for url in first)
    last = faces.nth(faces.count() - 1)  # more may follow as one scrolls
    with page.expect_request(lambda request: "/media/" in request.url and request.url not in first):
        last.scroll_into_view_if_needed()
    expect(last).to_have_js_property("complete", True)

    page.locator(".member-card", has=page.locator("img.face")).first.click()
    portrait = page.locator("img.person-portrait")
    expect(portrait).to_be_visible()
    expect(portrait).to_have_js_property("complete", True)
    expect(portrait).to_have_js_property("width", 132)
    (shown,) = portrait.evaluate_all(SHOWN)
    assert shown["file"].endswith("?w=384")
    assert shown["name"] == page.get_by_role("heading", level=1).inner_text()
    assert portrait.get_attribute("loading") is None
