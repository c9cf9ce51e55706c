"""Handling of messages that failed or are uncertain: resending, correcting the address, marking as arrived (M9)."""

from sqlmodel import Session, col, select

from clubapp import clock
from clubapp.mail.messages.mail_kinds import REPEATABLE
from clubapp.mail.queue.claims import RESENT_AT
from clubapp.models import MailState, Member, OutboxMail
from clubapp.refusals import Conflict, Invalid, NotFound
from clubapp.services.access import email_change, sessions
from clubapp.services.base import audit
from clubapp.services.base.actors import Actor, require_admin, require_fresh_admin
from clubapp.services.mail_log.listing import RESENDABLE
from clubapp.text import french
from clubapp.text.email_addresses import normalise

GONE = "Ce message n’est plus dans le journal."
NOT_NOW = "Ce message ne peut plus être renvoyé\u00a0: son état vient de changer."
NOT_UNCERTAIN = "Le sort de ce message est déjà connu."
NO_MEMBER = "Ce message ne s’adresse plus à un membre\u00a0: son adresse ne peut pas être corrigée."
SAME = "C’est déjà l’adresse de ce membre."
TAKEN = "Cette adresse est déjà celle {of_name}."
ERASED = "L’adresse de ce message a été effacée."
RECEIVED = "Marqué comme reçu par {who}."


def resend_mail(session: Session, actor: Actor, mail_id: str) -> None:
    """Queue a failed, withdrawn or uncertain message again, with the same Message-ID.

    It is the same row, so that the totals of its mailing stay right (M12).

    Raises:
        Conflict: when its state does not allow it.
        NotFound: when it was erased.
    """
    require_admin(actor)
    mail = _held(session, mail_id)
    if mail.state not in RESENDABLE or mail.kind in REPEATABLE:
        raise Conflict(NOT_NOW)
    if not mail.recipient:
        raise Conflict(ERASED)
    _queue_again(session, mail)
    audit.record(session, actor, "mail.resent", mail.id, kind=mail.kind)


def correct_and_resend(session: Session, actor: Actor, mail_id: str, email: str) -> int:
    """Correct a member's address and queue again the failed message and whatever else failed at the same address.

    Their waiting messages get the new address too. What need not be said any more is withdrawn when its turn comes.

    Returns:
        How many messages are queued again.

    Raises:
        Conflict: when the message did not fail, or its member was deleted.
        Invalid: when the address is not valid, another member's, or the one that the message failed at.
        NotFound: when it was erased.
    """
    require_fresh_admin(actor)
    mail = _held(session, mail_id)
    if mail.state != MailState.FAILED or mail.kind in REPEATABLE:
        raise Conflict(NOT_NOW)
    member = session.get(Member, mail.member_id, with_for_update=True) if mail.member_id else None
    if member is None:
        raise Conflict(NO_MEMBER)
    before, address = member.email, normalise(email)
    if address == before == mail.recipient:
        raise Invalid(SAME, field="email")
    if address != before and not email_change.assign_email(session, member, address):
        owner = session.exec(select(Member.name).where(Member.email == address)).first()
        raise Invalid(TAKEN.format(of_name=french.of_person(owner or "quelqu’un d’autre")), field="email")
    if before and address != before:
        sessions.end_all_sessions(session, before)
    count = _resend_failed(session, member, mail.recipient)
    email_change.redirect_waiting(session, member)  # from a former address too
    audit.record(session, actor, "member.address_corrected", member.id, changes={"email": (before, address)})
    return count


def mark_as_arrived(session: Session, actor: Actor, mail_id: str) -> None:
    """Mark an uncertain message as sent.

    Raises:
        Conflict: when it is not uncertain.
        NotFound: when it was erased.
    """
    require_admin(actor)
    mail = _held(session, mail_id)
    if mail.state != MailState.UNCERTAIN:
        raise Conflict(NOT_UNCERTAIN)
    mail.state, mail.reason = MailState.SENT, RECEIVED.format(who=actor.email)
    mail.sent_at, mail.lease_owner, mail.updated_at = mail.updated_at, "", clock.now()
    session.add(mail)
    audit.record(session, actor, "mail.settled", mail.id, kind=mail.kind)


def _held(session: Session, mail_id: str) -> OutboxMail:
    mail = session.get(OutboxMail, mail_id, with_for_update=True)
    if mail is None:
        raise NotFound(GONE)
    return mail


def _queue_again(session: Session, mail: OutboxMail) -> None:
    """Restart its retry period; without a lease, a late reply to the former attempt no longer changes it."""
    now = clock.now()
    mail.state, mail.reason, mail.attempts, mail.lease_owner = MailState.PENDING, "", 0, ""
    mail.context = {**mail.context, RESENT_AT: now.isoformat()}
    mail.available_at = mail.updated_at = now
    session.add(mail)


def _resend_failed(session: Session, member: Member, failing: str) -> int:
    """Queue again, for a member's address of now, what failed at the `failing` one; returns how many messages."""
    failed = select(OutboxMail).where(
        OutboxMail.member_id == member.id,
        OutboxMail.state == MailState.FAILED,
        OutboxMail.recipient == failing,
        col(OutboxMail.kind).not_in(REPEATABLE),
    )
    again = session.exec(failed.order_by(col(OutboxMail.id)).with_for_update()).all()
    for mail in again:
        mail.recipient = member.email or failing
        _queue_again(session, mail)
    return len(again)
