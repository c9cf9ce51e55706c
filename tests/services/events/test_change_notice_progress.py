"""How far the last notice of an event has come: who has it, who waits, who was left out; an older one is over."""

from collections.abc import Callable
from dataclasses import asdict
from datetime import datetime

import pytest

from clubapp.database import reading, transaction
from clubapp.mail.queue.outbox import UNNAMED
from clubapp.models import MailState
from clubapp.refusals import Forbidden
from clubapp.services.base.actors import Actor
from clubapp.services.events import admin_views, change_notices
from clubapp.services.events import editing as event_editing
from clubapp.services.events.change_notice_progress import LastNotice, read_last_notice
from clubapp.services.members import editing as member_editing
from clubapp.services.privacy import retention
from tests.factories import add_member, add_reservation
from tests.services.events.event_notices import HELENE, MOVED, notes, save


def told(event_id: str, actor: Actor = HELENE) -> LastNotice:
    with reading() as session:
        return read_last_notice(session, actor, event_id)


def test_only_administrators_may_know(january_event: str) -> None:
    with pytest.raises(Forbidden):
        told(january_event, Actor(email="anne@club.example"))


def test_nothing_is_shown_before_anybody_was_told(january_event: str) -> None:
    save(january_event, tell=False, **MOVED)
    assert told(january_event) == LastNotice()


def test_each_message_is_counted_by_what_became_of_it_and_who_was_left_out_is_named(january_event: str) -> None:
    with transaction() as session:
        add_reservation(session, event_editing.find_event(session, january_event), add_member(session, "Élise", None))
    save(january_event, tell=True, **MOVED)
    with transaction() as session:
        fates = MailState.SENT, MailState.FAILED, MailState.UNCERTAIN, MailState.HANDING_OVER
        for mail, state in zip(notes(), fates, strict=True):
            session.merge(mail).state = state
    found = told(january_event)
    assert (found.title, found.when) == ("Changement annoncé", "20/11/2026 à 11:00")
    figures = asdict(found.sending)
    assert figures.pop("excluded") == ({"name": "Élise", "reason": change_notices.NO_ADDRESS},)
    assert figures == {
        "recipients": 4, "sent": 1, "pending": 1, "failed": 1, "uncertain": 1, "withdrawn": 0,
        "sentence": "1 message envoyé sur 4",
    }  # fmt: skip
    with reading() as session:
        assert admin_views.read_overview(session, HELENE, january_event).last_notice == found


def test_a_later_notice_takes_the_place_of_the_one_before(january_event: str, at: Callable[[str], datetime]) -> None:
    save(january_event, tell=True, **MOVED)
    at("2026-11-20T10:01")
    save(january_event, tell=True, status="cancelled")
    found = told(january_event)
    assert found.title == "Annulation annoncée"
    assert (found.sending.recipients, found.sending.pending, found.sending.withdrawn) == (3, 3, 0)
    assert len(notes("withdrawn")) == 4


def test_the_twelfth_change_is_not_taken_for_the_second(january_event: str, at: Callable[[str], datetime]) -> None:
    for number in range(1, 13):
        at(f"2026-11-20T10:{number:02}")
        save(january_event, tell=number in (2, 12), location=f"Salle {number}")
    assert told(january_event).sending.recipients == 3


def test_the_figures_outlive_the_people(january_event: str, at: Callable[[str], datetime]) -> None:
    with transaction() as session:
        add_reservation(session, event_editing.find_event(session, january_event), add_member(session, "Élise", None))
    save(january_event, tell=True, **MOVED)
    with transaction() as session:
        for mail in notes():
            member_editing.delete(session, HELENE, str(mail.member_id))
    found = told(january_event)
    assert (found.title, found.sending.recipients, found.sending.withdrawn) == ("Changement annoncé", 4, 4)
    at("2027-11-21T10:00")
    with transaction() as session:
        retention.erase_expired(session)
    found = told(january_event)
    assert (found.title, found.when, found.sending.recipients) == ("Changement annoncé", "20/11/2026 à 11:00", 4)
    assert [one.name for one in found.sending.excluded] == [UNNAMED]


def test_the_left_out_are_named_as_people_sort_names(january_event: str) -> None:
    with transaction() as session:
        for name in ("zoé", "Élise", "Denis"):
            add_reservation(session, event_editing.find_event(session, january_event), add_member(session, name, None))
    save(january_event, tell=True, **MOVED)
    assert [one.name for one in told(january_event).sending.excluded] == ["Denis", "Élise", "zoé"]
