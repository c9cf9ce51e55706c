"""Recording what someone says of an event on their reservation: the same rules by link, by telephone and signed in.

Every function stands in the caller's transaction, which holds what the answer is about (`capacity.lock_reservation`).

- "Yes" takes a place when one is free and nobody waits for it, or when one was kept; else it joins the waiting list.
- Past the deadline of the invited no place is offered any more: a "Yes" that an administrator writes down takes a free
  one, whoever waits.
- "Yes" keeps what was chosen before, so that a change of mind that stops half-way loses nothing.
- Once the event has begun, an administrator corrects: every "Yes" takes a place, and nobody is written to (D5).
- "No" forgets lunch, guests and wishes: a later "Yes" asks again. Whatever comes free is offered to those who wait.
- An event without lunch stores "no lunch" together with the guests: an answer is complete once its lunch choice is
  known, there too.

The steps of one sitting are one answer: one row of history, completed in place, and one confirmation by mail, which
goes out a minute after the last step, or ten minutes after a step that was not followed by the next.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import bindparam, func, or_, update
from sqlmodel import Session, col, select

from clubapp import clock
from clubapp.mail.messages.answer_confirmation import CONFIRMED, latest_answer
from clubapp.mail.messages.answer_confirmation import WAITING as WAITING_CONFIRMED
from clubapp.mail.queue import outbox
from clubapp.models import (
    MAX_GUESTS,
    AnswerSource,
    Event,
    EventGuest,
    EventReservation,
    MailState,
    Member,
    OutboxMail,
    ReservationAnswer,
)
from clubapp.refusals import Conflict, Invalid
from clubapp.services.answers import capacity, guests, waiting_list
from clubapp.services.answers.answer_form import Answer
from clubapp.services.base import link_limit
from clubapp.services.base.link_limit import LinkSpent
from clubapp.text.collation import sort_by_name

TOO_MANY_GUESTS = f"Maximum {MAX_GUESTS} invités par membre"
ATTEND_FIRST = "Dites d’abord si vous venez."
CHANGED_MEANWHILE = "Votre réponse a changé entre-temps\u00a0: modifiez-la si vous venez."
NO_LUNCH = "Cette rencontre ne propose plus de déjeuner."
WHEN_DONE, WHEN_UNFINISHED = timedelta(minutes=1), timedelta(minutes=10)
ONE_PRESS = timedelta(seconds=5)  # in which an administrator's correction is recorded
_TICK = timedelta(microseconds=1)


# Built once: each press asks.
_LATER = (
    update(OutboxMail)
    .where(
        or_(col(OutboxMail.key) == bindparam("one"), col(OutboxMail.key) == bindparam("other")),
        col(OutboxMail.state) == MailState.PENDING,
    )
    .values(available_at=bindparam("due"), updated_at=bindparam("now"))
)


@dataclass(frozen=True)
class AnswerOrigin:
    """How an answer reached the club, the administrator who wrote it down, if one did, and when it was given."""

    via: AnswerSource
    recorded_by: str = ""
    given_at: datetime | None = None  # now


@dataclass(frozen=True)
class SeatedWaiting:
    """What became of a waiting list: how many got a place or the offer of one, and by name those to be telephoned."""

    seated: int = 0
    offered: int = 0
    to_call: tuple[str, ...] = ()

    @property
    def sentence(self) -> str:
        """'2 personnes de la liste d’attente ont une place.', and who has no address; empty when nothing changed."""
        parts = []
        if self.seated:
            who = f"{self.seated} personnes" if self.seated > 1 else "1 personne"
            parts.append(f"{who} de la liste d’attente {'ont' if self.seated > 1 else 'a'} désormais une place.")
        if self.offered:
            what = f"{self.offered} places sont proposées" if self.offered > 1 else "1 place est proposée"
            parts.append(f"{what} à la liste d’attente.")
        if self.to_call:
            parts.append(name_to_call(self.to_call))
        return " ".join(parts)


def name_to_call(names: Sequence[str]) -> str:
    """Who hears of a change by telephone only."""
    return f"À prévenir par téléphone, sans adresse e-mail\u00a0: {', '.join(names)}."


def record_attendance(
    session: Session, event: Event, reservation: EventReservation, will_attend: bool, origin: AnswerOrigin
) -> None:
    """Record "Yes" or "No", with the time of the response."""
    had_offer, had_place = waiting_list.has_offer(reservation), reservation.is_coming
    if will_attend:
        _come(session, event, reservation, origin)
    else:
        waiting_list.leave(reservation)
        reservation.with_lunch, reservation.guest_count = None, 0
    reservation.will_attend, reservation.responded_at = will_attend, origin.given_at or clock.now()
    reservation.withdrawn_at = None
    _save(session, reservation, origin)
    if not will_attend:
        guests.remove_uncounted(session, reservation)
    _note(session, reservation, _by_offer(origin) if had_offer else origin, due=_due(is_done=not reservation.is_coming))
    if (had_offer or had_place) and not will_attend:
        waiting_list.offer_free_places(session, event.id)


def record_lunch(
    session: Session, event: Event, reservation: EventReservation, with_lunch: bool, origin: AnswerOrigin
) -> None:
    """Record the lunch choice of someone who comes.

    Raises:
        Conflict: when they do not, or the event has no lunch.
    """
    _refuse_absent(event, reservation)
    if not event.has_lunch:
        raise Conflict(NO_LUNCH)
    reservation.with_lunch = with_lunch
    _save(session, reservation, origin)
    _note(session, reservation, origin, due=_due(is_done=False))


def record_guests(
    session: Session, event: Event, reservation: EventReservation, count: int, origin: AnswerOrigin
) -> None:
    """Record how many guests someone brings: 0 to 5.

    Raises:
        Conflict: when they do not come.
        Invalid: below 0, above 5, or, before the event, more than there are places; never fewer than they had.
    """
    _refuse_absent(event, reservation)
    if not 0 <= count <= MAX_GUESTS:
        raise Invalid(TOO_MANY_GUESTS, field="guest_count")
    frees_places = count < reservation.guest_count
    if count > reservation.guest_count and not capacity.has_begun(event):
        _refuse_beyond_places(session, event, reservation, count)
    reservation.guest_count = count
    if not event.has_lunch:
        reservation.with_lunch = False
    _save(session, reservation, origin)
    _note(session, reservation, origin, due=_due(is_done=True))
    if frees_places:
        guests.remove_uncounted(session, reservation)
        waiting_list.offer_free_places(session, event.id)


def record_named_guests(session: Session, event: Event, reservation: EventReservation, answer: Answer) -> None:
    """Record what an answer says of the guests by name, and of the member's own meal.

    Raises:
        Conflict: when the member does not come.
        Invalid: as `guests.save_guests`.
    """
    _refuse_absent(event, reservation)
    if answer.guests is not None:
        guests.save_guests(session, event, reservation, answer.guests)
    if answer.meal_wish is not None:
        guests.save_own_wish(session, reservation, answer.meal_wish)
    reservation.updated_at = clock.now()
    session.add(reservation)


def record_declined_guest(session: Session, event: Event, reservation: EventReservation, guest: EventGuest) -> None:
    """Record that a guest does not come, by their own word: the member's answer stands with one guest fewer.

    A confirmation that has not left tells the new number; else the history has a line of its own.
    """
    guests.remove_guest(session, reservation, guest)
    latest = latest_answer(session, reservation.id)
    if latest and _put_off(session, latest, _due(is_done=True)):
        latest.guest_count = reservation.guest_count
        session.add(latest)
    else:
        made = ReservationAnswer(
            reservation_id=reservation.id,
            at=max(clock.now(), latest.at + _TICK) if latest else clock.now(),
            will_attend=reservation.will_attend,
            with_lunch=reservation.with_lunch,
            guest_count=reservation.guest_count,
            via=AnswerSource.GUEST,
        )
        session.add(made)
    waiting_list.offer_free_places(session, event.id)


def record_answer(
    session: Session, event: Event, reservation: EventReservation, answer: Answer, origin: AnswerOrigin
) -> None:
    """Record an answer, or the part of it that is said.

    Who joins the waiting list is asked for lunch and guests later: what was said of them is not kept.

    Raises:
        Conflict: for lunch or guests said alone, as `record_lunch` and `record_guests`.
        Invalid: as `record_guests`; the caller's transaction records nothing then.
    """
    is_whole = answer.will_attend is not None
    if answer.will_attend is not None:
        record_attendance(session, event, reservation, answer.will_attend, origin)
        if not reservation.is_coming:
            return
    if answer.with_lunch is not None and (event.has_lunch or not is_whole):
        record_lunch(session, event, reservation, answer.with_lunch, origin)
    if answer.guest_count is not None:
        record_guests(session, event, reservation, answer.guest_count, origin)
    if answer.guests is not None or answer.meal_wish is not None:
        record_named_guests(session, event, reservation, answer)


def seat_waiting(session: Session, event_id: str) -> SeatedWaiting:
    """After a change of an event: whoever waits comes, when the free places suffice for all; else places are offered,
    until the deadline of the invited.

    Each gets a mail that says so. An offer that somebody had counts as accepted.
    """
    event = session.get(Event, event_id)
    waiting = select(EventReservation).where(*waiting_list.who_waits(event_id))
    is_closed = event is None or capacity.has_begun(event) or capacity.why_corrections_closed(event) != ""
    if event is None or is_closed or session.exec(waiting).first() is None:
        return SeatedWaiting()
    session.flush()  # what the caller has changed of the event, which is read again
    capacity.lock_event(session, event)
    free, seated = capacity.count_free_places(session, event), session.exec(waiting).all()
    without_place = [one for one in seated if not waiting_list.is_on_offer(one)]
    if free is not None and free < len(without_place):
        queue = waiting_list.in_line(session, event_id)
        offered = queue[: waiting_list.offer_free_places(session, event_id)]
        return SeatedWaiting(offered=len(offered), to_call=_list_without_address(session, offered))
    for reservation in seated:
        waiting_list.leave(reservation)
        reservation.updated_at = clock.now()
        session.add(reservation)
        session.flush()
        _note(session, reservation, AnswerOrigin(AnswerSource.SEATED), due=clock.now())
    return SeatedWaiting(seated=len(seated), to_call=_list_without_address(session, seated))


def _list_without_address(session: Session, reservations: Sequence[EventReservation]) -> tuple[str, ...]:
    """The names of those whom no mail reaches."""
    own = col(Member.id).in_([one.member_id for one in reservations]), func.coalesce(col(Member.email), "") == ""
    return tuple(sort_by_name(session.exec(select(Member.name).where(*own).order_by(col(Member.id))), str))


def _come(session: Session, event: Event, reservation: EventReservation, origin: AnswerOrigin) -> None:
    if capacity.has_begun(event):
        waiting_list.leave(reservation)
        return
    is_given = bool(origin.recorded_by) and capacity.is_past_deadline(event)
    if reservation.is_coming or (reservation.is_waiting and reservation.offer_until is None and not is_given):
        return
    has_room = waiting_list.is_place_free if is_given else waiting_list.has_room
    if waiting_list.may_come(session, event, reservation) or has_room(session, event):
        waiting_list.leave(reservation)
    else:
        waiting_list.join(session, event, reservation)


def _by_offer(origin: AnswerOrigin) -> AnswerOrigin:
    """A place on offer was taken or left; what an administrator wrote down stays theirs."""
    return origin if origin.recorded_by else AnswerOrigin(AnswerSource.OFFER)


def _refuse_absent(event: Event, reservation: EventReservation) -> None:
    if reservation.is_waiting:
        raise Conflict(waiting_list.describe_later(event))
    if not reservation.is_coming:
        raise Conflict(CHANGED_MEANWHILE if reservation.will_attend is False else ATTEND_FIRST)


def _refuse_beyond_places(session: Session, event: Event, reservation: EventReservation, number: int) -> None:
    most = capacity.guest_limit(reservation, capacity.count_free_places(session, event))
    if number > most:
        raise Invalid(capacity.format_guests_left(most), field="guest_count")


def _save(session: Session, reservation: EventReservation, origin: AnswerOrigin) -> None:
    reservation.answered_via, reservation.recorded_by = origin.via, origin.recorded_by
    reservation.updated_at = clock.now()
    session.add(reservation)


def _note(session: Session, reservation: EventReservation, origin: AnswerOrigin, *, due: datetime) -> None:
    """Keep the answer in its history, and confirm it by a mail that leaves when it is `due`; a correction has no mail.

    What says nothing new, such as a post that was sent twice, is neither kept nor confirmed again.
    """
    with session.no_autoflush:  # what has changed is written together, with the history or at the commit
        latest = latest_answer(session, reservation.id)
    said: dict[str, Any] = {
        "will_attend": reservation.will_attend,
        "with_lunch": reservation.with_lunch,
        "guest_count": reservation.guest_count,
    }
    is_new = latest is None or any(getattr(latest, name) != value for name, value in said.items())
    said["at"] = max(clock.now(), latest.at + _TICK) if latest else clock.now()  # their order is their times'
    is_correction = origin.via is AnswerSource.CORRECTION
    if latest and _is_same_answer(latest, reservation, origin):
        is_open = _is_correcting(latest) if is_correction else _put_off(session, latest, due)
        if is_open and is_new:
            latest.sqlmodel_update(said)
            session.add(latest)
        if is_open or not is_new:
            return
    if latest and origin.via is AnswerSource.LINK and reservation.will_attend:  # a "No" is never refused
        _refuse_too_many(session, reservation)
    made = ReservationAnswer(
        reservation_id=reservation.id,
        is_waiting=reservation.is_waiting,
        via=origin.via,
        recorded_by=origin.recorded_by,
        **said,
    )
    session.add(made)
    session.flush()  # the next step of a whole answer looks for it
    if not is_correction:
        _confirm(session, reservation, made, due)


def _refuse_too_many(session: Session, reservation: EventReservation) -> None:
    """As `link_limit.refuse_too_many`, for answers: their history is not the journal of acts."""
    given = (
        select(func.count())
        .select_from(ReservationAnswer)
        .where(
            ReservationAnswer.reservation_id == reservation.id,
            col(ReservationAnswer.at) > clock.now() - link_limit.WINDOW,
        )
    )
    with session.no_autoflush:  # who is refused has written nothing
        count = session.exec(given).one()
    if count >= link_limit.MOST_CHANGES:
        raise LinkSpent


def _due(*, is_done: bool) -> datetime:
    return clock.now() + (WHEN_DONE if is_done else WHEN_UNFINISHED)


def _is_same_answer(latest: ReservationAnswer, reservation: EventReservation, origin: AnswerOrigin) -> bool:
    return (latest.will_attend, latest.is_waiting, latest.recorded_by) == (
        reservation.will_attend,
        reservation.is_waiting,
        origin.recorded_by,
    )


def _is_correcting(latest: ReservationAnswer) -> bool:
    """Whether the newest correction is still being made: attendance, lunch and guests are steps of one."""
    return latest.via == AnswerSource.CORRECTION and latest.at > clock.now() - ONE_PRESS


def _put_off(session: Session, latest: ReservationAnswer, due: datetime) -> bool:
    """Let the confirmation of an answer wait for its next step; False once it has left."""
    keys = [f"{kind}:{latest.id}" for kind in (CONFIRMED, WAITING_CONFIRMED)]
    moved = session.connection().execute(_LATER, {"one": keys[0], "other": keys[1], "due": due, "now": clock.now()})
    return moved.rowcount > 0


def _confirm(session: Session, reservation: EventReservation, answer: ReservationAnswer, due: datetime) -> None:
    member = session.get(Member, reservation.member_id) if reservation.member_id else None
    if member is None or not member.email:
        return
    kind = WAITING_CONFIRMED if reservation.is_waiting else CONFIRMED
    outbox.queue_mail(
        session,
        kind=kind,
        key=f"{kind}:{answer.id}",
        recipient=member.email,
        member_id=member.id,
        event_id=reservation.event_id,
        reservation_id=reservation.id,
        context={"answer_id": answer.id},
        available_at=due,
    )
