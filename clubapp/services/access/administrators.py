"""The administrators of the club: listing, adding, removing."""

from dataclasses import dataclass

from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col, select

from clubapp import clock, routes
from clubapp.models import Admin, Member
from clubapp.refusals import Conflict, NotFound
from clubapp.services.access import factor_loss, security_notices, sessions
from clubapp.services.base import audit
from clubapp.services.base.actors import Actor, require_admin, require_fresh_admin
from clubapp.text import email_addresses

ALREADY = "{} administre déjà le club."
LAST = "Le club garde au moins un administrateur\u00a0: ajoutez-en un autre avant de retirer {}."


@dataclass(frozen=True)
class Administrator:
    """An administrator in the list. `name` is set when they are also a member; `is_me` marks the actor.

    `has_factor`: they have a second factor that counts.
    """

    email: str
    name: str
    since: str
    is_me: bool
    has_factor: bool = False


def list_administrators(session: Session, actor: Actor) -> tuple[Administrator, ...]:
    """The administrators, by address."""
    require_admin(actor)
    query = select(Admin, Member.name).join(Member, col(Member.email) == col(Admin.email), isouter=True)
    rows = session.exec(query.order_by(col(Admin.email)))
    return tuple(
        Administrator(
            admin.email,
            name or "",
            f"Depuis le {clock.long_day(admin.created_at)}",
            admin.email == actor.email,
            sessions.has_factor(session, admin.email),
        )
        for admin, name in rows
    )


def list_admin_emails(session: Session, actor: Actor) -> tuple[str, ...]:
    """The administrators' addresses, in order.

    Raises:
        Forbidden: for anyone but an administrator.
    """
    require_admin(actor)
    return tuple(session.exec(select(Admin.email).order_by(Admin.email)))


def count_without_factor(session: Session, actor: Actor) -> int:
    """How many administrators have no second factor that counts.

    Raises:
        Forbidden: for anyone but an administrator.
    """
    return sum(not one.has_factor for one in list_administrators(session, actor))


def find_start_page(session: Session, actor: Actor) -> str:
    """Where whoever has signed in arrives: where they chose, else at the members or at their own profile."""
    if not actor.is_admin:
        member = session.get(Member, actor.member_id or "")
        return routes.MEMBER_MEETINGS if member and member.opens_meetings else routes.MEMBER
    admin = session.get(Admin, actor.email)
    return routes.ADMIN_TODAY if admin and admin.opens_today else routes.ADMIN


def choose_start_page(session: Session, actor: Actor, opens_today: bool) -> None:
    """Let the actor's sign-in lead to the page of the day, or to the members."""
    require_admin(actor)
    admin = session.get(Admin, actor.email)
    if admin is None or admin.opens_today == opens_today:
        return
    changes = {"opens_today": (admin.opens_today, opens_today)}
    admin.opens_today = opens_today
    session.add(admin)
    audit.record(session, actor, "admin.start_page", actor.email, changes=changes)


def add_administrator(session: Session, actor: Actor, email: str) -> str:
    """Make an address an administrator's; return it normalised.

    Raises:
        Forbidden: when the actor is not an administrator.
        ProofRequired: when the actor's last proof is too old (S13).
        Invalid: when it is not an e-mail address.
        Conflict: when it is an administrator's already.
    """
    require_fresh_admin(actor)
    address = email_addresses.normalise(email)
    try:
        with session.begin_nested():
            session.add(Admin(email=address, created_at=clock.now()))
    except IntegrityError:  # already present, perhaps by a concurrent call
        raise Conflict(ALREADY.format(address), field="email") from None
    sessions.end_all_sessions(session, address)
    audit.record(session, actor, "admin.add", address)
    security_notices.tell_admin_added(session, actor, address)
    return address


def remove_administrator(session: Session, actor: Actor, email: str) -> str:
    """Remove an administrator and end their sessions (S9); return the address normalised.

    Raises:
        Forbidden: when the actor is not an administrator.
        ProofRequired: when the actor's last proof is too old (S13).
        Invalid: when it is not an e-mail address.
        NotFound: when it is not an administrator's.
        Conflict: when it is the last administrator's.
    """
    require_fresh_admin(actor)
    address = email_addresses.normalise(email)
    # All rows are locked in one order, so that two concurrent removals cannot remove the last two.
    everybody = {admin.email: admin for admin in session.exec(select(Admin).order_by(Admin.email).with_for_update())}
    found = everybody.get(address)
    if found is None:
        raise NotFound(f"{address} n’administre pas le club.")
    if len(everybody) == 1:
        raise Conflict(LAST.format(address))
    session.delete(found)
    session.flush()
    sessions.end_all_sessions(session, address)
    if not sessions.find_rights(session, address).can_sign_in:
        factor_loss.delete_factors(session, address)
    audit.record(session, actor, "admin.remove", address)
    security_notices.tell_admin_removed(session, actor, address)
    return address
