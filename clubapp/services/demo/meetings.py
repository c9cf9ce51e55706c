"""What happened at the meetings of the fictional club: who came, and some of the guests by name."""

from datetime import datetime, timedelta
from random import Random

from sqlmodel import Session, col, select

from clubapp.models import Arrival, Event, EventGuest, EventReservation, EventStatus, coming
from clubapp.services.attendance.people import guest_id
from clubapp.services.demo.addresses import ADMIN_EMAIL
from clubapp.services.demo.names import MEN, SURNAMES, WOMEN
from clubapp.services.demo.people import new_id

_MOST_MEETINGS = 12
_COMES, _IS_NAMED = 0.93, 0.6
_HOUSES = ("Atelier {}", "Cabinet {}", "{} Conseil", "{} et Associés", "")


def add_meetings(session: Session, random: Random, events: list[Event]) -> None:
    """Close the doors of the last meetings, with those who came, and name guests of these and of the next ones."""
    past = [event for event in events if event.status == EventStatus.COMPLETED and event.invitation_sent]
    recent = sorted(past, key=lambda event: event.date)[-_MOST_MEETINGS:]
    for event in recent:
        event.doors_closed_at = event.date + timedelta(hours=2)
    open_ones = [event for event in events if event.status == EventStatus.CONFIRMED]
    at = {event.id: event for event in (*recent, *open_ones)}
    said_yes = select(EventReservation).where(col(EventReservation.event_id).in_(at), coming())
    for reservation in session.exec(said_yes.order_by(col(EventReservation.id))):
        event = at[reservation.event_id]
        positions = range(1, reservation.guest_count + 1)
        session.add_all(_guest(random, reservation, position) for position in positions if random.random() < _IS_NAMED)
        if event.doors_closed_at and random.random() < _COMES:
            guests = (guest_id(reservation.id, position) for position in positions)
            session.add_all(_arrival(random, event, person) for person in (reservation.member_id, *guests) if person)
    session.flush()


def _guest(random: Random, reservation: EventReservation, position: int) -> EventGuest:
    surname = random.choice(SURNAMES)
    said_at: datetime = reservation.responded_at or reservation.created_at
    return EventGuest(
        id=new_id(random),
        event_id=reservation.event_id,
        reservation_id=reservation.id,
        position=position,
        name=f"{random.choice(random.choice((WOMEN, MEN)))} {surname}",
        company=random.choice(_HOUSES).format(surname),
        created_at=said_at,
        updated_at=said_at,
    )


def _arrival(random: Random, event: Event, person: str) -> Arrival:
    arrived_at = event.date + timedelta(minutes=random.randint(-15, 12), seconds=random.randint(0, 59))
    return Arrival(
        id=new_id(random),
        event_id=event.id,
        person=person,
        arrived_at=arrived_at,
        recorded_by=ADMIN_EMAIL,
        created_at=arrived_at,
    )
