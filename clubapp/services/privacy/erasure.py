"""Erasure of a member: their request, and what is erased when an administrator deletes them (P2)."""

from calendar import monthrange
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import delete, func, update
from sqlalchemy import select as select_rows
from sqlmodel import Session, col, select

from clubapp import clock
from clubapp.mail.messages.account import ERASURE_ASKED
from clubapp.mail.messages.recipients_now import MEMBER_GONE
from clubapp.mail.queue import outbox
from clubapp.models import (
    Act,
    ActChanges,
    ActPerson,
    Admin,
    Arrival,
    ArrivalTouch,
    MailState,
    Member,
    OutboxMail,
    Seat,
    SignInLink,
    UserSession,
)
from clubapp.refusals import Conflict, NotFound
from clubapp.services.access import factor_loss
from clubapp.services.answers import guests
from clubapp.services.attendance import turnout
from clubapp.services.attendance.announced_people import forget_announced
from clubapp.services.base import audit
from clubapp.services.base.actors import Actor, require_admin, require_member

ASKED = "erasure.asked"
ALREADY = "Votre demande est déjà chez les administrateurs du club."
_DONE = (MailState.SENT, MailState.FAILED, MailState.UNCERTAIN, MailState.EXCLUDED, MailState.WITHDRAWN)


def request_erasure(session: Session, actor: Actor) -> None:
    """Send every administrator the actor's request to be erased.

    Raises:
        Forbidden: for anyone but a member.
        Conflict: when they have already asked.
    """
    member = _member(session, actor)
    if erasure_requested_on(session, actor):
        raise Conflict(ALREADY)
    audit.record(session, actor, ASKED, member.id)
    for admin in session.exec(select(Admin.email)).all():
        outbox.queue_mail(
            session,
            kind=ERASURE_ASKED,
            key=f"erasure_asked:{member.id}:{admin}",
            recipient=admin,
            context={"asking_id": member.id},
        )


@dataclass(frozen=True)
class ErasureRequest:
    """A member's open request: `asked` and `deadline` are days, such as 'lundi 5 mai 2025'."""

    member_id: str
    name: str
    asked: str
    deadline: str
    is_late: bool


def list_requests(session: Session, actor: Actor) -> tuple[ErasureRequest, ...]:
    """The requests of members who still have a record, the most urgent first. The law gives a month to answer."""
    require_admin(actor)
    query = (
        select(Member.id, Member.name, func.max(Act.at))
        .join(Act, (col(Act.subject) == Member.id) & (col(Act.action) == ASKED))
        .group_by(col(Member.id), col(Member.name))
        .order_by(func.max(Act.at), col(Member.name))
    )
    return tuple(_request(*row) for row in session.exec(query).all())


def _request(member_id: str, name: str, at: datetime) -> ErasureRequest:
    deadline = answer_deadline(at)
    late = clock.to_local(clock.now()).date() > clock.to_local(deadline).date()
    return ErasureRequest(member_id, name, clock.long_day(at), clock.long_day(deadline), late)


def answer_deadline(asked: datetime) -> datetime:
    """The same day of the next month, or its last day (GDPR, article 12.3)."""
    local = clock.to_local(asked)
    year, month = (local.year + 1, 1) if local.month == 12 else (local.year, local.month + 1)
    return local.replace(year=year, month=month, day=min(local.day, monthrange(year, month)[1]))


def erasure_requested_on(session: Session, actor: Actor) -> str:
    """The day on which the actor asked, such as 'lundi 5 mai 2025'; empty when they have not."""
    member_id = require_member(actor)
    query = select(Act.at).where(Act.action == ASKED, Act.subject == member_id)
    found = session.exec(query.order_by(col(Act.at).desc()).limit(1)).first()
    return clock.long_day(found) if found else ""


def erase_member(session: Session, member: Member) -> None:
    """Erase what other tables hold of a member who is being deleted; counts stay.

    Whom they named as guests goes too. Waiting messages are withdrawn. Messages lose address and content. `erase_acts`
    is to follow the deletion.
    """
    turnout.detach_arrivals(session, col(Arrival.person) == member.id, col(ArrivalTouch.person) == member.id)
    guests.erase_guests_of(session, member.id)
    forget_announced(session, member.id)
    run = session.connection().execute
    run(delete(Seat).where(col(Seat.person) == member.id))
    mails = update(OutboxMail).where(col(OutboxMail.member_id) == member.id)
    emptied = {"recipient": "", "context": {}, "relay_answer": "", "updated_at": clock.now()}
    withdrawn = {"state": MailState.WITHDRAWN, "reason": MEMBER_GONE}
    run(mails.where(col(OutboxMail.state) == MailState.PENDING).values(**withdrawn, **emptied))
    run(mails.where(col(OutboxMail.state).in_(_DONE)).values(**emptied))
    if not member.email or session.get(Admin, member.email):
        return
    run(delete(SignInLink).where(col(SignInLink.email) == member.email))
    factor_loss.delete_factors(session, member.email)
    run(delete(UserSession).where(col(UserSession.email) == member.email))
    signing_in = update(OutboxMail).where(col(OutboxMail.recipient) == member.email)
    run(signing_in.where(col(OutboxMail.state).in_(_DONE)).values(**emptied))


def erase_acts(session: Session, member: Member) -> None:
    """Erase what the journal holds of a member who was deleted: their address, and the values of their record.

    The acts stay as they are; they name a person of whom nothing else is known (T1).
    """
    run = session.connection().execute
    of_the_record = select_rows(col(Act.id)).where(col(Act.subject) == member.id)
    run(delete(ActChanges).where(col(ActChanges.act_id).in_(of_the_record)))
    is_theirs = col(ActPerson.member_id) == member.id
    if member.email:
        is_theirs |= col(ActPerson.email) == member.email
    still_acting = select_rows(col(Admin.email))
    erased = update(ActPerson).where(is_theirs, col(ActPerson.email).not_in(still_acting))
    run(erased.values(email=None, member_id=None))


def _member(session: Session, actor: Actor) -> Member:
    found = session.get(Member, require_member(actor), with_for_update=True)
    if found is None:
        raise NotFound
    return found
