"""Until when an event takes answers, and how many places are left. Whoever takes or frees one holds the event first."""

from typing import Any

from sqlalchemy.exc import InvalidRequestError
from sqlmodel import Session, SQLModel

from clubapp import calendar_files, clock
from clubapp.database import TransactionConflict, read_value
from clubapp.models import MAX_GUESTS, Event, EventReservation, EventStatus, taken_places
from clubapp.refusals import NotFound

CANCELLED = "Cette rencontre est annulée."
BEGUN = "Cette rencontre a commencé\u00a0: les réponses sont closes."
OVER = "Cette rencontre a eu lieu\u00a0: les réponses sont closes."
CLOSED_SINCE = "Les réponses sont closes depuis le {moment}."
NO_PLACE_FOR_GUESTS = "Il ne reste plus de place pour des invités."
ONE_PLACE_FOR_GUESTS = "Il ne reste qu’une place pour vos invités."
FEW_PLACES_FOR_GUESTS = "Il ne reste que {count} places pour vos invités."


def why_answers_closed(event: Event) -> str:
    """Why answers are no longer taken; empty while they are."""
    if event.status == EventStatus.CANCELLED:
        return CANCELLED
    if is_past(event):
        return OVER
    if event.date <= clock.now():
        return BEGUN
    return CLOSED_SINCE.format(moment=clock.long_date(event.closes_at)) if event.closes_at <= clock.now() else ""


def is_past_deadline(event: Event) -> bool:
    """Whether the invited answer no longer, and the event is still to come: free places are the club's to give."""
    is_to_come = not has_begun(event) and event.status != EventStatus.CANCELLED
    return bool(is_to_come and event.closes_at <= clock.now())


def has_begun(event: Event) -> bool:
    """Whether an event has begun or taken place: only an administrator still corrects its answers.

    Its places bind nobody any more, since a correction says what was (D5).
    """
    return event.date <= clock.now() or event.status == EventStatus.COMPLETED


def is_past(event: Event) -> bool:
    """Whether an event has ended or was completed: until then one that has begun is running."""
    return event.status == EventStatus.COMPLETED or calendar_files.ends_at(event) <= clock.now()


def why_corrections_closed(event: Event) -> str:
    """Why not even an administrator records an answer; empty for every event that is not cancelled."""
    return CANCELLED if event.status == EventStatus.CANCELLED else ""


def lock_event(session: Session, event: Event, *known: SQLModel) -> None:
    """Keep the event to this transaction, so that its places are counted by one at a time.

    What was read before, the event and `known`, is read again. SQLite lets one writer in at a time as it is.

    Raises:
        NotFound: when one of them was deleted meanwhile.
    """
    _read_again(session, (event, True), *((row, None) for row in known))


def lock_reservation(session: Session, event: Event, reservation: EventReservation, *known: SQLModel) -> None:
    """Keep a reservation to this transaction and its event as it is, so that one answer at a time is recorded on it.

    An event without a limit has no places to count: others may answer meanwhile, and who changes it waits for them all.
    What was read before is read again, as `lock_event` does.

    Raises:
        NotFound: when one of them was deleted meanwhile.
        TransactionConflict: when a limit was set meanwhile; `committed` begins again.
    """
    shares = event.max_participants is None
    event_lock = {"read": True} if shares else True
    _read_again(session, (event, event_lock), (reservation, {"key_share": True}), *((row, None) for row in known))
    if shares and event.max_participants is not None:
        raise TransactionConflict  # of many that share it, each would wait for all others to let go


def _read_again(session: Session, *rows: tuple[SQLModel, Any]) -> None:
    """Each row under its lock, in this order."""
    if session.get_bind().dialect.name == "sqlite":
        return
    try:
        for row, lock in rows:
            session.refresh(row, with_for_update=lock)
    except InvalidRequestError:
        raise NotFound from None


def count_free_places(session: Session, event: Event) -> int | None:
    """How many places are left; below zero after the limit was lowered, None without one."""
    if event.max_participants is None:
        return None
    taken = read_value(session, taken_places, {"event_id": event.id, "now": clock.now()})
    return event.max_participants - taken


def guest_limit(reservation: EventReservation, left: int | None) -> int:
    """How many guests someone who comes may bring to that many free places: never fewer than they have announced."""
    return MAX_GUESTS if left is None else min(MAX_GUESTS, reservation.guest_count + max(0, left))


def format_guests_left(most: int) -> str:
    """'Il ne reste que 3 places pour vos invités.'; nothing while there is room for all that are allowed."""
    if most >= MAX_GUESTS:
        return ""
    if most > 1:
        return FEW_PLACES_FOR_GUESTS.format(count=most)
    return ONE_PLACE_FOR_GUESTS if most else NO_PLACE_FOR_GUESTS
