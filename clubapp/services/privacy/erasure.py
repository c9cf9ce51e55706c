"""What is erased when an administrator deletes a member (P2)."""

from sqlalchemy import delete, update
from sqlalchemy import select as select_rows
from sqlmodel import Session, col, select

from clubapp import clock
from clubapp.mail.messages.recipients_now import MEMBER_GONE
from clubapp.models import (
    Act,
    ActChanges,
    ActPerson,
    Admin,
    Arrival,
    ArrivalTouch,
    Event,
    EventReservation,
    MailState,
    Member,
    OutboxMail,
    RequestOutcome,
    Right,
    RightsRequest,
    Seat,
    SignInLink,
    UserSession,
)
from clubapp.services.access import factor_loss
from clubapp.services.answers import guest_link, guests
from clubapp.services.attendance import turnout
from clubapp.services.attendance.announced_people import forget_announced
from clubapp.services.base.actors import Actor
from clubapp.services.privacy import rights_requests

NOTHING_LEFT = "Votre fiche a été supprimée, et vos données avec elle."
_DONE = (MailState.SENT, MailState.FAILED, MailState.UNCERTAIN, MailState.EXCLUDED, MailState.WITHDRAWN)


def close_requests(session: Session, actor: Actor, member: Member) -> bool:
    """Close what a member who is being deleted asked for, and forget who asked; return whether it was the erasure."""
    was_asked = False
    for row in session.exec(select(RightsRequest).where(RightsRequest.member_id == member.id)):
        if row.answered_at is None:
            was_asked = was_asked or row.kind == Right.ERASURE
            if row.kind in (Right.COPY, Right.CORRECTION):
                rights_requests.close_request(session, actor, row, RequestOutcome.REFUSED, NOTHING_LEFT)
            else:
                rights_requests.close_request(session, actor, row, RequestOutcome.DONE, row.answer)
        else:
            row.answer = ""
        row.name = row.email = row.words = ""
        session.add(row)
    session.flush()
    return was_asked


def erase_member(session: Session, actor: Actor, member: Member, *, was_asked: bool) -> None:
    """Erase what other tables hold of a member who is being deleted; the counts of past events stay.

    Whom they named as guests goes too, and what others gave of them as a guest of that address. Waiting messages are
    withdrawn. Messages lose address and content. `erase_acts` is to follow the deletion.
    """
    turnout.detach_arrivals(session, col(Arrival.person) == member.id, col(ArrivalTouch.person) == member.id)
    guests.erase_guests_of(session, member.id)
    forget_announced(session, member.id)
    run = session.connection().execute
    run(delete(Seat).where(col(Seat.person) == member.id))
    to_come = col(EventReservation.event_id).in_(select_rows(col(Event.id)).where(col(Event.date) > clock.now()))
    run(delete(EventReservation).where(col(EventReservation.member_id) == member.id, to_come))
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
    guest_link.erase_by_address(session, actor, member.email, was_asked=was_asked)


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
