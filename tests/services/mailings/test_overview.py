"""What administrators read of the club's mails."""

from collections.abc import Callable
from datetime import datetime, timedelta

import pytest

from clubapp import clock
from clubapp.database import reading, transaction
from clubapp.models import BroadcastEmail
from clubapp.refusals import Forbidden
from clubapp.services.base.actors import VISITOR, Actor
from clubapp.services.events import meeting_mails
from clubapp.services.mailings import overview
from tests.factories import add_event

HELENE = Actor(email="helene@beffroi.example", is_admin=True, session_id="s")
MARIE = Actor(email="marie@durand.example", member_id="m", session_id="t")


@pytest.fixture(autouse=True)
def november(at: Callable[[str], datetime]) -> None:
    at("2026-11-20T10:00")


@pytest.mark.parametrize("actor", [VISITOR, MARIE], ids=["visitor", "member"])
def test_only_an_administrator_reads_them(club: str, actor: Actor) -> None:
    with pytest.raises(Forbidden), reading() as session:
        overview.read_mailings(session, actor)


def test_events_to_come_show_their_subjects_or_the_default(club: str) -> None:
    with transaction() as session:
        add_event(session, title="Passé", date=clock.now() - timedelta(days=1))
        add_event(
            session, title="À venir", date=clock.now() + timedelta(days=40), email_subject="{{PRENOM}}, {{EVENT_TITLE}}"
        )
    with reading() as session:
        (event,) = overview.read_mailings(session, HELENE).events
    assert (event.title, event.invitation) == ("À venir", "[Prénom], À venir")
    assert (event.first_reminder, event.second_reminder) == ("Template par défaut", "Template par défaut")


def test_a_body_of_its_own_goes_by_the_usual_subject(club: str) -> None:
    with transaction() as session:
        event_id = add_event(
            session, title="À venir", date=clock.now() + timedelta(days=40), email_template="Venez."
        ).id
    with reading() as session:
        (event,) = overview.read_mailings(session, HELENE).events
        first, second, _ = meeting_mails.read_mails(session, HELENE, event_id).texts
    assert event.invitation.startswith("Invitation\u00a0: À venir, ")
    assert (first.subject, second.subject) == (event.invitation, "Texte habituel du club")


def test_the_last_ten_broadcasts_say_when_and_to_how_many(club: str) -> None:
    now = clock.now()
    with transaction() as session:
        for number in range(12):
            sent = {"status": "sent", "sent_at": now, "sent_count": 60} if number == 11 else {}
            made_at = now + timedelta(minutes=number)
            session.add(
                BroadcastEmail(subject=f"Lettre {number}", content="Bonjour {{PRENOM}}", created_at=made_at, **sent)
            )
    with reading() as session:
        found = overview.read_mailings(session, HELENE).broadcasts
    assert [row.subject for row in found] == [f"Lettre {number}" for number in range(11, 1, -1)]
    assert found[0].line == "Envoyé le 20/11/2026 à 11:00 à 60 membres"
    assert (found[1].line, found[1].is_sent, found[1].content) == ("Brouillon", False, "Bonjour [Prénom]")


@pytest.mark.parametrize(
    ("audience", "count", "told"),
    [
        ("all", 1, "1 membre"),
        ("domain:Artisanat", 2, "2 membres"),
        ("event:x:yes", 2, "2 membres"),
        ("event:x:came", 1, "1 destinataire"),
        ("event:x:came", 2, "2 destinataires"),
        ("event:x:guests", 3, "3 destinataires"),
    ],
)
def test_only_members_are_called_members(club: str, audience: str, count: int, told: str) -> None:
    now = clock.now()
    with transaction() as session:
        sent = {"status": "sent", "sent_at": now, "sent_count": count, "audience": audience}
        session.add(BroadcastEmail(subject="Merci", content="Bonjour", created_at=now, **sent))
    with reading() as session:
        (row,) = overview.read_mailings(session, HELENE).broadcasts
    assert row.line == f"Envoyé le 20/11/2026 à 11:00 à {told}"
