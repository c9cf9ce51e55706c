"""A duplicated event: the next free month, the same hour, a draft without its past."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from typing import Any

import pytest

from clubapp import clock
from clubapp.database import reading, transaction
from clubapp.refusals import NotFound
from clubapp.services.base.actors import Actor
from clubapp.services.events import duplication, editing
from clubapp.services.events.form import EventForm, SpeakerForm
from tests.factories import add_event

HELENE = Actor(email="helene@beffroi.example", is_admin=True, session_id="s")


@pytest.fixture(autouse=True)
def november(at: Callable[[str], datetime]) -> None:
    at("2026-11-20T10:00")


def plan(*moments: str, **given: Any) -> str:
    """Events at these local times; the id of the first."""
    with transaction() as session:
        made = [add_event(session, date=clock.from_local(moment), **given) for moment in moments]
        return made[0].id


def copy(event_id: str) -> EventForm:
    with reading() as session:
        return duplication.duplicate(session, HELENE, event_id)


def test_a_copy_is_a_new_draft_with_the_same_words_and_speakers(club: str) -> None:
    typed = EventForm(
        title="Matinale d'hiver",
        date="2027-01-14T12:00",
        status="confirmed",
        location="Valenciennes",
        max_participants="40",
        address="3 place d'Armes",
        description="Accueil café.",
        has_lunch=False,
        answers_until="2027-01-11T18:00",
        speakers=(SpeakerForm("Zoé", "Filature", "Directrice", "Bio"), SpeakerForm("Éric")),
    )
    with transaction() as session:
        event_id = editing.save(session, HELENE, typed).id
    expected = replace(
        typed, copy_of=event_id, status="draft", date="2027-02-11T12:00", answers_until="2027-02-08T18:00"
    )
    assert copy(event_id) == expected
    with transaction() as session:
        assert editing.save(session, HELENE, copy(event_id)).id != event_id


WORDS = {
    "email_subject": "Venez chez nous",
    "email_template": "{{EVENT_TITLE}}, le {{EVENT_DATE}}",
    "reminder_1_template": "Plus que {{DAYS_UNTIL}} jours",
    "reminder_2_subject": "C’est bientôt",
}


def test_a_copy_says_the_same_in_its_mails_and_was_sent_to_nobody(club: str) -> None:
    event_id = plan("2027-01-14T12:00", **WORDS, invitation_sent=True, sequence=3)
    with transaction() as session:
        copied = replace(copy(event_id), speakers=(SpeakerForm("Zoé"),))
        made = editing.find_event(session, editing.save(session, HELENE, copied).id)
        assert made.model_dump(include=set(WORDS)) == WORDS
        assert (made.reminder_1_subject, made.reminder_2_template) == (None, None)
        assert (made.invitation_sent, made.sequence) == (False, 0)
        changed = replace(editing.open_form(session, HELENE, event_id), copy_of=made.id, speakers=copied.speakers)
        made.email_subject = "Autre"
        editing.save(session, HELENE, changed)
        assert editing.find_event(session, event_id).email_subject == "Venez chez nous"


def test_a_copy_of_what_was_deleted_since_has_the_clubs_words(club: str) -> None:
    event_id = plan("2027-01-14T12:00", **WORDS)
    copied = replace(copy(event_id), speakers=(SpeakerForm("Zoé"),))
    with transaction() as session:
        editing.delete(session, HELENE, event_id)
    with transaction() as session:
        assert editing.find_event(session, editing.save(session, HELENE, copied).id).email_subject is None


def test_a_deadline_that_would_be_past_is_left_out(club: str) -> None:
    event_id = plan("2024-05-17T12:00", answers_until=clock.from_local("2024-05-10T12:00"))
    assert (copy(event_id).date, copy(event_id).answers_until) == ("2026-11-20T12:00", "")


@pytest.mark.parametrize(
    ("first", "others", "date"),
    [
        ("2027-01-14T12:00", (), "2027-02-11T12:00"),  # the second Thursday
        ("2027-01-14T12:00", ("2027-02-01T12:00", "2027-03-31T12:00"), "2027-04-08T12:00"),
        ("2027-01-29T08:30", (), "2027-02-26T08:30"),  # the fifth Friday becomes the last
        ("2026-12-10T18:30", (), "2027-01-14T18:30"),
        ("2024-05-16T12:00", ("2026-12-10T12:00",), "2027-01-21T12:00"),  # not before today: 19 November is past
        ("2024-05-17T12:00", (), "2026-11-20T12:00"),  # the third Friday of this month is today, and still to come
    ],
)
def test_the_next_free_month_keeps_hour_and_weekday(club: str, first: str, others: tuple[str, ...], date: str) -> None:
    assert copy(plan(first, *others)).date == date


def test_a_cancelled_event_does_not_take_its_month(club: str) -> None:
    event_id = plan("2027-01-14T12:00")
    plan("2027-02-11T12:00", status="cancelled")
    assert copy(event_id).date == "2027-02-11T12:00"


def test_a_deleted_event_has_no_copy(club: str) -> None:
    with pytest.raises(NotFound):
        copy("gone")
