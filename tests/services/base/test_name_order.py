"""Wherever people read names in a list, neither case nor accents move them (C6)."""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any

import pytest
from sqlmodel import Session

from clubapp import clock
from clubapp.database import reading, transaction
from clubapp.mail.messages.built_in_event_texts import Timing
from clubapp.models import ReminderType
from clubapp.services.base.actors import Actor
from clubapp.services.events import admin_views, change_notices, invitations
from clubapp.services.events.editing import find_event
from clubapp.services.mailings import broadcasts, overview, previews
from clubapp.services.mailings.broadcasts import BroadcastForm
from clubapp.services.reminders import recipients
from clubapp.text.collation import fold
from tests.factories import add_event, add_member

HELENE = Actor(email="helene@beffroi.example", is_admin=True, session_id="s")
NAMES = ["Denis", "Élise", "élodie", "Zoé", "zoé"]


@pytest.fixture
def event_id(club: str, at: Callable[[str], datetime]) -> str:
    """An event to which everyone was invited but those without an address; both came in a random order."""
    at("2026-11-20T10:00")
    with transaction() as session:
        event = add_event(session, date=clock.from_local("2027-01-14T12:00"), status="confirmed")
        for place in (3, 1, 4, 0, 2):
            add_member(session, NAMES[place], f"m{place}@club.example")
            add_member(session, NAMES[place], None)
        invitations.send_invitations(session, HELENE, event.id)
        draft = broadcasts.save(session, HELENE, BroadcastForm(subject="La lettre", content="Bonjour"))
        broadcasts.send_broadcast(session, HELENE, draft.id)
        return event.id


def _reminded(session: Session, event_id: str) -> recipients.Recipients:
    return recipients.find_recipients(
        session, find_event(session, event_id), ReminderType.FIRST, Timing(7, is_active=True, to_unanswered=True)
    )


LISTS: dict[str, Callable[[Session, str], Sequence[Any]]] = {
    "readers of a preview": lambda session, _: previews.list_readers(session, HELENE),
    "people taken for speakers": lambda session, _: admin_views.list_speaker_candidates(session, HELENE),
    "reminded": lambda session, event_id: _reminded(session, event_id).recipients,
    "not reminded": lambda session, event_id: _reminded(session, event_id).left_out,
    "invited": lambda session, event_id: invitations.split_members(session, event_id)[0],
    "not invited": invitations.list_left_out,
    "not told of a deletion": lambda session, event_id: (
        change_notices.plan_deletion_notices(session, find_event(session, event_id)).left_out
    ),
    "left out of a broadcast": lambda session, _: (
        overview.read_mailings(session, HELENE).broadcasts[0].figures.excluded
    ),
}


@pytest.mark.parametrize("listed", LISTS.values(), ids=list(LISTS))
def test_names_stand_as_people_expect(event_id: str, listed: Callable[[Session, str], Sequence[Any]]) -> None:
    with reading() as session:
        names = [fold(one.name) for one in listed(session, event_id)]
    assert set(names) == {"denis", "elise", "elodie", "zoe"}
    assert names == sorted(names)


def test_a_list_that_is_cut_keeps_the_first(event_id: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(previews, "READERS_SHOWN", 2)
    with reading() as session:
        assert [one.name for one in previews.list_readers(session, HELENE)] == ["Denis", "Élise"]
