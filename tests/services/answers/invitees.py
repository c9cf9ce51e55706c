"""An event and the people invited to it, who answer by their links."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlmodel import col, select

from clubapp import clock
from clubapp.database import reading, transaction
from clubapp.models import Event, EventReservation, MailState, Member, OutboxMail, ReservationAnswer, event_stats
from clubapp.services.answers import by_link
from clubapp.services.answers.answer_form import Answer, parse_attendance, parse_guests, parse_lunch
from clubapp.services.answers.page import AnswerView
from clubapp.services.base.actors import Actor
from tests.factories import add_event, add_member, add_reservation
from tests.services.answers.maries_link import wrote

NOW = "2026-11-20T10:00"
ADMIN = Actor(email="helene@beffroi.example", is_admin=True, session_id="s")
MEMBER = Actor(email="marie@durand.example", member_id="m", session_id="s")
Move = Callable[[str], datetime]


@dataclass(frozen=True)
class Invitee:
    """One invited member."""

    event_id: str
    member_id: str
    reservation_id: str
    token: str

    def open(self) -> AnswerView:
        with reading() as session:
            return by_link.open_invitation(session, self.event_id, self.token)

    def says(self, will_attend: bool, guests: int | None = None) -> AnswerView:
        """'Yes' or 'No'; with guests, the whole way to the end of an event without lunch."""
        view = self._answers(parse_attendance(will_attend))
        return view if guests is None else self._answers(parse_guests(guests))

    def takes_lunch(self, with_lunch: bool) -> AnswerView:
        return self._answers(parse_lunch(with_lunch))

    def brings(self, count: int | str) -> AnswerView:
        return self._answers(parse_guests(count))

    def _answers(self, answer: Answer) -> AnswerView:
        return wrote(by_link.record_answer, self.event_id, self.token, answer)

    @property
    def row(self) -> EventReservation:
        with reading() as session:
            return session.exec(select(EventReservation).where(EventReservation.id == self.reservation_id)).one()

    @property
    def history(self) -> list[ReservationAnswer]:
        with reading() as session:
            mine = select(ReservationAnswer).where(ReservationAnswer.reservation_id == self.reservation_id)
            return list(session.exec(mine.order_by(col(ReservationAnswer.at))))

    def mails(self, kind: str, state: str = MailState.PENDING) -> list[OutboxMail]:
        with reading() as session:
            mine = select(OutboxMail).where(
                OutboxMail.reservation_id == self.reservation_id, OutboxMail.kind == kind, OutboxMail.state == state
            )
            return list(session.exec(mine.order_by(col(OutboxMail.available_at))))


def invite(*names: str, **event: Any) -> list[Invitee]:
    """Invite people to one event: 14 January 2027 at noon, without lunch, unless told."""
    with transaction() as session:
        event = {"date": clock.from_local("2027-01-14T12:00"), "has_lunch": False, "status": "confirmed"} | event
        made = add_event(session, **event)
        people = []
        for name in names:
            member = add_member(session, name, f"{name.lower()}@club.example")
            reservation, token = add_reservation(session, made, member)
            people.append(Invitee(made.id, member.id, reservation.id, token))
        return people


def change_event(event_id: str, **columns: Any) -> None:
    with transaction() as session:
        session.exec(select(Event).where(Event.id == event_id)).one().sqlmodel_update(columns)


def change_member(member_id: str, **columns: Any) -> None:
    with transaction() as session:
        session.exec(select(Member).where(Member.id == member_id)).one().sqlmodel_update(columns)


def figures(event_id: str) -> tuple[int, int, int]:
    """Présents, invités, en attente."""
    with reading() as session:
        row = session.connection().execute(event_stats.select().where(event_stats.c.event_id == event_id)).one()
    return row.total_attending, row.total_guests, row.total_waiting
