"""A member's change of e-mail address, which takes effect when the link sent to the new one is opened (S11)."""

from dataclasses import dataclass
from datetime import timedelta

from sqlalchemy import ColumnElement, func, select, update
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col

from clubapp import clock, tokens
from clubapp.mail.messages.account import EMAIL_CHANGE, EMAIL_CHANGED, PURPOSE
from clubapp.mail.queue import outbox
from clubapp.models import Admin, EmailChange, Member, new_id
from clubapp.refusals import Conflict, NotFound, TooMany
from clubapp.services.access import sessions
from clubapp.services.base import audit
from clubapp.services.base.actors import Actor, require_member
from clubapp.text.email_addresses import mask_address, normalise

LIFETIME = timedelta(hours=24)
MOST_A_DAY = 5
TOO_MANY = "Trop de demandes de changement d’adresse\u00a0: réessayez demain."
LINK_GONE = "Ce lien a déjà servi, a expiré ou a été remplacé par un plus récent."
TAKEN = "Cette adresse ne peut pas être utilisée ici. Choisissez-en une autre dans votre profil."
NOTHING = "Aucun changement d’adresse n’est en attente."


@dataclass(frozen=True)
class PendingChange:
    """An address that awaits confirmation; empty when there is none. `until` reads 'lundi 5 mai à 14:00'."""

    email: str = ""
    until: str = ""


NONE_PENDING = PendingChange()


def request_change(session: Session, member: Member, email: str) -> None:
    """Send the link to the new address and void an older request. Does not reveal whether the address is taken.

    Raises:
        Invalid: when it is not an e-mail address.
        TooMany: after five in a day.
    """
    now, identifier = clock.now(), new_id()
    recent = select(func.count()).where(
        col(EmailChange.member_id) == member.id, col(EmailChange.created_at) > now - LIFETIME
    )
    if session.execute(recent).scalar_one() >= MOST_A_DAY:
        raise TooMany(TOO_MANY, retry_after=int(LIFETIME.total_seconds()))
    _void(session, member)
    made = EmailChange(
        id=identifier,
        member_id=member.id,
        new_email=normalise(email),
        token_hash=tokens.fingerprint(tokens.derive(PURPOSE, identifier)),
        created_at=now,
        expires_at=now + LIFETIME,
    )
    session.add(made)
    session.flush()
    changes = {"email": (member.email, made.new_email)}
    audit.record(
        session, Actor(email=member.email or "", member_id=member.id), "email.requested", member.id, changes=changes
    )
    outbox.queue_mail(
        session,
        kind=EMAIL_CHANGE,
        key=f"email_change:{identifier}",
        recipient=made.new_email,
        member_id=member.id,
        context={"change_id": identifier},
    )


def find_pending(session: Session, member: Member) -> PendingChange:
    """The change of a member that awaits confirmation."""
    found = _waiting(session, member)
    return PendingChange(found.new_email, clock.long_date(found.expires_at)) if found else NONE_PENDING


def resend_link(session: Session, actor: Actor) -> None:
    """Send a new link for the actor's pending change; the one before is void.

    Raises:
        NotFound: when there is none.
        TooMany: after five in a day.
    """
    member = _member(session, actor)
    found = _waiting(session, member)
    if found is None:
        raise NotFound(NOTHING)
    request_change(session, member, found.new_email)


def cancel_change(session: Session, actor: Actor) -> None:
    """Void the actor's pending change and its link."""
    member = _member(session, actor)
    if _waiting(session, member):
        audit.record(session, actor, "email.cancelled", member.id)
    _void(session, member)


def confirm_change(session: Session, token: str) -> str:
    """Apply the change of a link, once; sessions of the old address end, and it gets a notice. Return the new address.

    Raises:
        NotFound: when the link is unknown, used, void or too old.
        Conflict: when the address has become another member's.
    """
    query = select(EmailChange).where(col(EmailChange.token_hash) == tokens.fingerprint(token), *_good())
    change = session.execute(query).scalar_one_or_none()
    member = session.get(Member, change.member_id, with_for_update=True) if change else None
    if change is None or member is None or not member.is_active or not _use(session, change):
        raise NotFound(LINK_GONE)
    old = member.email
    if session.get(Admin, change.new_email) or not assign_email(session, member, change.new_email):
        raise Conflict(TAKEN)
    if old:
        sessions.end_all_sessions(session, old)
        outbox.queue_mail(
            session,
            kind=EMAIL_CHANGED,
            key=f"email_changed:{change.id}",
            recipient=old,
            member_id=member.id,
            context={"new_email": mask_address(change.new_email)},
        )
    changes = {"email": (old, change.new_email)}
    audit.record(session, Actor(email=old or "", member_id=member.id), "email.changed", member.id, changes=changes)
    return change.new_email


def assign_email(session: Session, member: Member, email: str) -> bool:
    """Set a member's address; False when the unique constraint says that another member has it."""
    try:
        with session.begin_nested():
            member.email, member.email_failed_at, member.email_failure = email, None, ""
            member.updated_at = clock.now()
            session.add(member)
    except IntegrityError:
        return False
    return True


def _use(session: Session, change: EmailChange) -> bool:
    """Mark the link as used in one statement, so that of concurrent calls only one succeeds."""
    used = session.execute(
        update(EmailChange).where(col(EmailChange.id) == change.id, *_good()).values(confirmed_at=clock.now())
    )
    return used.rowcount == 1  # pyright: ignore[reportAttributeAccessIssue]


def _void(session: Session, member: Member) -> None:
    waiting = update(EmailChange).where(col(EmailChange.member_id) == member.id, *_good())
    session.execute(waiting.values(voided_at=clock.now()))


def _waiting(session: Session, member: Member) -> EmailChange | None:
    query = select(EmailChange).where(col(EmailChange.member_id) == member.id, *_good())
    return session.execute(query.order_by(col(EmailChange.created_at).desc())).scalars().first()


def _good() -> tuple[ColumnElement[bool], ...]:
    return (
        col(EmailChange.confirmed_at).is_(None),
        col(EmailChange.voided_at).is_(None),
        col(EmailChange.expires_at) > clock.now(),
    )


def _member(session: Session, actor: Actor) -> Member:
    """The actor's row, locked so that concurrent requests are counted one after the other."""
    found = session.get(Member, require_member(actor), with_for_update=True)
    if found is None:
        raise NotFound
    return found
