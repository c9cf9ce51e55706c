"""The mails to guests: told that they are expected, that the event has changed, that they are not expected any more."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import and_, case, func, literal, or_, update
from sqlmodel import Session, col, select

from clubapp import clock, tokens
from clubapp.mail.messages.broadcast import KIND as BROADCAST
from clubapp.mail.messages.guest_notice import DECLINED, NOTICE
from clubapp.mail.queue import outbox
from clubapp.mail.queue.claims import RESENT_AT
from clubapp.models import Event, EventGuest, EventReservation, EventStatus, MailState, Member, OutboxMail, coming
from clubapp.refusals import TooMany
from clubapp.services.base import link_limit

TOO_MANY_ADDRESSES = (
    "Beaucoup d’invités ont déjà reçu un message aujourd’hui. Laissez l’adresse e-mail vide, réessayez demain "
    "ou écrivez-nous."
)
MOST_NOTICES = 20  # mails to the guests of one reservation within a day
_IS_FIRST = col(OutboxMail.key) == literal(f"{NOTICE}:") + col(EventGuest.id) + ":" + col(EventGuest.email)
_IS_DECLINED = col(OutboxMail.kind) == DECLINED


def queue_notices(session: Session, reservation: EventReservation, rows: Sequence[EventGuest]) -> None:
    """One mail to each guest with an address: a key for the row and the address, so that none is written to twice.

    Raises:
        TooMany: after MOST_NOTICES within a day, so that a link writes to no strangers without end (W14).
    """
    has_new = False
    for row in rows:
        if row.email:
            has_new |= outbox.queue_mail(
                session,
                kind=NOTICE,
                key=f"{NOTICE}:{row.id}:{row.email}",
                recipient=row.email,
                event_id=row.event_id,
                reservation_id=reservation.id,
                context=_about(row),
            )
    since = col(OutboxMail.created_at) > clock.now() - link_limit.WINDOW
    told = select(func.count()).where(OutboxMail.reservation_id == reservation.id, OutboxMail.kind == NOTICE, since)
    if has_new and session.exec(told).one() > MOST_NOTICES:
        raise TooMany(TOO_MANY_ADDRESSES, retry_after=int(link_limit.WINDOW.total_seconds()))


def queue_removals(session: Session, event: Event, removed: Sequence[EventGuest]) -> None:
    """One mail to each whose notice has left, so that the meeting leaves their calendar. A notice that has not left is
    withdrawn when its turn comes. After a cancellation the meeting is out of their calendar already.
    """
    if event.status == EventStatus.CANCELLED:
        return
    for row in removed:
        notice = OutboxMail.kind == NOTICE, col(OutboxMail.key).startswith(f"{NOTICE}:{row.id}:{row.email}")
        states = session.exec(select(OutboxMail.state).where(*notice)).all() if row.email else ()
        if any(state not in (MailState.PENDING, MailState.WITHDRAWN) for state in states):
            outbox.queue_mail(
                session,
                kind=NOTICE,
                key=f"{NOTICE}:{row.id}:{row.email}:removed",
                recipient=row.email,
                event_id=event.id,
                reservation_id=row.reservation_id,
                context={"name": row.name, "removed": row.id},
            )


def queue_declined(session: Session, reservation: EventReservation, guest: EventGuest, host: Member) -> None:
    """One mail to a member whose guest does not come. By the hash of the guest's address it is found when they are
    erased, although the guest has no row any more."""
    outbox.queue_mail(
        session,
        kind=DECLINED,
        key=f"{DECLINED}:{guest.id}",
        recipient=host.email or "",
        member_id=host.id,
        event_id=reservation.event_id,
        reservation_id=reservation.id,
        context={"guest": guest.name or guest.email, "address": tokens.fingerprint(guest.email)},
    )


def waits_to_tell() -> Any:
    """Those that wait to tell somebody that they are not expected any more."""
    return and_(col(OutboxMail.key).like(f"{NOTICE}:%:removed"), col(OutboxMail.state) == MailState.PENDING)


def queue_changes(session: Session, event: Event, deleted: dict[str, Any] | None = None) -> None:
    """Tell the guests with an address that the event has changed or is off. Whose first mail has not left learns it
    from that one, or is not written to.

    `deleted` is the calendar entry of an event about to be deleted, as `entry_to_context` gives it.
    """
    for row in list_written_to(session, event):
        outbox.queue_mail(
            session,
            kind=NOTICE,
            key=f"{NOTICE}:{row.id}:{row.email}:{event.sequence}{':off' if deleted else ''}",
            recipient=row.email,
            event_id=None if deleted else event.id,
            reservation_id=None if deleted else row.reservation_id,
            context={"name": row.name}
            | ({"event": deleted} if deleted else _about(row) | {"sequence": event.sequence}),
        )


def keep_cancellation(session: Session, event: Event, entry: dict[str, Any]) -> None:
    """Give what waits to tell guests that the event is off all it needs, before the event is deleted.

    `entry` is the calendar entry, as `entry_to_context` gives it.
    """
    expected = {row.id for row in list_written_to(session, event)}
    own = OutboxMail.event_id == event.id, OutboxMail.kind == NOTICE, OutboxMail.state == MailState.PENDING
    for mail in session.exec(select(OutboxMail).where(*own).with_for_update()):
        if "sequence" in mail.context and mail.context["guest_id"] in expected:
            mail.context = mail.context | {"event": entry}


def requeue_notices(session: Session, event: Event) -> None:
    """Let the first mails leave that were withdrawn while the event was off, of the guests who still come."""
    query = select(OutboxMail).join(EventGuest, _IS_FIRST).join(EventReservation)
    own = EventGuest.event_id == event.id, coming(), OutboxMail.state == MailState.WITHDRAWN
    for mail in session.exec(query.where(*own).with_for_update(of=OutboxMail)):
        mail.state, mail.reason, mail.attempts, mail.lease_owner = MailState.PENDING, "", 0, ""
        mail.context = mail.context | {RESENT_AT: clock.now().isoformat()}
        mail.available_at = mail.updated_at = clock.now()
    session.flush()


def list_written_to(session: Session, event: Event) -> list[EventGuest]:
    """The guests who were written to and still come: those whom `queue_changes` tells."""
    query = select(EventGuest).join(EventReservation).join(OutboxMail, _IS_FIRST)
    has_left = col(OutboxMail.state).not_in((MailState.PENDING, MailState.WITHDRAWN))
    return list(session.exec(query.where(EventGuest.event_id == event.id, coming(), has_left)).all())


def mails_to(email: str) -> Any:
    """Those to whoever was named as a guest with this address, and those that tell their members of them."""
    to_guests = or_(
        col(OutboxMail.kind) == NOTICE, and_(col(OutboxMail.kind) == BROADCAST, col(OutboxMail.member_id).is_(None))
    )
    declined = col(OutboxMail.context)["address"].as_string() == tokens.fingerprint(email)
    return or_(and_(to_guests, col(OutboxMail.recipient) == email), and_(_IS_DECLINED, declined))


def erase_mails(session: Session, which: Any, reason: str) -> None:
    """Withdraw what waits, and empty what has left. A member still learns that somebody does not come, but not who."""
    session.execute(update(OutboxMail).where(which, _IS_DECLINED).values(context={}))
    mails = update(OutboxMail).where(which, ~_IS_DECLINED)
    emptied = {"recipient": "", "context": {}, "relay_answer": "", "updated_at": clock.now()}
    emptied["key"] = case((col(OutboxMail.kind) == NOTICE, outbox.ERASED_KEY), else_=col(OutboxMail.key))
    waits = col(OutboxMail.state) == MailState.PENDING
    session.execute(mails.where(waits).values(state=MailState.WITHDRAWN, reason=reason, **emptied))
    session.execute(mails.where(col(OutboxMail.state).not_in(outbox.WAITING)).values(**emptied))


def find_mail_left(session: Session, guest_id: str) -> OutboxMail | None:
    """A message that still names a guest who was removed."""
    names = or_(~_IS_DECLINED, col(OutboxMail.context)["guest"].as_string().is_not(None))
    left = select(OutboxMail).where(mails_about(guest_id), OutboxMail.recipient != "", names)
    return session.exec(left.order_by(_IS_DECLINED).limit(1)).first()


def _about(row: EventGuest) -> dict[str, Any]:
    return {"guest_id": row.id, "name": row.name}


def mails_about(guest_id: str) -> Any:
    """Those to the guest of this id, and the one that told their member that they do not come."""
    return or_(
        col(OutboxMail.key).like(f"{NOTICE}:{guest_id}:%"),
        col(OutboxMail.key).like(f"{BROADCAST}:%:{guest_id}"),
        col(OutboxMail.key) == f"{DECLINED}:{guest_id}",
    )
