"""A member's wish for another e-mail address: it counts once the new one is confirmed by the link it was sent (S11)."""

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
from clubapp.text.email_addresses import masked, normalise

LIFETIME = timedelta(hours=24)
MOST_A_DAY = 5
TOO_MANY = "Trop de demandes de changement d'adresse\u00a0: réessayez demain."
LINK_GONE = "Ce lien a déjà servi, a expiré ou a été remplacé par un plus récent."
TAKEN = "Cette adresse ne peut pas être utilisée ici. Choisissez-en une autre dans votre profil."
NOTHING = "Aucun changement d'adresse n'est en attente."


@dataclass(frozen=True)
class PendingChange:
    """An address that waits for its confirmation; empty when there is none. `until` reads 'lundi 5 mai à 14:00'."""

    email: str = ""
    until: str = ""


NONE_PENDING = PendingChange()


def request(session: Session, member: Member, email: str) -> None:
    """Send the link to the new address; an older request is void. Whether the address is taken is told to nobody here.

    Raises:
        Invalid: when it is no address.
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
    outbox.queue_mail(
        session,
        kind=EMAIL_CHANGE,
        key=f"email_change:{identifier}",
        recipient=made.new_email,
        member_id=member.id,
        context={"change_id": identifier},
    )


def pending(session: Session, member: Member) -> PendingChange:
    """The change of a member that waits for its confirmation."""
    found = _waiting(session, member)
    return PendingChange(found.new_email, clock.long_date(found.expires_at)) if found else NONE_PENDING


def resend(session: Session, actor: Actor) -> None:
    """Send the actor's waiting change a new link; the one before is void.

    Raises:
        NotFound: when none waits.
        TooMany: after five in a day.
    """
    member = _member(session, actor)
    found = _waiting(session, member)
    if found is None:
        raise NotFound(NOTHING)
    request(session, member, found.new_email)


def cancel(session: Session, actor: Actor) -> None:
    """Keep the present address: the link that was sent is void."""
    _void(session, _member(session, actor))


def confirm(session: Session, token: str) -> str:
    """Make the new address count, once; every session of the old one ends, which is told. Returns the new one.

    Raises:
        NotFound: when the link is unknown, used, void or too old.
        Conflict: when the address belongs to someone else by now.
    """
    query = select(EmailChange).where(col(EmailChange.token_hash) == tokens.fingerprint(token), *_good())
    change = session.execute(query).scalar_one_or_none()
    member = session.get(Member, change.member_id, with_for_update=True) if change else None
    if change is None or member is None or not member.is_active or not _use(session, change):
        raise NotFound(LINK_GONE)
    old = member.email
    if session.get(Admin, change.new_email) or not give(session, member, change.new_email):
        raise Conflict(TAKEN)
    if old:
        sessions.end_all(session, old)
        outbox.queue_mail(
            session,
            kind=EMAIL_CHANGED,
            key=f"email_changed:{change.id}",
            recipient=old,
            member_id=member.id,
            context={"new_email": masked(change.new_email)},
        )
    audit.record(session, Actor(email=old or ""), "email.changed", member.id)
    return change.new_email


def give(session: Session, member: Member, email: str) -> bool:
    """Make this the member's address; false when another member has it: the database decides, at this very moment."""
    try:
        with session.begin_nested():
            member.email, member.email_failed_at, member.email_failure = email, None, ""
            member.updated_at = clock.now()
            session.add(member)
    except IntegrityError:
        return False
    return True


def _use(session: Session, change: EmailChange) -> bool:
    """The one place where a link is used up: of any number of racing calls, one changes the row."""
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
    """The actor, held: their requests are counted one after the other."""
    found = session.get(Member, require_member(actor), with_for_update=True)
    if found is None:
        raise NotFound
    return found
