"""The page of one event: its head, its stages, its places and texts, its mails; with how many statements."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import update
from sqlmodel import col

from clubapp import clock
from clubapp.database import reading, transaction
from clubapp.models import Event, EventReservation, EventSpeaker, OutboxMail, PlannedMailing, PlannedState, ReminderType
from clubapp.refusals import Forbidden, NotFound
from clubapp.services.base.actors import VISITOR, Actor
from clubapp.services.events import mailing_schedule, meeting_mails, meeting_page, season_list
from clubapp.services.events.meeting_mails import MeetingMails
from clubapp.services.events.meeting_page import Meeting
from clubapp.services.reminders.settings import default_setting
from clubapp.services.reminders.upcoming_mailings import list_upcoming_mailings
from clubapp.services.today import day
from tests.conftest import on_sqlite
from tests.factories import add_event, add_member, add_reservation
from tests.statements import counted

HELENE = Actor(email="helene@beffroi.example", is_admin=True, session_id="s")
At = Callable[[str], datetime]


@pytest.fixture(autouse=True)
def second_of_december(at: At) -> None:
    at("2026-12-02T09:00")


def add_december(**given: Any) -> str:
    """The event of 10 December: one comes with a guest, one waits with another, one is silent, one does not come."""
    given = {
        "status": "confirmed",
        "invitation_sent": True,
        "max_participants": 3,
        "description": "Trois réussites.\n\n11:30 Accueil\n12h30 Déjeuner",
        "host": "Atelier Lin",
    } | given
    with transaction() as session:
        event = add_event(session, "Les réussites", clock.from_local("2026-12-10T12:00"), **given)
        session.add(EventSpeaker(event_id=event.id, name="Zoé Lefèbvre", company="Atelier Lin", role="Directrice"))
        now = clock.now()
        for number, answer in enumerate(
            (
                {"will_attend": True, "with_lunch": True, "guest_count": 1},
                {"will_attend": True, "waiting_since": now, "guest_count": 1},
                {},
                {"will_attend": False},
            )
        ):
            add_reservation(session, event, add_member(session, f"Membre {number}", f"m{number}@x.example"), **answer)
        return event.id


def page_of(event_id: str) -> Meeting:
    with reading() as session:
        return meeting_page.read_meeting(session, HELENE, event_id).meeting


def mails_of(event_id: str) -> MeetingMails:
    with reading() as session:
        return meeting_mails.read_mails(session, HELENE, event_id)


def test_only_administrators_read_the_page(club: str) -> None:
    event_id = add_december()
    for read in (meeting_page.read_meeting, meeting_mails.read_mails):
        with reading() as session, pytest.raises(Forbidden):
            read(session, VISITOR, event_id)
        with reading() as session, pytest.raises(NotFound):
            read(session, HELENE, "nobody")


@on_sqlite
def test_the_day_of_another_year_tells_its_year(club: str) -> None:
    with transaction() as session:
        old = add_event(session, "Il y a longtemps", clock.from_local("2022-05-12T12:00"), status="completed").id
        next_year = add_event(session, "Les vœux", clock.from_local("2027-01-01T12:00")).id
    assert [(page.month, page.day) for page in map(page_of, (old, next_year))] == [
        ("mai 2022", "12"),
        ("janv. 2027", "1er"),
    ]


@on_sqlite
def test_a_place_on_offer_is_taken_on_every_screen_and_asked_for_no_more(club: str) -> None:
    event_id = add_december(max_participants=4)
    waits = update(EventReservation).where(col(EventReservation.waiting_since).is_not(None))
    with transaction() as session:
        session.execute(waits.values(offer_until=clock.now() + timedelta(hours=24)))
    with transaction() as session:
        (card,) = season_list.list_season(session, HELENE).cards
        today = day.open_day(session, HELENE, None).meeting
    meeting = page_of(event_id)
    assert (meeting.places, card.places, today.places) == ("4 / 4", "4 / 4 places", "4 / 4")
    assert (meeting.waiting, meeting.wanted_limit) == ("", 0)


def test_the_head_and_the_side_tell_what_is_known(club: str) -> None:
    meeting = page_of(add_december())
    assert (meeting.month, meeting.day, meeting.weekday, meeting.hours) == ("décembre", "10", "jeudi", "12:00 à 15:00")
    assert (meeting.far, meeting.far_hint, meeting.host) == ("8 jours", "avant la rencontre", "Atelier Lin")
    assert (meeting.answered, meeting.act.label) == ("3 sur 4", "Appeler le membre sans réponse")
    assert meeting.places == "2 / 3"
    assert [(part.kind, part.count) for part in meeting.places_bar] == [("members", 1), ("guests", 1), ("free", 1)]
    assert (meeting.waiting, meeting.wanted_limit) == ("La liste d’attente demande 2 places.", 4)
    (part,) = meeting.description
    assert (part.prose, meeting.has_programme) == ("Trois réussites.", True)
    assert [(step.hour, step.what) for step in part.steps] == [("11:30", "Accueil"), ("12:30", "Déjeuner")]
    assert [(one.name, one.line) for one in meeting.speakers] == [("Zoé Lefèbvre", "Directrice, Atelier Lin")]


@on_sqlite
def test_it_runs_between_its_hours_until_its_doors_are_closed(club: str, at: At) -> None:
    event_id = add_december()
    assert not page_of(event_id).is_running
    at("2026-12-10T12:00")
    assert page_of(event_id).is_running
    assert page_of(event_id).waiting
    with transaction() as session:
        session.get_one(Event, event_id).doors_closed_at = clock.now()
    assert not page_of(event_id).is_running
    at("2026-12-10T15:01")
    assert not page_of(event_id).waiting


@on_sqlite
def test_an_event_without_limit_or_answers_has_no_free_places(club: str) -> None:
    with transaction() as session:
        event_id = add_event(session, date=clock.from_local("2026-12-30T12:00")).id
    meeting = page_of(event_id)
    assert (meeting.places, meeting.answered, meeting.waiting) == ("0", "", "")
    assert [part.kind for part in meeting.places_bar] == ["members", "guests"]
    assert meeting.act.label == "Écrire le texte"


def test_its_mails_stand_together_with_what_became_of_them(club: str) -> None:
    event_id = add_december(reminder_1_subject="Nous comptons sur vous, {{PRENOM}}")
    with transaction() as session:
        session.get_one(Event, event_id).created_at = clock.from_local("2026-11-01T10:00")
        for kind, state, due in (
            (ReminderType.FIRST, PlannedState.PLANNED, "2026-12-03T09:00"),
            (ReminderType.SECOND, PlannedState.MISSED, "2026-12-01T09:00"),
        ):
            moment = clock.from_local(due)
            session.add(
                PlannedMailing(
                    event_id=event_id,
                    reminder_type=kind,
                    due_at=moment,
                    state=state,
                    reason="Panne.",
                    updated_at=moment,
                )
            )
        sent = {"event_id": event_id, "available_at": clock.now(), "updated_at": clock.now()}
        for number, state in enumerate(("sent", "sent", "failed", "excluded")):
            at = clock.from_local("2026-11-16T09:00")
            session.add(OutboxMail(key=f"i{number}", kind="invitation", state=state, created_at=at, **sent))
        session.add(
            OutboxMail(
                key="c", kind="caterer", state="pending", created_at=clock.from_local("2026-12-02T08:00"), **sent
            )
        )
    mails = mails_of(event_id)
    assert [(text.name, text.subject, text.state_label, text.moment, text.detail) for text in mails.texts] == [
        ("Invitation", meeting_mails.CLUB_TEXT, "Parti", "le 16 novembre", "2 remis, 1 refusé"),
        ("1re relance", "Nous comptons sur vous, [Prénom]", "Prévu", "demain à 09:00", "1 membre\u00a0: 1 inscrit"),
        ("2e relance", meeting_mails.CLUB_TEXT, "Manqué", "le 1er déc.", "Panne."),
    ]
    assert [(each.kind, each.counts, each.last) for each in mails.sent] == [
        ("caterer", "1 en attente", "aujourd’hui à 08:00")
    ]
    assert (mails.failed, page_of(event_id).refused) == (1, "1 refusé")
    with transaction() as session:
        session.get_one(Event, event_id).created_at = clock.from_local("2026-12-01T10:00")
    late = mails_of(event_id).texts[2]
    assert (late.state_label, late.tone, late.detail) == ("Date déjà passée", "neutral", "Panne.")


def test_what_would_not_leave_as_the_event_stands_is_not_told_as_planned(club: str) -> None:
    event_id = add_december(status="draft", invitation_sent=False)
    with transaction() as session:
        setting = default_setting(ReminderType.INVITATION)
        setting.is_active, setting.days_before = True, 7
        session.add(setting)
        session.flush()
        mailing_schedule.plan_mailings(session, session.get_one(Event, event_id))
    texts = [text for text in mails_of(event_id).texts if text.state == PlannedState.PLANNED]
    assert [text.name for text in texts] == ["Invitation", "2e relance"]
    labels = {text.state_label for text in texts}
    with reading() as session:
        coming = {row.state_label for row in list_upcoming_mailings(session, HELENE).coming}
    assert coming == labels == {"Sous condition"}
    with transaction() as session:
        assert day.open_day(session, HELENE).leaving == ()


@on_sqlite
def test_a_large_club_asks_no_more_of_the_database_than_a_small_one(club: str) -> None:
    event_id = add_december()

    def count() -> int:
        with reading() as session, counted() as statements:
            meeting_page.read_meeting(session, HELENE, event_id)
            meeting_mails.read_mails(session, HELENE, event_id)
        return len(statements)

    few = count()
    with transaction() as session:
        event = session.get_one(Event, event_id)
        for number in range(300):
            add_reservation(
                session, event, add_member(session, f"N {number}", f"n{number}@x.example"), will_attend=True
            )
    assert count() == few <= 32
