"""The waiting list of an event as the animator sees it, and puts it in order."""

from dataclasses import dataclass

from sqlmodel import Session, col, select

from clubapp import clock
from clubapp.models import Event, EventReservation, Member
from clubapp.refusals import NotFound
from clubapp.services.answers import capacity, waiting_list
from clubapp.services.base import audit
from clubapp.services.base.actors import Actor, require_admin

NO_LONGER_WAITING = "Cette personne n’est plus sur la liste d’attente."


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


@dataclass(frozen=True)
class WaitingList:
    """Who waits, the next one first. Once answers are closed, no place is offered to anybody.

    `is_given`: until the event begins, an administrator gives a free place by writing down a "Yes".
    """

    rows: tuple[WaitingRow, ...] = ()
    is_closed: bool = False
    is_given: bool = False


def read_waiting_list(session: Session, actor: Actor, event_id: str) -> WaitingList:
    """The waiting list of an event."""
    require_admin(actor)
    event = session.get(Event, event_id)
    is_closed = event is not None and bool(capacity.why_answers_closed(event))
    rows = session.exec(
        select(EventReservation, Member)
        .join(Member)
        .where(*waiting_list.who_waits(event_id))
        .order_by(col(EventReservation.waiting_rank), col(EventReservation.waiting_since))
    ).all()
    queue = [row.id for row, _ in rows if not is_closed and not waiting_list.is_on_offer(row)]
    return WaitingList(
        rows=tuple(_row(number, row, member, queue) for number, (row, member) in enumerate(rows, 1)),
        is_closed=is_closed,
        is_given=event is not None and capacity.is_past_deadline(event),
    )


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
    capacity.lock_event(session, event, found)
    queue = list(waiting_list.in_line(session, event.id))
    if found not in queue:
        raise NotFound(NO_LONGER_WAITING)
    here = queue.index(found)
    there = here - 1 if up else here + 1
    if not 0 <= there < len(queue):
        return
    ranks = sorted(each.waiting_rank or 0 for each in queue)  # who has an offer keeps theirs
    queue.insert(there, queue.pop(here))
    for rank, each in zip(ranks, queue, strict=True):
        each.waiting_rank = rank
        session.add(each)
    audit.record(session, actor, "waiting.moved", reservation_id, changes={"waiting_place": (here + 1, there + 1)})
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
    if not waiting_list.is_on_offer(row) or row.offer_until is None:
        return ""
    by_mail = "" if member.email else ", à prévenir par téléphone"
    return f"Place proposée jusqu’au {clock.short_date(row.offer_until)}{by_mail}"
