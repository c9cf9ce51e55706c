"""'Mes rencontres': a member sees the next event and who comes, answers in place, and may arrive here."""

import re
from collections.abc import Callable

from playwright.sync_api import BrowserContext, Page, WebSocketRoute, expect
from sqlmodel import select

from clubapp import clock
from clubapp.database import transaction
from clubapp.models import Event
from clubapp.services.demo import MEMBER_EMAIL
from tests.e2e.conftest import sign_in, sign_in_by_link
from tests.e2e.focus_walk import HOLDS_FOCUS
from tests.e2e.invitation_steps import database_of, fits, has_no_barrier
from tests.e2e.site import Site

CHOICE = "Ouvrir ici à chaque connexion"


def test_a_yes_is_one_press_and_what_follows_is_asked_in_its_place(
    own_site: Callable[..., Site], new_context: Callable[..., BrowserContext]
) -> None:
    site = own_site()
    page = new_context(site, viewport={"width": 320, "height": 700}).new_page()
    _follow_nothing(page)
    sign_in(page, site, MEMBER_EMAIL, "/member/rencontres")
    coming = page.get_by_role("region", name="Prochaine rencontre")
    expect(coming.get_by_text("Vous n’avez pas encore répondu.")).to_be_visible()
    expect(page.get_by_role("heading", level=2, name="Qui vient")).to_be_visible()
    has_no_barrier(page)
    fits(page)

    coming.get_by_role("button", name="Oui", exact=True).press("Enter")
    expect(coming.get_by_text("Vous venez, déjeuner à préciser.")).to_be_visible()
    page.wait_for_function(HOLDS_FOCUS)
    assert coming.evaluate("(card) => card.contains(document.activeElement)")
    lunch = coming.get_by_role("radio", name="Je reste déjeuner")
    coming.get_by_label("Nombre d’invités").select_option("1")
    coming.get_by_role("button", name="Changer ma réponse").click()
    expect(coming.get_by_text("Vous venez, avec 1 invité, déjeuner à préciser.")).to_be_visible()
    for choice in (lunch, coming.get_by_role("radio", name="Sans déjeuner")):
        expect(choice).not_to_be_checked()  # nobody has asked yet
    coming.get_by_label("Nombre d’invités").select_option("0")
    lunch.press("Space")
    coming.get_by_role("button", name="Changer ma réponse").click()
    expect(coming.get_by_text("Vous venez, avec déjeuner.")).to_be_visible()
    has_no_barrier(page)
    fits(page)

    coming.get_by_role("radio", name="Je ne viens pas").press("Space")
    coming.get_by_role("button", name="Changer ma réponse").click()
    expect(coming.get_by_text("Vous ne venez pas.")).to_be_visible()

    with database_of(site), transaction() as session:
        title = coming.get_by_role("heading", level=2).inner_text()
        session.exec(select(Event).where(Event.title == title)).one().answers_until = clock.now()
    coming.get_by_role("radio", name="Je viens", exact=True).press("Space")
    coming.get_by_role("button", name="Changer ma réponse").click()
    expect(page.locator(".toast-error")).to_contain_text("Les réponses sont closes")
    expect(coming.get_by_role("button")).to_have_count(0)
    expect(coming.get_by_text("Vous ne venez pas.")).to_be_visible()
    page.wait_for_function(HOLDS_FOCUS)


def _follow_nothing(page: Page) -> None:
    """The screen reads nothing by itself: a form that closes on the server stays until it is sent."""

    def carry(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()
        socket.on_message(lambda message: None if ".follow" in str(message) else server.send(message))

    page.route_web_socket(re.compile("/_event"), carry)


def test_a_press_shows_at_once_on_a_slow_network(
    own_site: Callable[..., Site], new_context: Callable[..., BrowserContext]
) -> None:
    site = own_site()
    page = new_context(site).new_page()
    held: list[Callable[[], None]] | None = None

    def carry(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()

        def to_server(message: str | bytes) -> None:
            if held is None:
                server.send(message)
            else:
                held.append(lambda: server.send(message))

        socket.on_message(to_server)

    page.route_web_socket(re.compile("/_event"), carry)
    sign_in(page, site, MEMBER_EMAIL, "/member/rencontres")
    coming = page.get_by_role("region", name="Prochaine rencontre")
    yes, no = (coming.get_by_role("button", name=name, exact=True) for name in ("Oui", "Non"))
    expect(yes).to_be_visible()
    held = []
    yes.click()
    expect(yes).to_have_attribute("data-pressed", "")
    expect(yes).to_have_attribute("aria-busy", "true")
    expect(no).to_have_attribute("aria-disabled", "true")
    expect(no).not_to_have_attribute("data-pressed", "")
    expect(yes).to_be_focused()
    no.click(force=True)
    expect(yes).to_have_attribute("data-pressed", "")
    waiting, held = held, None
    for send in waiting:
        send()
    expect(coming.get_by_text("Vous venez, déjeuner à préciser.")).to_be_visible()


def test_a_member_may_arrive_here(own_site: Callable[..., Site], new_context: Callable[..., BrowserContext]) -> None:
    site = own_site()
    page = new_context(site).new_page()
    sign_in(page, site, MEMBER_EMAIL, "/member/rencontres")
    menu = page.locator(".sidebar-link")
    expect(menu).to_have_count(6)
    assert menu.evaluate_all("(links) => links.every((link) => link.querySelector('svg.icon'))")
    choice = page.get_by_role("switch", name=CHOICE).locator("visible=true")
    choice.click()
    expect(choice).to_be_checked()
    page.reload()
    expect(choice).to_be_checked()
    page.context.clear_cookies()
    sign_in_by_link(page, site, MEMBER_EMAIL)
    expect(page.get_by_role("heading", level=1, name="Mes rencontres")).to_be_visible()
    assert page.url.endswith("/member/rencontres")
