"""'Mes invitations': a member who is signed in answers without the mail, by the same rules."""

from collections.abc import Callable

from playwright.sync_api import BrowserContext, Locator, Page, expect
from sqlmodel import select

from clubapp import clock
from clubapp.database import transaction
from clubapp.models import Event
from clubapp.services.demo import MEMBER_EMAIL
from tests.e2e.conftest import sign_in
from tests.e2e.invitation_steps import Invitation, database_of, fits, has_no_barrier, invite
from tests.e2e.site import Site


def card(page: Page, invitation: Invitation) -> Locator:
    return page.locator(f"[data-event-id='{invitation.event_id}']")


def test_a_member_answers_in_the_member_area(site: Site, new_context: Callable[..., BrowserContext]) -> None:
    invitation = invite(site, title="Rencontre de l’espace membre", max_participants=3, coming=1)
    over = invite(site, past=True, title="Rencontre du siècle dernier")
    page = new_context(site, viewport={"width": 320, "height": 700}).new_page()
    sign_in(page, site, MEMBER_EMAIL, "/member/invitations")
    expect(page.get_by_role("heading", level=1, name="Mes invitations")).to_be_visible()
    expect(page.get_by_text("Rencontre du siècle dernier")).to_have_count(1)
    expect(card(page, over)).to_have_count(0)
    own = card(page, invitation)
    expect(own.get_by_text("Vous n’avez pas encore répondu.")).to_be_visible()
    expect(own.get_by_text("2 encore libres")).to_be_visible()
    has_no_barrier(page)
    fits(page)

    own.get_by_role("button", name="Envoyer ma réponse").click()
    expect(own.get_by_role("alert").get_by_text("Dites si vous venez.")).to_be_visible()
    expect(own.get_by_role("radio", name="Je viens", exact=True)).to_be_focused()

    own.get_by_role("radio", name="Je viens", exact=True).check()
    own.get_by_role("radio", name="Je reste déjeuner").check()
    own.get_by_label("Nombre d’invités").select_option("3")
    own.get_by_role("button", name="Envoyer ma réponse").click()
    expect(own.get_by_text("Il ne reste qu’une place pour vos invités.")).to_be_visible()
    expect(own.get_by_label("Nombre d’invités")).to_be_focused()
    expect(own.get_by_label("Nombre d’invités")).to_have_value("3")
    has_no_barrier(page)
    assert invitation.answer == (None, None, 0)

    own.get_by_label("Nombre d’invités").select_option("1")
    own.get_by_role("button", name="Envoyer ma réponse").click()
    expect(own.get_by_text("Vous venez, avec déjeuner, avec 1 invité.")).to_be_visible()
    assert invitation.answer == (True, True, 1)
    assert invitation.row.answered_via == "member"

    refusing = own.get_by_role("radio", name="Je ne viens pas")
    refusing.press("Space")  # what was recorded may still be moving the page: no pointer to miss with
    expect(refusing).to_be_checked()
    expect(own.get_by_label("Nombre d’invités")).to_be_hidden()
    own.get_by_role("button", name="Changer ma réponse").click()
    expect(own.get_by_text("Vous ne venez pas.")).to_be_visible()
    assert invitation.answer == (False, None, 0)

    with database_of(site), transaction() as session:
        session.exec(select(Event).where(Event.id == invitation.event_id)).one().answers_until = clock.now()
    expect(own.get_by_text("Les réponses sont closes depuis le")).to_be_visible()
    expect(own.get_by_role("button")).to_have_count(0)
    has_no_barrier(page)
