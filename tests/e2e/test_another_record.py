"""While the data of a record are on their way, its page shows them missing, and never the record of before."""

import re
import time

import pytest
from playwright.sync_api import Page, expect

from clubapp import routes
from clubapp.services.demo import ADMIN_EMAIL
from tests.e2e.conftest import STEP_MS, SlowAnswers, sign_in
from tests.e2e.site import Site


@pytest.mark.parametrize(
    "listed", [routes.ADMIN_MEMBERS, routes.ADMIN_COMPANIES, routes.ADMIN_EVENTS, routes.DIRECTORY]
)
def test_a_page_waits_for_its_own_record(page: Page, site: Site, listed: str) -> None:
    answers = SlowAnswers(page)
    sign_in(page, site, ADMIN_EMAIL, listed)
    links, main = page.locator(f"main a[href^='{listed}/']"), page.locator("main")
    links.first.wait_for()
    paths = links.evaluate_all("(links) => links.map((link) => link.pathname)")
    first, second, *_ = dict.fromkeys(path for path in paths if path.count("/") == listed.count("/") + 1)
    above = main.locator("h1").inner_text()
    links.and_(page.locator(f"[href^='{first}']")).first.click()
    main.locator("h1").filter(has_not_text=above).wait_for()
    expect(main.get_by_text("Chargement…")).to_have_count(0)
    name = main.locator("h1").inner_text()

    page.go_back()
    links.first.wait_for()
    answers.hold()
    links.and_(page.locator(f"[href^='{second}']")).first.click()
    expect(main.get_by_text("Chargement…")).to_be_visible()
    expect(main).not_to_contain_text(name)
    answers.let_through()
    expect(main.get_by_text("Chargement…")).to_have_count(0)
    assert main.locator("h1").inner_text() != name


@pytest.mark.parametrize("listed", [routes.ADMIN_MEMBERS, routes.ADMIN_COMPANIES, routes.ADMIN_EVENTS])
def test_that_a_record_is_gone_is_not_said_of_the_next_one(page: Page, site: Site, listed: str) -> None:
    answers = SlowAnswers(page)
    sign_in(page, site, ADMIN_EMAIL, f"{listed}/de%20l’autre")
    links, main = page.locator(f"main a[href^='{listed}/']"), page.locator("main")
    expect(main).to_contain_text("n’existe plus")
    main.get_by_role("link", name=re.compile("^Retour aux")).first.click()
    links.first.wait_for()
    answers.hold()
    links.first.click()
    expect(main.get_by_text("Chargement…")).to_be_visible()
    expect(main).not_to_contain_text("n’existe plus")
    answers.let_through()
    expect(main.get_by_text("Chargement…")).to_have_count(0)


def test_the_call_list_says_at_no_moment_that_its_event_is_gone(page: Page, site: Site) -> None:
    sign_in(page, site, ADMIN_EMAIL, routes.ADMIN_TODAY)
    page.evaluate(
        """() => new MutationObserver(() => { window.told ||= document.body.innerText.includes("n’existe plus"); })
            .observe(document.body, { childList: true, subtree: true })"""
    )
    page.get_by_role("main").get_by_role("link", name=re.compile("^Appeler")).first.click()
    expect(page.get_by_role("heading", level=1, name="Liste d’appels")).to_be_visible()
    page.locator("main [data-answer]").first.wait_for()
    assert not page.evaluate("window.told")


def test_the_next_event_stands_before_its_page_is_read(page: Page, site: Site) -> None:
    """Fails too when its figures are those of an event whose dialog was open meanwhile."""
    answers = SlowAnswers(page)
    sign_in(page, site, ADMIN_EMAIL, routes.ADMIN_EVENTS)
    page.get_by_role("button", name=re.compile("^Voir détails")).last.click()
    page.locator("dialog[data-event-id]").wait_for()
    page.keyboard.press("Escape")
    page.get_by_role("link", name="Aujourd’hui", exact=True).click()
    meeting = page.get_by_role("region", name="Prochaine rencontre")
    name = meeting.locator("h2.today-meeting-title").inner_text()
    until = time.monotonic() + STEP_MS / 1000
    while not any("can_be_put_off" in frame for frame in answers.received) and time.monotonic() < until:
        page.wait_for_timeout(20)
    answers.hold()
    meeting.get_by_role("link").first.click()
    main = page.locator("main")
    expect(main.get_by_role("heading", level=1, name=name)).to_be_visible()
    expect(main.get_by_role("region", name="Étapes")).to_be_visible()
    expect(main.get_by_text("Chargement…")).to_be_visible()
    figures = main.locator(".meeting-main .stat-tiles").first.inner_text()
    answers.let_through()
    expect(main.get_by_role("navigation", name="Réponse")).to_be_visible()
    assert main.locator(".meeting-main .stat-tiles").first.inner_text() == figures
