"""The screens that the menu leads to are drawn once beforehand, and the open one knows nothing of it."""

from playwright.sync_api import Page, expect

from clubapp.services.demo import ADMIN_EMAIL
from tests.e2e.conftest import sign_in
from tests.e2e.site import Site

KEEP_MADE = """
  const make = document.createElement.bind(document);
  window.made = [];
  document.createElement = (name, ...more) => {
    const node = make(name, ...more);
    if (name === "main") window.made.push(node);
    return node;
  };
"""
IS_DRAWN_ASIDE = """() => window.made.some(
    (main) => !document.contains(main) && main.querySelector("h1")?.textContent === "Membres"
)"""


def test_a_near_screen_is_drawn_outside_the_page_and_the_open_one_stays_as_it_is(page: Page, site: Site) -> None:
    told: list[str] = []
    page.on("console", lambda message: told.append(message.text) if message.type == "error" else None)
    page.add_init_script(KEEP_MADE)
    sign_in(page, site, ADMIN_EMAIL, "/admin/aujourdhui")
    expect(page).to_have_title("Aujourd’hui")
    field = page.get_by_role("button", name="Chercher").first
    field.focus()
    page.wait_for_function(IS_DRAWN_ASIDE)
    expect(page).to_have_title("Aujourd’hui")
    expect(page.locator("main")).to_have_count(1)
    expect(page.get_by_role("heading", level=1)).to_have_text("Aujourd’hui")
    expect(field).to_be_focused()
    page.get_by_role("link", name="Membres", exact=True).first.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Membres")
    expect(page.locator("main")).to_have_count(1)
    assert told == []
