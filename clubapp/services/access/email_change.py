"""A member's change of e-mail address, which takes effect when the link sent to the new one is opened (S11)."""

from dataclasses import dataclass
from datetime import timedelta

from sqlalchemy import ColumnElement, func, select, update
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col

from clubapp import clock, tokens
from clubapp.mail.messages.account import EMAIL_CHANGE, EMAIL_CHANGED, PURPOSE
from clubapp.mail.messages.mail_kinds import REPEATABLE, WARNINGS
from clubapp.mail.queue import outbox
from clubapp.models import Admin, EmailChange, MailState, Member, OutboxMail, new_id
from clubapp.refusals import Conflict, NotFound, TooMany
from clubapp.services.access import factor_loss, security_notices, sessions
from clubapp.services.access.known_browsers import Browser
from clubapp.services.base import audit
from clubapp.services.base.actors import Actor, require_member
from clubapp.text.email_addresses import mask_address, normalise

LIFETIME = timedelta(hours=24)
UNDO = timedelta(days=7)
MOST_A_DAY = 5
TOO_MANY = "Trop de demandes de changement d’adresse\u00a0: réessayez demain."
LINK_GONE = "Ce lien a déjà servi, a expiré ou a été remplacé par un plus récent."
TAKEN = "Cette adresse ne peut pas être utilisée ici. Choisissez-en une autre dans votre profil."
NOTHING = "Aucun changement d’adresse n’est en attente."
NOT_UNDOABLE = "Ce changement d’adresse ne peut plus être défait ici. Écrivez-nous."


@dataclass(frozen=True)
class PendingChange:
    """An address that awaits confirmation; empty when there is none. `until` reads 'lundi 5 mai à 14:00'."""

    email: str = ""
    until: str = ""


NONE_PENDING = PendingChange()


def request_change(session: Session, actor: Actor, member: Member, email: str) -> None:
    """Send the link to the member's new address and void an older request. Does not reveal whether it is taken.

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
        old_email=member.email or "",
        token_hash=tokens.fingerprint(tokens.derive(PURPOSE, identifier)),
        created_at=now,
        expires_at=now + LIFETIME,
    )
    session.add(made)
    session.flush()
    changes = {"email": (member.email, made.new_email)}
    audit.record(session, actor, "email.requested", member.id, changes=changes)
    outbox.queue_mail(
        session,
        kind=EMAIL_CHANGE,
        key=f"email_change:{identifier}",
        recipient=made.new_email,
        member_id=member.id,
        context={"change_id": identifier},
    )
    if made.old_email:
        security_notices.tell_change_asked(session, made)


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
    request_change(session, actor, member, found.new_email)


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
            context={"new_email": mask_address(change.new_email), "change_id": change.id},
        )
    changes = {"email": (old, change.new_email)}
    audit.record(session, Actor(email=old or "", member_id=member.id), "email.changed", member.id, changes=changes)
    return change.new_email


def assign_email(session: Session, member: Member, email: str) -> bool:
    """Set a member's address, which waiting mails follow; False when the unique constraint says that another member
    has it.
    """
    old = member.email
    try:
        with session.begin_nested():
            member.email, member.email_failed_at, member.email_failure = email, None, ""
            member.updated_at = clock.now()
            session.add(member)
    except IntegrityError:
        return False
    if old:
        factor_loss.follow_address(session, old, email)
    redirect_waiting(session, member)
    return True


def redirect_waiting(session: Session, member: Member, but: tuple[str, ...] = ()) -> None:
    """Let what waits for a member go to their address of now, if they have one.

    What is for one address stays: sign-in, the link that confirms an address, warnings, and the kinds in `but`.
    """
    if not member.email:
        return
    waiting = update(OutboxMail).where(
        col(OutboxMail.member_id) == member.id,
        col(OutboxMail.state) == MailState.PENDING,
        col(OutboxMail.kind).not_in((*REPEATABLE, *WARNINGS, EMAIL_CHANGE, *but)),
    )
    session.execute(waiting.values(recipient=member.email))


def void_pending(session: Session, email: str) -> bool:
    """Void the change of address that the member of an address waits for; whether there was one."""
    member = session.execute(select(Member).where(col(Member.email) == email)).scalar_one_or_none()
    if member is None or _waiting(session, member) is None:
        return False
    _void(session, member)
    audit.record(session, Actor(email=email), "email.cancelled", member.id)
    return True


def cancel_by_link(session: Session, change_id: str) -> None:
    """Void a pending change, from the link that its old address got (S14).

    Raises:
        NotFound: when it is not pending any more.
    """
    change = session.get(EmailChange, change_id)
    voided = update(EmailChange).where(col(EmailChange.id) == change_id, *_good()).values(voided_at=clock.now())
    if change is None or session.execute(voided).rowcount != 1:  # pyright: ignore[reportAttributeAccessIssue]
        raise NotFound(NOTHING)
    sessions.end_all_sessions(session, change.old_email)
    audit.record(session, Actor(email=change.old_email), "email.cancelled", change.member_id)


def undo_by_link(session: Session, change_id: str, browser: Browser) -> tuple[str, ...]:
    """Give a member their old address back, from the link that it got, for a week (S14). All sessions end,
    and all administrators are told when it is an address of one of them.

    Changes that were confirmed after it are undone with it, and factors that were added since it was asked for go:
    whoever took an account over keeps nothing of it. Return the names of those of an administrator that stay all the
    same, as `factor_loss.remove_factors_since` says.

    Raises:
        NotFound: when there is nothing to undo, or it is too late.
        Conflict: when somebody else has the old address now.
    """
    change = find_undoable(session, change_id)
    member = session.get(Member, change.member_id, with_for_update=True) if change else None
    undone = _confirmed_since(session, change) if change else []
    if change is None or member is None or member.email in (None, change.old_email):
        raise NotFound(NOT_UNDOABLE)
    before = member.email
    if before != undone[-1].new_email:  # an administrator has decided since
        raise NotFound(NOT_UNDOABLE)
    admin = session.get(Admin, change.old_email)
    is_new_admin = admin is not None and admin.created_at > change.created_at
    if is_new_admin or not assign_email(session, member, change.old_email):
        raise Conflict(NOT_UNDOABLE)
    factors = factor_loss.remove_factors_since(session, change.old_email, change.created_at, browser)
    for each in undone:
        each.undone_at = clock.now()
        session.add(each)
    _void(session, member)
    for address in {change.old_email, *(each.new_email for each in undone)}:
        sessions.end_all_sessions(session, address)
    changes = {"email": (before, change.old_email)}
    audit.record(session, Actor(email=change.old_email), "email.undone", member.id, changes=changes)
    security_notices.tell_change_undone(session, change, factors.names, factors.has_codes, factors.kept)
    return factors.kept


def _confirmed_since(session: Session, change: EmailChange) -> list[EmailChange]:
    """A confirmed change and those of the same member that followed it, the latest last."""
    followed = col(EmailChange.confirmed_at) >= change.confirmed_at
    query = select(EmailChange).where(
        col(EmailChange.member_id) == change.member_id, followed, col(EmailChange.undone_at).is_(None)
    )
    return list(session.execute(query.order_by(col(EmailChange.confirmed_at))).scalars())


def find_standing(session: Session, change_id: str) -> EmailChange | None:
    """What a link about a change is about now: that one, or the one that has replaced it since.

    Only one that can be cancelled or undone is returned, and of the same address, whose links they are.
    """
    asked = session.get(EmailChange, change_id)
    if asked is None or _stands(asked):
        return asked
    since = select(EmailChange).where(
        col(EmailChange.member_id) == asked.member_id,
        col(EmailChange.old_email) == asked.old_email,
        col(EmailChange.created_at) >= asked.created_at,
    )
    later = session.execute(since.order_by(col(EmailChange.created_at).desc())).scalars()
    return next(filter(_stands, later), None)


def keeps_address(session: Session, change_id: str) -> bool:
    """Whether the member of a change has the address that they had when it was asked for."""
    change = session.get(EmailChange, change_id)
    member = session.get(Member, change.member_id) if change else None
    return change is not None and member is not None and member.email == change.old_email


def find_undoable(session: Session, change_id: str) -> EmailChange | None:
    """A confirmed change that can still be undone."""
    change = session.get(EmailChange, change_id)
    return change if change is not None and _is_undoable(change) else None


def _is_undoable(change: EmailChange) -> bool:
    return change.confirmed_at is not None and change.undone_at is None and change.confirmed_at + UNDO > clock.now()


def _stands(change: EmailChange) -> bool:
    is_pending = not change.confirmed_at and not change.voided_at and change.expires_at > clock.now()
    return is_pending or _is_undoable(change)


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
