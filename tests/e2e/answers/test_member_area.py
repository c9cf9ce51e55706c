"""A member who is signed in answers without the mail, by the same rules: in 'Mes rencontres' and 'Mes invitations'."""

import re
from collections.abc import Callable, Iterator
from datetime import timedelta

import pytest
from playwright.sync_api import BrowserContext, Page, WebSocketRoute, expect
from sqlmodel import select

from clubapp import clock
from clubapp.database import reading, transaction
from clubapp.mail.messages.guest_notice import guest_link
from clubapp.models import Event, EventGuest, Member
from clubapp.services.demo import MEMBER_EMAIL
from tests.e2e.answers.event_changes import change
from tests.e2e.attendance.free_month import free_month
from tests.e2e.conftest import sign_in
from tests.e2e.focus_walk import HOLDS_FOCUS
from tests.e2e.invitation_steps import Invitation, database_of, fits, has_no_barrier, invite
from tests.e2e.site import Site

SMALL = {"width": 320, "height": 700}


@pytest.fixture
def tomorrow(site: Site) -> Iterator[Invitation]:
    """The next meeting, of which Marie has said nothing. Asked for before the page."""
    date = clock.now() + timedelta(days=1)
    with free_month(site, date):
        made = invite(site, title="Rencontre de demain", date=date, coming=3, invitation_sent=True)
        yield made
        with database_of(site), transaction() as session:
            session.delete(session.get(Event, made.event_id))


class Line:
    """The socket of a page that is opened after this: what is pressed can be held; the screen reads nothing by itself,
    so that a form which closes on the server stays until it is sent."""

    def __init__(self, page: Page) -> None:
        self._held: list[Callable[[], None]] | None = None
        page.route_web_socket(re.compile("/_event"), self._carry)

    def hold(self) -> None:
        """Hold what is sent from now on."""
        self._held = []

    def let_through(self) -> None:
        """Send what was held, and what follows."""
        held, self._held = self._held or (), None
        for send in held:
            send()

    def _carry(self, socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()

        def to_server(message: str | bytes) -> None:
            if ".follow" in str(message):
                return
            if self._held is None:
                server.send(message)
            else:
                self._held.append(lambda: server.send(message))

        socket.on_message(to_server)


def test_a_yes_is_one_press_shown_at_once_and_what_follows_is_asked_in_its_place(
    site: Site, tomorrow: Invitation, new_context: Callable[..., BrowserContext]
) -> None:
    page = new_context(site, viewport=SMALL).new_page()
    line = Line(page)
    sign_in(page, site, MEMBER_EMAIL, "/member/rencontres")
    coming = page.get_by_role("region", name="Prochaine rencontre")
    expect(coming.get_by_text("Vous n’avez pas encore répondu.")).to_be_visible()
    expect(page.get_by_role("heading", level=2, name="Qui vient")).to_be_visible()
    menu = page.locator(".sidebar-link")
    expect(menu).to_have_count(6)
    assert menu.evaluate_all("(links) => links.every((link) => link.querySelector('svg.icon'))")
    yes, no = (coming.get_by_role("button", name=name, exact=True) for name in ("Oui", "Non"))
    expect(yes).to_be_visible()
    line.hold()  # a slow network
    yes.press("Enter")
    expect(yes).to_have_attribute("data-pressed", "")
    expect(yes).to_have_attribute("aria-busy", "true")
    expect(no).to_have_attribute("aria-disabled", "true")
    expect(no).not_to_have_attribute("data-pressed", "")
    expect(yes).to_be_focused()
    no.click(force=True)
    expect(yes).to_have_attribute("data-pressed", "")
    line.let_through()
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

    change(tomorrow, answers_until=clock.now())
    coming.get_by_role("radio", name="Je viens", exact=True).press("Space")
    coming.get_by_role("button", name="Changer ma réponse").click()
    expect(page.locator(".toast-error")).to_contain_text("Les réponses sont closes")
    expect(coming.get_by_role("button")).to_have_count(0)
    expect(coming.get_by_text("Vous ne venez pas.")).to_be_visible()
    page.wait_for_function(HOLDS_FOCUS)

    choice = page.get_by_role("switch", name="Ouvrir ici à chaque connexion").locator("visible=true")
    for is_chosen in (True, False):
        choice.click()
        expect(choice).to_be_checked(checked=is_chosen)
        expect(choice).to_be_enabled()
        assert opens_here(site) is is_chosen


def opens_here(site: Site) -> bool:
    with database_of(site), reading() as session:
        return session.exec(select(Member).where(Member.email == MEMBER_EMAIL)).one().opens_meetings


def test_a_member_answers_and_names_a_guest_who_declines(
    site: Site, new_context: Callable[..., BrowserContext]
) -> None:
    invitation = invite(site, title="Rencontre de l’espace membre", max_participants=3, coming=1)
    over = invite(site, past=True, title="Rencontre du siècle dernier")
    page = new_context(site, viewport=SMALL).new_page()
    page.clock.install()
    sign_in(page, site, MEMBER_EMAIL, "/member/invitations")
    expect(page.get_by_role("heading", level=1, name="Mes invitations")).to_be_visible()
    expect(page.get_by_text("Rencontre du siècle dernier")).to_have_count(1)
    expect(page.locator(f"[data-event-id='{over.event_id}']")).to_have_count(0)
    own = page.locator(f"[data-event-id='{invitation.event_id}']")
    expect(own.get_by_text("Vous n’avez pas encore répondu.")).to_be_visible()
    expect(own.get_by_text("2 encore libres")).to_be_visible()

    own.get_by_role("button", name="Envoyer ma réponse").click()
    expect(own.get_by_role("alert").get_by_text("Dites si vous venez.")).to_be_visible()
    expect(own.get_by_role("radio", name="Je viens", exact=True)).to_be_focused()
    own.get_by_role("radio", name="Je viens", exact=True).check()
    own.get_by_role("radio", name="Je reste déjeuner").check()
    guests = own.get_by_label("Nombre d’invités")
    guests.select_option("3")
    own.get_by_role("button", name="Envoyer ma réponse").click()
    expect(own.get_by_text("Il ne reste qu’une place pour vos invités.")).to_be_visible()
    expect(guests).to_be_focused()
    expect(guests).to_have_value("3")
    has_no_barrier(page)
    fits(page)
    assert invitation.answer == (None, None, 0)
    guests.select_option("1")
    own.get_by_role("button", name="Envoyer ma réponse").click()
    expect(own.get_by_text("Vous venez, avec déjeuner, avec 1 invité.")).to_be_visible()
    assert invitation.answer == (True, True, 1)
    assert invitation.row.answered_via == "member"

    refusing = own.get_by_role("radio", name="Je ne viens pas")
    refusing.press("Space")  # what was recorded may still be moving the page: no pointer to miss with
    expect(refusing).to_be_checked()
    expect(guests).to_be_hidden()
    own.get_by_role("button", name="Changer ma réponse").click()
    expect(own.get_by_text("Vous ne venez pas.")).to_be_visible()
    assert invitation.answer == (False, None, 0)
    own.get_by_role("radio", name="Je viens", exact=True).press("Space")
    own.get_by_role("radio", name="Je reste déjeuner").press("Space")
    guests.select_option("1")
    own.get_by_role("button", name="Changer ma réponse").click()
    expect(own.get_by_text("Vous venez, avec déjeuner, avec 1 invité.")).to_be_visible()

    own.get_by_text("Nommer votre invité").click()
    guest = own.get_by_role("group", name="Invité 1")
    guest.get_by_label("Nom", exact=True).fill("Zoé Lys")
    guest.get_by_label("E-mail").fill("zoe chez elle")
    own.get_by_role("button", name="Enregistrer", exact=True).click()
    expect(guest.get_by_text("Indiquez une adresse e-mail valide")).to_be_visible()
    expect(guest.get_by_label("E-mail")).to_be_focused()
    has_no_barrier(page)
    fits(page)
    guest.get_by_label("E-mail").fill("")
    own.get_by_role("button", name="Enregistrer", exact=True).click()
    expect(own.get_by_role("listitem").filter(has_text="Zoé Lys")).to_be_visible()
    declines(page.context.new_page(), invitation)
    change(invitation, answers_until=clock.now())
    page.clock.fast_forward(5_000)  # it looks that often
    expect(own.get_by_text("Les réponses sont closes depuis le")).to_be_visible()
    expect(own.get_by_role("button")).to_have_count(0)
    expect(own.get_by_text("Vous venez, avec déjeuner.")).to_be_visible()
    expect(own.get_by_text("Zoé Lys")).to_have_count(0)
    has_no_barrier(page)


def declines(page: Page, invitation: Invitation) -> None:
    """The one guest opens the link of their mail, and cannot come."""
    with database_of(invitation.site), reading() as session:
        guest = session.exec(select(EventGuest).where(EventGuest.event_id == invitation.event_id)).one()
        link = guest_link(guest.id)
    page.goto(link)
    expect(page.get_by_text("Marie Durand a annoncé votre venue")).to_be_visible()
    assert invitation.answer == (True, True, 1)
    page.get_by_role("button", name="Je ne peux pas venir").click()
    expect(page.get_by_role("heading", name="C’est noté, merci")).to_be_visible()
    assert invitation.answer == (True, True, 0)
    page.close()
