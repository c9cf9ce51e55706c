"""Mails about someone's own account: a change of address (S11), a request for erasure (P2)."""

from sqlmodel import Session, col, select

from clubapp import clock, routes, tokens
from clubapp.mail.messages import account_links
from clubapp.mail.messages.letter import Letter, Withdrawn
from clubapp.mail.messages.recipients_now import MEMBER_GONE, require_token
from clubapp.models import Admin, EmailChange, Member, OutboxMail
from clubapp.settings import settings
from clubapp.text import french

EMAIL_CHANGE, EMAIL_CHANGED, ERASURE_ASKED = "email_change", "email_changed", "erasure_asked"
PURPOSE = "email-change"
CHANGE_GONE = "Le changement d’adresse a été confirmé, annulé ou remplacé."


def compose_email_change(session: Session, mail: OutboxMail) -> Letter:
    """To the new address: the link that confirms it, or, when it is someone else's, that it cannot be used."""
    member = _require_account_holder(session, mail)
    change = session.get(EmailChange, mail.context["change_id"])
    if change is None or change.confirmed_at or change.voided_at or change.expires_at <= clock.now():
        raise Withdrawn(CHANGE_GONE)
    if _is_taken(session, change):
        return Letter("email_change_taken", {"contact_email": settings().contact_email})
    token = require_token(tokens.rebuild(PURPOSE, change.id, change.token_hash))
    link = f"{settings().public_url}{routes.CONFIRM_EMAIL}#token={token}"
    return Letter(EMAIL_CHANGE, {"link": link, "until": clock.long_date(change.expires_at)}, to_name=member.name)


def compose_email_changed(session: Session, mail: OutboxMail) -> Letter:
    """To the old address: that it no longer signs in, and the link that undoes the change for a week (S14)."""
    change_id = mail.context.get("change_id")
    context = {
        "new_email": mail.context["new_email"],
        "contact_email": settings().contact_email,
        "undo": account_links.build_link(account_links.UNDO_CHANGE, change_id) if change_id else "",
    }
    return Letter(EMAIL_CHANGED, context, to_name=_require_account_holder(session, mail).name)


def compose_erasure_request(session: Session, mail: OutboxMail) -> Letter:
    """To an administrator: a member asks to be erased."""
    member = session.get(Member, mail.context["asking_id"])
    if member is None:
        raise Withdrawn(MEMBER_GONE)
    names = {"name": member.name, "of_name": french.of_person(member.name)}
    return Letter(ERASURE_ASKED, {**names, "link": settings().public_url + routes.ADMIN_MEMBERS})


def _require_account_holder(session: Session, mail: OutboxMail) -> Member:
    """The active member whose account it is, opted out of mailings or not.

    Raises:
        Withdrawn: when there is none.
    """
    member = session.get(Member, mail.member_id) if mail.member_id else None
    if member is None or not member.is_active:
        raise Withdrawn(MEMBER_GONE)
    return member


def _is_taken(session: Session, change: EmailChange) -> bool:
    other = select(Member.id).where(col(Member.email) == change.new_email, col(Member.id) != change.member_id)
    return session.get(Admin, change.new_email) is not None or session.exec(other).first() is not None
