"""The waiting list of a full event: who is on it, in what order, and to whom a freed place is offered.

Who waits asks for one place; lunch and guests are asked for once they have it. A freed place is offered to the first
in line and kept for them for a day, or for half of the time that is left when that is less. Whoever lets an offer
pass leaves the list, so that the place goes on to the next; the same link puts them back. Who could not be told of an
offer, because mail is held or has not left yet, does not lose it.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import bindparam, func, or_
from sqlmodel import Session, col, select

from clubapp import clock
from clubapp.database import read_value
from clubapp.mail.messages.answer_confirmation import OFFERED
from clubapp.mail.queue import outbox, pause
from clubapp.models import (
    AnswerSource,
    Event,
    EventReservation,
    EventStatus,
    Member,
    OutboxMail,
    ReservationAnswer,
)
from clubapp.refusals import NotFound
from clubapp.services.answers import capacity, guests
from clubapp.services.base import audit
from clubapp.services.base.actors import SYSTEM

GUESTS_LATER = "Les invités se choisissent une fois la place obtenue."
LUNCH_LATER = "Le déjeuner et les invités se choisissent une fois la place obtenue."
OFFER = timedelta(hours=24)
MOST_REPEATS = 3  # of an offer whose mail does not leave


def describe_later(event: Event) -> str:
    """What is asked of who waits once they have a place; until then it is not kept."""
    return LUNCH_LATER if event.has_lunch else GUESTS_LATER


def offer_free_places(session: Session, event_id: str) -> int:
    """Offer each free place to the next in line. To be called whenever a place may have come free.

    Returns:
        How many places were offered.
    """
    event = session.get(Event, event_id)
    if event is None or capacity.why_answers_closed(event):
        return 0
    if event.max_participants is None and not in_line(session, event_id):
        return 0  # whoever asks shares the event with other answers
    capacity.lock_event(session, event)
    queue = in_line(session, event_id)
    if not queue:
        return 0
    free = capacity.count_free_places(session, event)
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
    begun = select(EventReservation).join(Event).where(col(Event.date) <= clock.now())
    for each in session.exec(begun.where(col(EventReservation.offer_until) > clock.now())).all():
        _back_in_line(session, each)  # the event was moved before the end of the offer
    waited_for = select(EventReservation.event_id).where(col(EventReservation.waiting_since).is_not(None)).distinct()
    full = select(Event).where(col(Event.id).in_(waited_for), col(Event.date) > clock.now())
    for event in session.exec(full.order_by(col(Event.id))).all():
        try:
            capacity.lock_event(session, event)
        except NotFound:
            continue
        for each in session.exec(
            select(EventReservation).where(*who_waits(event.id), col(EventReservation.offer_until) <= clock.now())
        ).all():
            if event.status == EventStatus.CANCELLED:
                _back_in_line(
                    session, each
                )  # nobody could take it; should the event take place after all, they are next
            elif capacity.why_answers_closed(event) or not (is_held or _is_untold(session, each)):
                _lapse(session, each)
                lapsed += 1
            elif not is_place_free(session, event):
                _back_in_line(session, each)
            elif is_held:
                each.offer_until = _offer_until(event)
                session.add(each)
                session.flush()
            else:
                _offer(session, event, each)
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
        try:
            capacity.lock_event(session, event, reservation)  # an answer may be on its way
        except NotFound:
            continue
        if not reservation.is_waiting or reservation.offer_until is None or capacity.why_answers_closed(event):
            continue
        if is_on_offer(reservation) or is_place_free(session, event):
            _offer(session, event, reservation)
        else:
            _back_in_line(session, reservation)


def withdraw_invitations(session: Session, member_id: str) -> None:
    """Someone leaves the club, or is made inactive: they are invited to no event ahead any more, and their places go to
    others. What they said of coming is taken back, a "no" stays.

    To be called before the member is deleted. Past events keep their counts.
    """
    for reservation, event in _list_ahead(session, member_id):
        had_place = bool(reservation.will_attend)
        if had_place:
            leave(reservation)
            reservation.will_attend, reservation.with_lunch, reservation.guest_count = None, None, 0
            reservation.responded_at, reservation.answered_via, reservation.recorded_by = None, "", ""
            _note_end(session, reservation, AnswerSource.CORRECTION)
            guests.remove_uncounted(session, reservation)
        reservation.withdrawn_at = reservation.updated_at = clock.now()
        session.add(reservation)
        if had_place:
            offer_free_places(session, event.id)


def renew_invitations(session: Session, member_id: str) -> None:
    """Someone is active again: they are invited as before to the events ahead, and may answer."""
    for reservation, _ in _list_ahead(session, member_id):
        if reservation.responded_at is None:
            reservation.will_attend = None  # programs up to 1.2.0 wrote a "no" that nobody had said
        reservation.withdrawn_at, reservation.updated_at = None, clock.now()
        session.add(reservation)


def _list_ahead(session: Session, member_id: str) -> Iterator[tuple[EventReservation, Event]]:
    """What a member has of the events ahead, each locked, since an answer may be on its way."""
    rows = session.exec(
        select(EventReservation, Event)
        .join(Event)
        .where(EventReservation.member_id == member_id, col(Event.date) > clock.now())
        .order_by(col(Event.id))
    ).all()
    for reservation, event in rows:
        capacity.lock_event(session, event, reservation)
        yield reservation, event


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
    return is_open(session, event, capacity.count_free_places(session, event))


def is_open(session: Session, event: Event, left: int | None) -> bool:
    """The same, for a number of free places that is known already. Who has an offer that is over waits still."""
    now = {"event_id": event.id, "now": clock.now()}
    return left is None or (left > 0 and read_value(session, _WAITS_STILL, now) is None)


def may_come(session: Session, event: Event, reservation: EventReservation) -> bool:
    """Whether a place is kept for someone who waits, or was, and has not been passed on."""
    return has_offer(reservation) or (reservation.is_waiting and is_place_free(session, event))


def has_offer(reservation: EventReservation) -> bool:
    """Whether a place is kept for someone who waits."""
    return reservation.is_waiting and is_on_offer(reservation)


def position(session: Session, reservation: EventReservation) -> int:
    """The place of someone in the queue, from 1; 0 when they are not in it."""
    queue = [row.id for row in in_line(session, reservation.event_id)]
    return queue.index(reservation.id) + 1 if reservation.id in queue else 0


def who_waits(event_id: Any) -> tuple[Any, ...]:
    """Those who wait for a place at an event, with an offer or without."""
    return (
        EventReservation.event_id == event_id,
        col(EventReservation.will_attend).is_(True),
        col(EventReservation.waiting_since).is_not(None),
        col(EventReservation.member_id).is_not(None),
    )


_IN_LINE = (
    select(EventReservation)
    .where(*who_waits(bindparam("event_id")), col(EventReservation.offer_until).is_(None))
    .order_by(col(EventReservation.waiting_rank), col(EventReservation.waiting_since))
)


_WAITS_STILL = (
    select(EventReservation.id)
    .where(
        *who_waits(bindparam("event_id")),
        or_(col(EventReservation.offer_until).is_(None), col(EventReservation.offer_until) <= bindparam("now")),
    )
    .limit(1)
)


def in_line(session: Session, event_id: str) -> Sequence[EventReservation]:
    """Those who wait and have no offer, the next one first."""
    return session.exec(_IN_LINE, params={"event_id": event_id}).all()


def is_on_offer(reservation: EventReservation) -> bool:
    """Whether their offer, if they have one, is not over."""
    return reservation.offer_until is not None and reservation.offer_until > clock.now()


def _offer(session: Session, event: Event, reservation: EventReservation) -> None:
    until = _offer_until(event)
    reservation.offer_until = until
    session.add(reservation)
    member = session.get(Member, reservation.member_id)
    if member is not None and member.email:
        outbox.queue_mail(
            session,
            kind=OFFERED,
            key=_key(reservation),
            recipient=member.email,
            member_id=member.id,
            event_id=event.id,
            reservation_id=reservation.id,
            context={"until": until.isoformat()},
        )
    audit.record(session, SYSTEM, "place.offered", reservation.id, until=until.isoformat())
    session.flush()


def _key(reservation: EventReservation) -> str:
    """One mail for each offer."""
    return f"{OFFERED}:{reservation.id}:{reservation.offer_until and reservation.offer_until.isoformat()}"


def _is_untold(session: Session, reservation: EventReservation) -> bool:
    """Whether the mail of an offer has not left. After so many that did not, the others need not wait any longer."""
    mine = select(OutboxMail).where(OutboxMail.reservation_id == reservation.id, OutboxMail.kind == OFFERED)
    since = reservation.waiting_since
    mails = [mail for mail in session.exec(mine).all() if since is None or mail.created_at >= since]
    told_of = next((mail for mail in mails if mail.key == _key(reservation)), None)
    return told_of is not None and told_of.state in outbox.WAITING and len(mails) <= MOST_REPEATS


def is_place_free(session: Session, event: Event) -> bool:
    """Whether a place is free, whoever waits. An offer that is over keeps none: somebody may have taken it."""
    free = capacity.count_free_places(session, event)
    return free is None or free > 0


def _back_in_line(session: Session, reservation: EventReservation) -> None:
    """In the order that was theirs: they are the next ones."""
    reservation.offer_until = None
    session.add(reservation)
    session.flush()


def _offer_until(event: Event) -> datetime:
    now = clock.now()
    return now + min(OFFER, (event.closes_at - now) / 2)


def _lapse(session: Session, reservation: EventReservation) -> None:
    leave(reservation)
    reservation.will_attend, reservation.updated_at = None, clock.now()
    session.add(reservation)
    _note_end(session, reservation, AnswerSource.OFFER)
    session.flush()


def _note_end(session: Session, reservation: EventReservation, via: AnswerSource) -> None:
    """The answer ends, and nobody has given another: one that is like it is new."""
    session.add(ReservationAnswer(reservation_id=reservation.id, at=clock.now(), via=via))
