"""While the data of a record are on their way, its page shows them missing, and never the record of before."""

import re
import time

from playwright.sync_api import Page, expect

from clubapp import routes
from clubapp.services.demo import ADMIN_EMAIL
from tests.e2e.conftest import STEP_MS, SlowAnswers, sign_in
from tests.e2e.screen_steps import go
from tests.e2e.site import Site


def test_a_page_waits_for_its_own_record(page: Page, site: Site) -> None:
    """Nor is it said of it that it is gone, because that was said of another."""
    answers = SlowAnswers(page)
    sign_in(page, site, ADMIN_EMAIL, routes.ADMIN_TODAY)
    for listed in (routes.ADMIN_MEMBERS, routes.ADMIN_COMPANIES, routes.ADMIN_EVENTS):
        go(page, listed)
        waits_for_its_own(page, answers, listed)
        go(page, f"{listed}/de%20l’autre")
        main = page.locator("main")
        expect(main).to_contain_text("n’existe plus")
        main.get_by_role("link", name=re.compile("^Retour aux")).first.click()
        links = main.locator(f"a[href^='{listed}/']")
        links.first.wait_for()
        answers.hold()
        links.first.click()
        expect(main.get_by_text("Chargement…")).to_be_visible()
        expect(main).not_to_contain_text("n’existe plus")
        answers.let_through()
        expect(main.get_by_text("Chargement…")).to_have_count(0)
    page.goto(routes.DIRECTORY)
    page.locator("#first-paint").wait_for(state="detached")
    waits_for_its_own(page, answers, routes.DIRECTORY)


def waits_for_its_own(page: Page, answers: SlowAnswers, listed: str) -> None:
    """Of two records of the list on the screen, the first is opened, then the second, whose data are late."""
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


def test_the_next_event_stands_before_its_page_is_read(page: Page, site: Site) -> None:
    """And the call list says at no moment that its event is gone.

    Fails too when the figures are those of an event whose dialog was open meanwhile.
    """
    answers = SlowAnswers(page)
    sign_in(page, site, ADMIN_EMAIL, routes.ADMIN_EVENTS)
    page.get_by_role("button", name=re.compile("^Voir détails")).last.click()
    page.wait_for_function("() => document.activeElement.closest('dialog[data-event-id]')")
    page.keyboard.press("Escape")
    expect(page.locator("dialog[open]")).to_have_count(0)
    page.get_by_role("link", name="Aujourd’hui", exact=True).click()
    meeting = page.get_by_role("region", name="Prochaine rencontre")
    name = meeting.locator("h2.today-meeting-title").inner_text()
    until = time.monotonic() + STEP_MS / 1000
    while not any("can_be_put_off" in frame for frame in answers.received):
        assert time.monotonic() < until
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

    go(page, routes.ADMIN_TODAY)
    page.evaluate(
        """() => new MutationObserver(() => { window.told ||= document.body.innerText.includes("n’existe plus"); })
            .observe(document.body, { childList: true, subtree: true })"""
    )
    main.get_by_role("link", name=re.compile("^Appeler")).first.click()
    expect(page.get_by_role("heading", level=1, name="Liste d’appels")).to_be_visible()
    page.locator("main [data-answer]").first.wait_for()
    assert not page.evaluate("window.told")
