"""Events of the fictional club, their speakers and answers."""

from datetime import UTC, date, datetime, time, timedelta
from random import Random

from sqlmodel import Session

from clubapp import clock, tokens
from clubapp.models import (
    AnswerSource,
    Event,
    EventReservation,
    EventSpeaker,
    EventStatus,
    Member,
    ReservationAnswer,
)
from clubapp.services.demo.addresses import ADMIN_EMAIL
from clubapp.services.demo.event_topics import BIOS, CALENDAR, OPEN_WORDS, THEMES, VENUES, DemoSlot
from clubapp.services.demo.people import new_id

_THURSDAY = 3
_HOURS = (time(8, 30), time(12, 0), time(18, 30))


def add_events(session: Session, random: Random, count: int, members: list[Member], today: datetime) -> list[Event]:
    """Add events around today: one a month, with some future months free."""
    made = [_event(random, number, slot, today) for number, slot in enumerate(_calendar(count))]
    session.add_all(made)
    session.flush()
    answers: list[ReservationAnswer] = []
    for event in made:
        session.add_all(_speakers(random, event, members))
        if event.invitation_sent:
            reservations = _reservations(random, event, members, today)
            session.add_all(reservations)
            if event.date > today:
                answers += [_history(one) for one in reservations if one.responded_at]
    session.flush()
    session.add_all(answers)
    session.flush()
    return made


def _calendar(count: int) -> list[DemoSlot]:
    oldest = min(slot.months for slot in CALENDAR)
    beyond = range(max(0, count - len(CALENDAR)))
    return [*CALENDAR[:count], *(DemoSlot(oldest - 1 - number, EventStatus.COMPLETED, True) for number in beyond)]


def _event(random: Random, number: int, slot: DemoSlot, today: datetime) -> Event:
    # A cancelled event may share the month, but not the day, of the one that replaced it.
    thursday = 1 if slot.status == EventStatus.CANCELLED else 2
    moment = _moment(clock.to_local(today).date(), slot.months, thursday, _HOURS[number % len(_HOURS)])
    title, description = THEMES[clock.to_local(moment).month - 1]
    location, address = VENUES[number % len(VENUES)]
    written = min(today, moment - timedelta(days=60))
    return Event(
        id=new_id(random),
        title=title,
        date=moment,
        month=clock.month_of(moment),
        location=location,
        address=address,
        description=f"{description} {OPEN_WORDS}",
        has_lunch=clock.to_local(moment).hour == 12,
        max_participants=None if number % 3 == 0 else 40,
        status=slot.status,
        invitation_sent=slot.sent,
        created_by=ADMIN_EMAIL,
        created_at=written,
        updated_at=written,
    )


def _moment(day: date, months: int, which: int, hour: time) -> datetime:
    """The first, second… Thursday of the month that many months from a day."""
    years, month = divmod(day.month - 1 + months, 12)
    first = date(day.year + years, month + 1, 1)
    thursday = first + timedelta(days=(_THURSDAY - first.weekday()) % 7 + 7 * (which - 1))
    return datetime.combine(thursday, hour, clock.zone()).astimezone(UTC)


def _speakers(random: Random, event: Event, members: list[Member]) -> list[EventSpeaker]:
    chosen = random.sample(members, min(random.randint(1, 3), len(members)))
    return [
        EventSpeaker(
            id=new_id(random),
            event_id=event.id,
            name=member.name,
            company=member.company or None,
            role=member.role,
            bio=random.choice(BIOS),
            display_order=order,
        )
        for order, member in enumerate(chosen)
    ]


def _reservations(random: Random, event: Event, members: list[Member], today: datetime) -> list[EventReservation]:
    """Add invitations, most of them answered once the event is past, within the capacity."""
    invited_at = min(today, event.date) - timedelta(days=21 if event.date < today else 2)
    answered = 0.85 if event.date < today else 0.4
    made = [_reservation(random, event, member, invited_at, answered) for member in members]
    coming = sum(1 + one.guest_count for one in made if one.will_attend)
    if event.max_participants is not None:
        event.max_participants = (coming // 10 + 2) * 10
    return made


def _reservation(
    random: Random, event: Event, member: Member, invited_at: datetime, answered: float
) -> EventReservation:
    identifier = new_id(random)
    answers = random.random() < answered
    attends = random.random() < 0.6
    responded_at = invited_at + timedelta(minutes=random.randint(5, 2500)) if answers else None
    return EventReservation(
        id=identifier,
        event_id=event.id,
        member_id=member.id,
        response_token=tokens.fingerprint(tokens.derive("answer", identifier)),
        will_attend=attends if answers else None,
        with_lunch=random.random() < 0.8 if answers and attends and event.has_lunch else None,
        guest_count=random.choice((0, 0, 0, 0, 1, 1, 2)) if answers and attends else 0,
        responded_at=responded_at,
        answered_via=(AnswerSource.MEMBER if identifier < "3" else AnswerSource.LINK) if answers else "",
        created_at=invited_at,
        updated_at=responded_at or invited_at,
    )


def _history(reservation: EventReservation) -> ReservationAnswer:
    """The answer of someone as it came in."""
    return ReservationAnswer(
        id=reservation.id,
        reservation_id=reservation.id,
        at=reservation.responded_at or reservation.created_at,
        will_attend=reservation.will_attend,
        with_lunch=reservation.with_lunch,
        guest_count=reservation.guest_count,
        via=reservation.answered_via,
    )
