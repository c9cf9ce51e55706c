"""The answer page as usual, where websockets are refused, and where no script runs: each of its branches."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page
from sqlalchemy import text
from sqlmodel import select

from clubapp import clock
from clubapp.database import transaction
from clubapp.models import Event
from tests.e2e.answers.test_waiting_list import free_a_place
from tests.e2e.invitation_steps import Invitation, asked, database_of, invite, press
from tests.e2e.site import Site
from tests.e2e.visitors import Visitor

# A browser writes each refused form on its console.
pytestmark = pytest.mark.console_errors("409", "422", "503")
COMES = "Serez-vous des nôtres\u00a0?"
LUNCH = "Resterez-vous déjeuner\u00a0?"
GUESTS = "Combien d’invités vous accompagnent\u00a0?"
THANKS = "Merci pour votre confirmation !"
ABSENT = "Réponse enregistrée"
INVALID = "Le lien que vous avez utilisé n'est pas valide ou a expiré."
CHECK = "Veuillez vérifier votre email ou contacter l'organisateur."


def change(invitation: Invitation, **fields: Any) -> None:
    """Change the event."""
    with database_of(invitation.site), transaction() as session:
        session.exec(select(Event).where(Event.id == invitation.event_id)).one().sqlmodel_update(fields)


def bad_links(site: Site) -> dict[str, str]:
    mine, other = invite(site), invite(site)
    return {
        "unknown": f"/event/{mine.event_id}?token={'x' * 43}",
        "foreign": f"/event/{mine.event_id}?token={other.token}",
        "other event": f"/event/nulle-part?token={mine.token}",
        "no token": f"/event/{mine.event_id}",
        "empty": f"/event/{mine.event_id}?token=",
    }


# What refuses, and what lets it be again, by engine.
REFUSING = {
    "sqlite": (
        "CREATE TRIGGER {name} BEFORE UPDATE OF {column} ON event_reservations WHEN NEW.id = '{reservation}' "
        "BEGIN SELECT RAISE(ABORT, 'disk full'); END",
        "DROP TRIGGER {name}",
    ),
    "postgresql": (
        "CREATE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION $$disk full$$; END'; "
        "CREATE TRIGGER {name} BEFORE UPDATE OF {column} ON event_reservations FOR EACH ROW "
        "WHEN (NEW.id = '{reservation}') EXECUTE FUNCTION {name}()",
        "DROP TRIGGER {name} ON event_reservations; DROP FUNCTION {name}",
    ),
}


@contextmanager
def full_disk(invitation: Invitation, column: str) -> Iterator[None]:
    """The database refuses to write one column of one reservation."""
    words = {"name": f"refuse_{invitation.reservation_id.replace('-', '')}", "column": column}

    def do(which: int) -> None:
        with database_of(invitation.site), transaction() as session:
            connection = session.connection()
            wanted = REFUSING[connection.dialect.name][which]
            connection.execute(text(wanted.format(reservation=invitation.reservation_id, **words)))

    do(0)
    try:
        yield
    finally:
        do(1)


def test_yes_lunch_and_guests_from_the_mail_with_an_error_on_the_way(site: Site, anywhere: Visitor) -> None:
    invitation = invite(site)
    anywhere.open(f"{invitation.path}&answer=oui")
    anywhere.is_asked(COMES)
    anywhere.reads("Rien n’est encore enregistré", "Vous répondez pour Marie Durand")
    assert invitation.answer == (None, None, 0)
    anywhere.press("Oui, je viens")
    anywhere.is_asked(LUNCH)
    anywhere.press("Oui, avec déjeuner")
    anywhere.is_asked(GUESTS)
    anywhere.press("Valider", guest_count="6")
    anywhere.reads("Maximum 5 invités par membre")
    anywhere.has_typed("guest_count", "6")
    anywhere.looks()
    anywhere.press("Valider", guest_count="2")
    anywhere.is_asked(THANKS)
    anywhere.reads("Avec déjeuner", "2 invités")
    anywhere.looks()
    assert invitation.answer == (True, True, 2)
    asked_of_google = parse_qs(urlsplit(anywhere.link("Ajouter à Google Agenda")).query)
    assert asked_of_google["text"] == ["Matinale d'hiver à l'Hôtel Élan"]
    for name in ("Ajouter à Google Agenda", "Outlook", "Office 365", "Yahoo"):
        assert invitation.token not in anywhere.link(name)
    assert urlsplit(anywhere.link("Apple (.ics)")).path == f"/event/{invitation.event_id}/calendar.ics"


def test_without_lunch_and_every_change_of_mind(site: Site, anywhere: Visitor) -> None:
    invitation = invite(site, has_lunch=False)
    anywhere.open(invitation.path)
    anywhere.press("Oui, je viens")
    anywhere.is_asked(GUESTS)
    anywhere.open(f"{invitation.path}&answer=non")
    anywhere.is_asked(COMES)
    anywhere.reads("Dans l’e-mail, vous avez choisi «\u00a0Non\u00a0». Votre réponse reste")
    anywhere.press("Garder ma réponse")
    anywhere.is_asked(GUESTS)
    anywhere.press("Valider", guest_count="")
    anywhere.is_asked(THANKS)
    anywhere.misses("déjeuner", "1 invité")
    assert invitation.answer == (True, False, 0)
    anywhere.press("Modifier ma réponse")
    anywhere.press("Garder ma réponse")
    anywhere.is_asked(THANKS)
    anywhere.press("Modifier ma réponse")
    anywhere.press("Non, pas cette fois")
    anywhere.is_asked(ABSENT)
    anywhere.reads("Votre absence est notée.")
    anywhere.misses("Agenda")
    assert invitation.answer == (False, None, 0)
    anywhere.open(invitation.path)
    anywhere.is_asked(ABSENT)
    anywhere.press("Modifier ma réponse")
    assert invitation.answer == (False, None, 0)
    anywhere.press("Oui, je viens")
    anywhere.press("Valider", guest_count="1")
    anywhere.is_asked(THANKS)
    assert invitation.answer == (True, False, 1)


def test_too_late_then_offered_a_place_and_guests_as_far_as_there_is_room(site: Site, anywhere: Visitor) -> None:
    invitation = invite(site, max_participants=2, coming=2)
    anywhere.open(invitation.path)
    anywhere.is_asked(COMES)
    anywhere.reads("Inscrivez-vous sur la liste d’attente")
    anywhere.looks()
    anywhere.press("Oui, sur la liste d’attente")
    anywhere.is_asked("Vous êtes sur la liste d’attente")
    anywhere.reads("Vous êtes en tête de la liste.")
    assert invitation.row.is_waiting
    anywhere.looks()

    free_a_place(invitation)
    anywhere.open(f"{invitation.path}&answer=oui")
    anywhere.is_asked("Une place s’est libérée pour vous")
    anywhere.reads("Elle vous est réservée jusqu’au")
    assert invitation.row.is_waiting, "opening the page takes nothing"
    anywhere.looks()
    anywhere.press("Oui, je prends la place")
    anywhere.is_asked(LUNCH)
    anywhere.press("Non, sans déjeuner")
    anywhere.is_asked(GUESTS)
    anywhere.reads("Il ne reste plus de place pour des invités.")
    anywhere.press("Valider", guest_count="1")
    anywhere.has_typed("guest_count", "1")
    anywhere.reads("Il ne reste plus de place pour des invités.")
    anywhere.press("Valider", guest_count="0")
    anywhere.is_asked(THANKS)
    assert invitation.answer == (True, False, 0)


def test_an_offer_is_declined(site: Site, anywhere: Visitor) -> None:
    invitation = invite(site, max_participants=1, coming=1)
    anywhere.open(invitation.path)
    anywhere.press("Oui, sur la liste d’attente")
    anywhere.press("Modifier ma réponse")
    anywhere.press("Garder ma réponse")
    anywhere.is_asked("Vous êtes sur la liste d’attente")
    free_a_place(invitation)
    anywhere.open(invitation.path)
    anywhere.press("Non, je la laisse")
    anywhere.is_asked(ABSENT)
    assert invitation.answer == (False, None, 0)


def test_answers_that_close_and_an_event_that_is_cancelled_while_one_answers(site: Site, anywhere: Visitor) -> None:
    invitation = invite(site)
    anywhere.open(invitation.path)
    for name in ("Oui, je viens", "Oui, avec déjeuner", "Valider", "Modifier ma réponse"):
        anywhere.press(name)
    anywhere.is_asked(COMES)
    change(invitation, answers_until=clock.now())
    anywhere.press("Non, pas cette fois")
    anywhere.is_asked("Les réponses sont closes depuis le")
    anywhere.reads("Vous venez.")
    assert anywhere.link("03 53 01 55 01") == "tel:+33353015501"
    assert anywhere.link("Ajouter à Google Agenda")
    anywhere.looks()
    assert invitation.answer == (True, True, 0)

    other = invite(site)
    anywhere.open(other.path)
    anywhere.is_asked(COMES)
    change(other, status="cancelled")
    anywhere.press("Oui, je viens")
    anywhere.is_asked("Cette rencontre est annulée.")
    anywhere.misses("Marie Durand", "Oui, je viens")
    anywhere.looks()
    assert other.answer == (None, None, 0)

    anywhere.open(invite(site, past=True).path)
    anywhere.is_asked("Cette rencontre a eu lieu")
    anywhere.reads("Pour toute question\u00a0: Hélène Caudrelier, 03 53 01 55 01")


def test_a_wrong_link_ends_at_the_error_card(site: Site, anywhere: Visitor) -> None:
    for path in bad_links(site).values():
        anywhere.open(path)
        anywhere.reads("Erreur", INVALID, CHECK)
        anywhere.misses("Oui, je viens")
    anywhere.looks()


def test_an_answer_that_could_not_be_saved_is_said_and_can_be_given_again(site: Site, anywhere: Visitor) -> None:
    invitation = invite(site)
    anywhere.open(invitation.path)
    lost = "Erreur lors de l'enregistrement "
    steps: tuple[tuple[str, str, dict[str, str], str, str], ...] = (
        ("will_attend", "Oui, je viens", {}, "de votre réponse", LUNCH),
        ("with_lunch", "Oui, avec déjeuner", {}, "de votre choix", GUESTS),
        ("guest_count", "Valider", {"guest_count": "2"}, "du nombre d'invités", THANKS),
    )
    for column, button, typed, what, next_question in steps:
        before = invitation.answer
        with full_disk(invitation, column):
            anywhere.press(button, **typed)
            anywhere.reads(lost + what)
            assert invitation.answer == before
        anywhere.press(button)
        anywhere.is_asked(next_question)
        anywhere.misses(lost)
    assert invitation.answer == (True, True, 2)


def test_with_a_script_the_page_is_never_left_shows_what_changes_meanwhile_and_opens_no_socket(
    site: Site, page: Page
) -> None:
    invitation = invite(site)
    sockets: list[str] = []
    page.on("websocket", lambda socket: sockets.append(socket.url))
    page.clock.install()
    page.goto(invitation.path)
    page.evaluate("window.isSame = true")
    press(page, "Oui, je viens")
    asked(page, LUNCH)
    change(invitation, status="cancelled")
    page.clock.fast_forward(30_000)
    asked(page, "Cette rencontre est annulée.")
    assert page.evaluate("window.isSame")
    assert not sockets
