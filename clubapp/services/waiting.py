"""The waiting list of a full event: who is on it, in what order, and to whom a freed place is offered.

Who waits asks for one place; lunch and guests are asked for once they have it. A freed place is offered to the first
in line and kept for them for a day, or for half of the time that is left when that is less. Whoever lets an offer
pass leaves the list, so that the place goes on to the next; the same link puts them back. Who could not be told of an
offer, because mail is held or has not left yet, does not lose it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import bindparam, func
from sqlmodel import Session, col, select

from clubapp import clock
from clubapp.mail import outbox, pause
from clubapp.mail.confirmations import OFFERED
from clubapp.models import AnswerSource, Event, EventReservation, Member, OutboxMail, ReservationAnswer
from clubapp.refusals import NotFound
from clubapp.services import audit, places
from clubapp.services.actors import SYSTEM, Actor, require_admin

OFFER = timedelta(hours=24)
NO_LONGER_WAITING = "Cette personne n'est plus sur la liste d'attente."
_PRIORITY = 3  # a place is kept from others meanwhile


@dataclass(frozen=True)
class WaitingRow:
    """Someone on the list. `offer` says until when a place is kept for them; empty while there is none."""

    reservation_id: str
    position: int
    name: str
    company: str
    since: str
    offer: str = ""
    can_go_up: bool = False
    can_go_down: bool = False


def of_event(session: Session, actor: Actor, event_id: str) -> tuple[WaitingRow, ...]:
    """The waiting list of an event, the next one first."""
    require_admin(actor)
    rows = session.exec(
        select(EventReservation, Member)
        .join(Member)
        .where(*_waits(event_id))
        .order_by(col(EventReservation.waiting_rank), col(EventReservation.waiting_since))
    ).all()
    queue = [row.id for row, _ in rows if not _has_offer(row)]
    return tuple(_row(number, row, member, queue) for number, (row, member) in enumerate(rows, 1))


def move(session: Session, actor: Actor, reservation_id: str, up: bool) -> None:
    """Let someone pass the one before, or be passed by the one after. Who has an offer is not in the queue any more.

    Raises:
        NotFound: when the person is not, or no longer, in the queue.
    """
    require_admin(actor)
    found = session.get(EventReservation, reservation_id)
    event = session.get(Event, found.event_id) if found else None
    if found is None or event is None:
        raise NotFound(NO_LONGER_WAITING)
    places.hold(session, event, found)
    queue = list(_queue(session, event.id))
    if found not in queue:
        raise NotFound(NO_LONGER_WAITING)
    here = queue.index(found)
    there = here - 1 if up else here + 1
    if not 0 <= there < len(queue):
        return
    queue.insert(there, queue.pop(here))
    for rank, each in enumerate(queue, 1):
        each.waiting_rank = rank
        session.add(each)
    audit.record(session, actor, "waiting.moved", reservation_id, to=there + 1)
    session.flush()


def offer_free_places(session: Session, event_id: str) -> int:
    """Offer each free place to the next in line. To be called whenever a place may have come free.

    Returns:
        How many places were offered.
    """
    event = session.get(Event, event_id)
    if event is None or places.why_closed(event):
        return 0
    if event.max_participants is None and not _queue(session, event_id):
        return 0  # whoever asks shares the event with other answers
    places.hold(session, event)
    queue = _queue(session, event_id)
    if not queue:
        return 0
    free = places.free(session, event)
    chosen = queue if free is None else queue[: max(0, free)]
    for each in chosen:
        _offer(session, event, each)
    session.flush()
    return len(chosen)


def expire_offers(session: Session) -> int:
    """Let the offers that nobody took pass to the next in line; a job calls it.

    It also offers what came free without anybody saying so, such as by a change made in the database. An offer that
    nobody was told of is made anew; while mail is held, every one lasts.

    Returns:
        How many offers have lapsed.
    """
    lapsed, is_held = 0, pause.is_held(session)
    waited_for = select(EventReservation.event_id).where(col(EventReservation.waiting_since).is_not(None)).distinct()
    full = select(Event).where(col(Event.id).in_(waited_for), col(Event.date) > clock.now())
    for event in session.exec(full.order_by(col(Event.id))).all():
        places.hold(session, event)
        for each in session.exec(
            select(EventReservation).where(*_waits(event.id), col(EventReservation.offer_until) <= clock.now())
        ).all():
            if not places.why_closed(event) and is_held:
                each.offer_until = _offer_until(event)
                session.add(each)
            elif not places.why_closed(event) and _is_untold(session, each):
                _offer(session, event, each)
            else:
                _lapse(session, each)
                lapsed += 1
        offer_free_places(session, event.id)
    return lapsed


def offer_anew(session: Session) -> None:
    """Mail is no longer held: whose offer waited to be told has the whole time again, and a mail that says so."""
    untold = select(OutboxMail.reservation_id).where(
        OutboxMail.kind == OFFERED, col(OutboxMail.state).in_(outbox.WAITING)
    )
    rows = session.exec(
        select(EventReservation, Event)
        .join(Event)
        .where(col(EventReservation.id).in_(untold), col(EventReservation.offer_until).is_not(None))
        .order_by(col(Event.id))
    ).all()
    for reservation, event in rows:
        places.hold(session, event, reservation)  # an answer may be on its way
        if reservation.is_waiting and not places.why_closed(event):
            _offer(session, event, reservation)
    session.flush()


def free_places_of(session: Session, member_id: str) -> None:
    """Someone leaves the club, or is set aside: they come to no event any more, and their places go to others.

    To be called before the member is deleted. Past events keep their counts.
    """
    rows = session.exec(
        select(EventReservation, Event)
        .join(Event)
        .where(EventReservation.member_id == member_id, col(Event.date) > clock.now())
        .order_by(col(Event.id))
    ).all()
    for reservation, event in rows:
        places.hold(session, event, reservation)  # an answer may be on its way
        if not reservation.will_attend:
            continue
        leave(reservation)
        reservation.will_attend, reservation.with_lunch, reservation.guest_count = False, None, 0
        reservation.updated_at = clock.now()
        session.add(reservation)
        session.flush()
        offer_free_places(session, event.id)


def join(session: Session, event: Event, reservation: EventReservation) -> None:
    """Put someone at the end of the list, with what they said of lunch and guests forgotten."""
    last = session.exec(
        select(func.max(EventReservation.waiting_rank)).where(EventReservation.event_id == event.id)
    ).one()
    reservation.waiting_since, reservation.waiting_rank = clock.now(), (last or 0) + 1
    reservation.offer_until = None
    reservation.with_lunch, reservation.guest_count = None, 0


def leave(reservation: EventReservation) -> None:
    """Take someone off the list."""
    reservation.waiting_since = reservation.waiting_rank = reservation.offer_until = None


def has_room(session: Session, event: Event) -> bool:
    """Whether somebody new gets a place at once: one is free, and nobody waits for it."""
    return is_open(session, event, places.free(session, event))


def is_open(session: Session, event: Event, left: int | None) -> bool:
    """The same, for a number of free places that is known already."""
    return left is None or (left > 0 and not _queue(session, event.id))


def has_offer(reservation: EventReservation) -> bool:
    """Whether a place is kept for someone who waits."""
    return reservation.is_waiting and _has_offer(reservation)


def position(session: Session, reservation: EventReservation) -> int:
    """The place of someone in the queue, from 1; 0 when they are not in it."""
    queue = [row.id for row in _queue(session, reservation.event_id)]
    return queue.index(reservation.id) + 1 if reservation.id in queue else 0


def _waits(event_id: Any) -> tuple[Any, ...]:
    return (
        EventReservation.event_id == event_id,
        col(EventReservation.will_attend).is_(True),
        col(EventReservation.waiting_since).is_not(None),
        col(EventReservation.member_id).is_not(None),
    )


_IN_LINE = (
    select(EventReservation)
    .where(*_waits(bindparam("event_id")), col(EventReservation.offer_until).is_(None))
    .order_by(col(EventReservation.waiting_rank), col(EventReservation.waiting_since))
)


def _queue(session: Session, event_id: str) -> Sequence[EventReservation]:
    """Those who wait and have no offer, the next one first."""
    return session.exec(_IN_LINE, params={"event_id": event_id}).all()


def _has_offer(reservation: EventReservation) -> bool:
    return reservation.offer_until is not None and reservation.offer_until > clock.now()


def _offer(session: Session, event: Event, reservation: EventReservation) -> None:
    until = _offer_until(event)
    reservation.offer_until = until
    session.add(reservation)
    member = session.get(Member, reservation.member_id)
    if member is not None and member.email:
        outbox.queue(
            session,
            kind=OFFERED,
            key=_key(reservation),
            recipient=member.email,
            member_id=member.id,
            event_id=event.id,
            reservation_id=reservation.id,
            context={"until": until.isoformat()},
            priority=_PRIORITY,
        )
    audit.record(session, SYSTEM, "place.offered", reservation.id, until=until.isoformat())


def _key(reservation: EventReservation) -> str:
    """One mail for each offer."""
    return f"{OFFERED}:{reservation.id}:{reservation.offer_until and reservation.offer_until.isoformat()}"


def _is_untold(session: Session, reservation: EventReservation) -> bool:
    waits = col(OutboxMail.state).in_(outbox.WAITING)
    return session.exec(select(OutboxMail.id).where(OutboxMail.key == _key(reservation), waits)).first() is not None


def _offer_until(event: Event) -> datetime:
    now = clock.now()
    return now + min(OFFER, (places.closes_at(event) - now) / 2)


def _lapse(session: Session, reservation: EventReservation) -> None:
    leave(reservation)
    reservation.will_attend, reservation.updated_at = None, clock.now()
    session.add(reservation)
    session.add(ReservationAnswer(reservation_id=reservation.id, at=clock.now(), via=AnswerSource.OFFER))
    session.flush()


def _row(number: int, row: EventReservation, member: Member, queue: list[str]) -> WaitingRow:
    here = queue.index(row.id) if row.id in queue else -1
    return WaitingRow(
        reservation_id=row.id,
        position=number,
        name=member.name,
        company=member.company,
        since=clock.short_date(row.waiting_since) if row.waiting_since else "",
        offer=_offer_text(row, member),
        can_go_up=here > 0,
        can_go_down=0 <= here < len(queue) - 1,
    )


def _offer_text(row: EventReservation, member: Member) -> str:
    if not _has_offer(row) or row.offer_until is None:
        return ""
    by_mail = "" if member.email else ", à prévenir par téléphone"
    return f"Place proposée jusqu’au {clock.short_date(row.offer_until)}{by_mail}"
