"""Each component in each state: nothing shuts anybody out, nothing is cut off (A1, A7)."""

from playwright.sync_api import Page, expect

from clubapp import routes
from tests.e2e.invitation_steps import fits, has_no_barrier

DIALOGS = ("Ouvrir un dialogue", "Poser une question", "Demander avant")
PAINTED = "(tab) => getComputedStyle(tab, '::after').backgroundColor"
EACH_HAS = (".stage-track", ".answer-shares", ".presence-dots", ".date-block", ".record-chips", ".selection-bar")
ONE_IS_SEEN = (".action-menu-button", ".action-menu", ".toast-success", ".toast-error", ".shortcuts", ".ring")


def test_every_component_is_there_and_fits_and_has_no_barrier(page: Page) -> None:
    page.goto(routes.KIT)
    expect(page.get_by_role("heading", level=1, name="Composants")).to_be_visible()
    expect(page.locator(".editor-text .variable-chip")).to_have_text(["Prénom", "Date", "Titre"])
    for width in (1440, 320, 390):
        page.set_viewport_size({"width": width, "height": 900})
        fits(page)
        if width != 390:
            has_no_barrier(page)
    for name in EACH_HAS:
        expect(page.locator(f".kit-part {name}").first).to_be_visible()
    for name in ONE_IS_SEEN:
        expect(page.locator(f".kit-part {name}").filter(visible=True).first).to_be_visible()
    expect(page.locator("[data-stage=left_out]")).to_have_count(4)
    lefts = page.locator(".presence-dots li").evaluate_all("all => all.map((dot) => dot.getBoundingClientRect().left)")
    assert len(set(lefts)) < len(lefts) / 1.5, "the dots stand in columns"

    opened = page.locator("dialog[open]")
    for name in DIALOGS:
        page.get_by_role("button", name=name).click()
        expect(opened).to_be_visible()
        has_no_barrier(page)
        page.keyboard.press("Escape")
        expect(opened).to_have_count(0)
    page.emulate_media(forced_colors="active")
    fits(page)
    chosen, other = page.get_by_role("tab", selected=True).first, page.get_by_role("tab", selected=False).first
    assert chosen.evaluate(PAINTED) != other.evaluate(PAINTED), "the chosen tab is told by its line"
