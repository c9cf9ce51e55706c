"""One way to make each noun, with the least a test has to say."""

from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import update
from sqlmodel import Session, col

from clubapp import clock, tokens
from clubapp.models import (
    Admin,
    Company,
    Event,
    EventGuest,
    EventReservation,
    Member,
    PlannedMailing,
    PlannedState,
    new_id,
)


def add_admin(session: Session, email: str = "helene@beffroi.example") -> Admin:
    """An administrator."""
    made = Admin(email=email, created_at=clock.now())
    session.add(made)
    session.flush()
    return made


def add_company(session: Session, name: str = "Atelier Lefèbvre", **given: Any) -> Company:
    """A company."""
    made = Company(name=name, created_at=clock.now(), updated_at=clock.now(), **given)
    session.add(made)
    session.flush()
    return made


def add_member(
    session: Session, name: str = "Marie Durand", email: str | None = "marie@durand.example", **given: Any
) -> Member:
    """A member."""
    made = Member(name=name, email=email, created_at=clock.now(), updated_at=clock.now(), **given)
    session.add(made)
    session.flush()
    return made


def add_event(session: Session, title: str = "Matinale d'hiver", date: datetime | None = None, **given: Any) -> Event:
    """An event, a month from now unless told."""
    date = date or clock.now() + timedelta(days=30)
    given.setdefault("location", "Valenciennes")
    made = Event(
        title=title, date=date, month=clock.month_of(date), created_at=clock.now(), updated_at=clock.now(), **given
    )
    session.add(made)
    session.flush()
    return made


def add_reservation(session: Session, event: Event, member: Member, **given: Any) -> tuple[EventReservation, str]:
    """An invitation, and the token of its link."""
    identifier = new_id()
    token = tokens.derive("answer", identifier)
    made = EventReservation(
        id=identifier,
        event_id=event.id,
        member_id=member.id,
        response_token=tokens.fingerprint(token),
        created_at=clock.now(),
        updated_at=clock.now(),
        **given,
    )
    session.add(made)
    session.flush()
    return made, token


def settle_due_mailings(session: Session) -> None:
    """Close what leaves within the hour: of the fictional club, that depends on the day on which a test runs."""
    due = col(PlannedMailing.due_at) <= clock.now() + timedelta(hours=1)
    session.connection().execute(update(PlannedMailing).where(due).values(state=PlannedState.MISSED))


def add_guest(session: Session, event: Event, reservation_id: str | None, position: int | None, **given: Any) -> None:
    """A guest: of a reservation, or without one somebody whom nobody announced."""
    whose = {"event_id": event.id, "reservation_id": reservation_id, "position": position}
    session.add(EventGuest(created_at=clock.now(), updated_at=clock.now(), **whose, **given))
    session.flush()
