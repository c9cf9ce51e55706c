"""Whom of the club a member has never met."""

from collections.abc import Callable
from datetime import datetime

import pytest
from sqlmodel import select

from clubapp import clock
from clubapp.database import reading, transaction
from clubapp.mail.messages import mail_kinds
from clubapp.models import Arrival, Event, Member, OutboxMail, PlannedMailing, ReminderType, Seat
from clubapp.refusals import Forbidden
from clubapp.services.base.actors import SYSTEM, VISITOR, Actor
from clubapp.services.events import mailing_schedule
from clubapp.services.reminders import dispatch
from clubapp.services.seating.never_met import list_never_met
from tests.conftest import forget_settings, on_sqlite
from tests.factories import add_event, add_member, add_reservation

pytestmark = on_sqlite


@pytest.fixture
def ids(club: str, at: Callable[[str], datetime]) -> dict[str, str]:
    """Anne, Bruno and Chloé came, the first two at one table; David said yes and did not come; Éric is not active."""
    at("2026-11-20T10:00")
    with transaction() as session:
        event = add_event(session, date=clock.from_local("2026-10-15T12:00"), status="completed")
        coming = add_event(session, date=clock.from_local("2026-12-15T12:00"), status="confirmed")
        found = {}
        for name in ("Anne", "Bruno", "Chloé", "David", "Éric"):
            member = add_member(session, name, f"{name[0].lower()}@club.example", company="Zinc" if name > "D" else "")
            member.is_active = name != "Éric"
            found[name] = member.id
            for each in (event, coming):
                add_reservation(session, each, member, will_attend=True)
            if name < "D":
                session.add(
                    Arrival(event_id=event.id, person=member.id, arrived_at=clock.now(), created_at=clock.now())
                )
                session.add(Seat(event_id=event.id, person=member.id, table_position=1 + (name == "Chloé")))
        return found


def lists_of(person: str) -> list[tuple[str, tuple[str, ...]]]:
    with reading() as session:
        return [(each.label, each.members) for each in list_never_met(session, SYSTEM, person)]


@pytest.mark.parametrize("person", [VISITOR, Actor("a@club.example", member_id="a", session_id="s")])
def test_only_administrators_are_told(ids: dict[str, str], person: Actor) -> None:
    with reading() as session, pytest.raises(Forbidden):
        list_never_met(session, person, ids["Anne"])


def test_who_never_came_together_comes_first_then_who_never_sat_together(ids: dict[str, str]) -> None:
    assert lists_of(ids["Anne"]) == [
        ("Jamais venus à la même rencontre\u00a0: 1", ("David, Zinc",)),
        ("Venus ensemble, jamais à la même table\u00a0: 1", ("Chloé",)),
    ]


def test_nothing_is_said_of_who_has_not_come_to_any_meeting(ids: dict[str, str]) -> None:
    assert lists_of(ids["David"]) == []
    assert lists_of("nobody") == []


def test_without_tables_only_meetings_count(ids: dict[str, str]) -> None:
    with transaction() as session:
        for seat in session.exec(select(Seat)).all():
            session.delete(seat)
    assert [label for label, _ in lists_of(ids["Anne"])] == ["Jamais venus à la même rencontre\u00a0: 1"]


def test_the_last_reminder_names_whom_to_meet_where_the_club_wants_it(
    ids: dict[str, str], environment: pytest.MonkeyPatch
) -> None:
    environment.setenv("CLUB_TO_MEET", "1")
    forget_settings()
    with transaction() as session:
        event = session.exec(select(Event).where(Event.status == "confirmed")).one()
        event.invitation_sent = True
        mailing_schedule.plan_mailings(session, event)
        session.flush()
        planned = session.exec(select(PlannedMailing).where(PlannedMailing.reminder_type == ReminderType.SECOND)).one()
        dispatch.dispatch_now(session, SYSTEM, planned, event)
        session.get_one(Member, ids["Chloé"]).is_listed = False
    with reading() as session:
        letters = {
            session.get_one(Member, mail.member_id or "").name: mail_kinds.compose(session, mail).context["to_meet"]
            for mail in session.exec(select(OutboxMail).where(OutboxMail.state == "pending"))
        }
    assert letters == {
        "Anne": ["David, Zinc"],
        "Bruno": ["David, Zinc"],
        "Chloé": ["David, Zinc"],
        "David": ["Anne", "Bruno"],
    }
