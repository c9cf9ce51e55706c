"""Marie Durand's link to an event: made, opened, answered by, and what is stored of her answer."""

from collections.abc import Callable
from typing import Any

from sqlmodel import select

from clubapp import clock
from clubapp.database import reading, transaction
from clubapp.models import EventReservation
from clubapp.services.answers import by_link
from clubapp.services.answers.page import AnswerView, Asked
from tests.factories import add_event, add_member, add_reservation


def invite(**columns: Any) -> tuple[str, str]:
    """Invite Marie Durand to an event; its id, and the token of her link."""
    with transaction() as session:
        columns.setdefault("date", clock.from_local("2027-01-14T12:00"))
        made = add_event(session, **columns)
        _, token = add_reservation(session, made, add_member(session))
        return made.id, token


def opened(event_id: str, token: str) -> AnswerView:
    with reading() as session:
        return by_link.open_invitation(session, event_id, token)


def wrote(service: Callable[..., str], event_id: str, token: str, *given: Any) -> AnswerView:
    """The page after a step was recorded, at the next one."""
    with transaction() as session:
        step = service(session, event_id, token, *given)
    with reading() as session:
        return by_link.open_invitation(session, event_id, token, Asked(step))


def stored(event_id: str) -> EventReservation:
    with reading() as session:
        return session.exec(select(EventReservation).where(EventReservation.event_id == event_id)).one()
