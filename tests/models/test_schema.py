"""Models and migrations agree, and the database itself holds the rules."""

from datetime import timedelta

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import select
from sqlalchemy.exc import IntegrityError
from sqlmodel import SQLModel

from clubapp import clock
from clubapp.database import engine, reading, transaction
from clubapp.models import EmailReminderSetting, OutboxMail, event_stats
from tests.factories import add_event, add_member, add_reservation


def test_models_and_migrations_agree(club: str) -> None:
    with engine().connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), SQLModel.metadata) == []


def test_a_month_holds_one_event_that_is_not_cancelled(club: str) -> None:
    first_july_in_paris = clock.from_local("2027-07-01T00:30")
    with transaction() as session:
        assert add_event(session, date=first_july_in_paris).month == "2027-07"
        add_event(session, date=first_july_in_paris, status="cancelled")
    with pytest.raises(IntegrityError), transaction() as session:
        add_event(session, date=first_july_in_paris + timedelta(days=20))


def test_an_address_belongs_to_one_member_and_is_stored_in_lower_case(club: str) -> None:
    with transaction() as session:
        add_member(session, email="marie@durand.example")
        add_member(session, name="Sans adresse", email=None)
        add_member(session, name="Sans adresse non plus", email=None)
    with pytest.raises(IntegrityError), transaction() as session:
        add_member(session, email="marie@durand.example")
    with pytest.raises(IntegrityError), transaction() as session:
        add_member(session, email="Paul@durand.example")


@pytest.mark.parametrize("guests", [-1, 6])
def test_guests_are_zero_to_five(club: str, guests: int) -> None:
    with pytest.raises(IntegrityError), transaction() as session:
        add_reservation(session, add_event(session), add_member(session), guest_count=guests)


@pytest.mark.parametrize("days", [-1, 366])
def test_reminder_days_are_zero_to_365(club: str, days: int) -> None:
    with pytest.raises(IntegrityError), transaction() as session:
        session.add(EmailReminderSetting(reminder_type="event_reminder_1", days_before=days))


def test_a_person_is_invited_to_an_event_once(club: str) -> None:
    with transaction() as session:
        event, member = add_event(session), add_member(session)
        add_reservation(session, event, member)
    with pytest.raises(IntegrityError), transaction() as session:
        add_reservation(session, event, member)


def test_a_message_is_queued_once(club: str) -> None:
    def queue() -> None:
        with transaction() as session:
            now = clock.now()
            session.add(OutboxMail(key="one", kind="test", available_at=now, created_at=now, updated_at=now))

    queue()
    with pytest.raises(IntegrityError):
        queue()


def test_figures_are_counted_from_the_answers(club: str) -> None:
    with transaction() as session:
        event = add_event(session)
        for number, answer in enumerate(
            [
                {"will_attend": True, "with_lunch": True, "guest_count": 2},
                {"will_attend": True, "with_lunch": False},
                {"will_attend": False, "guest_count": 3},
                {},
                {"will_attend": True, "with_lunch": True, "guest_count": 1, "waiting_since": clock.now()},
                {"withdrawn_at": clock.now()},
            ]
        ):
            add_reservation(session, event, add_member(session, email=f"m{number}@club.example"), **answer)
    with reading() as session:
        row = session.connection().execute(select(event_stats)).mappings().one()
        assert dict(row) == {
            "event_id": event.id,
            "total_invited": 5,
            "total_attending": 2,
            "total_not_attending": 1,
            "total_no_response": 1,
            "total_with_lunch": 1,
            "total_guests": 2,
            "total_waiting": 1,
        }
