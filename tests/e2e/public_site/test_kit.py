"""Each component in each state: nothing shuts anybody out, nothing is cut off (A1, A7)."""

from playwright.sync_api import Page, expect

from clubapp import routes
from tests.e2e.invitation_steps import fits, has_no_barrier

DIALOGS = ("Ouvrir un dialogue", "Poser une question", "Demander avant")
PAINTED = "(tab) => getComputedStyle(tab, '::after').backgroundColor"


def test_every_component_fits_and_has_no_barrier(page: Page) -> None:
    page.goto(routes.KIT)
    expect(page.get_by_role("heading", level=1, name="Composants")).to_be_visible()
    expect(page.locator(".editor-text .variable-chip")).to_have_text(["Prénom", "Date", "Titre"])
    for width in (320, 390, 1440):
        page.set_viewport_size({"width": width, "height": 900})
        fits(page)
        has_no_barrier(page)
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


def test_the_cockpit_s_components_stand_there_too(page: Page) -> None:
    page.goto(routes.KIT)
    page.set_viewport_size({"width": 390, "height": 900})
    for name in (".stage-track", ".answer-shares", ".presence-dots", ".date-block", ".record-chips", ".selection-bar"):
        expect(page.locator(f".kit-part {name}").first).to_be_visible()
    for name in (".action-menu-button", ".action-menu", ".toast-success", ".toast-error", ".shortcuts", ".ring"):
        expect(page.locator(f".kit-part {name}").filter(visible=True).first).to_be_visible()
    expect(page.locator("[data-stage=left_out]")).to_have_count(4)
    lefts = page.locator(".presence-dots li").evaluate_all("all => all.map((dot) => dot.getBoundingClientRect().left)")
    assert len(set(lefts)) < len(lefts) / 1.5, "the dots stand in columns"
