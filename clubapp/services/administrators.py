"""Who administers the club."""

from sqlmodel import Session, select

from clubapp import addresses, clock
from clubapp.models import Admin
from clubapp.refusals import Conflict, NotFound
from clubapp.services import audit, sessions
from clubapp.services.actors import Actor, require_admin


def everyone(session: Session, actor: Actor) -> tuple[str, ...]:
    """The administrators' addresses, in order.

    Raises:
        Forbidden: for anyone but an administrator.
    """
    require_admin(actor)
    return tuple(session.exec(select(Admin.email).order_by(Admin.email)))


def add(session: Session, actor: Actor, email: str) -> str:
    """Let an address administer the club; returns it normalised.

    Raises:
        Forbidden, Invalid: when the actor or the address is not fit.
        Conflict: when the address administers the club already.
    """
    require_admin(actor)
    address = addresses.normalise(email)
    if session.get(Admin, address):
        raise Conflict(f"{address} administre déjà le club.")
    session.add(Admin(email=address, created_at=clock.now()))
    sessions.end_all(session, address)
    audit.record(session, actor, "admin.add", address)
    return address


def remove(session: Session, actor: Actor, email: str) -> str:
    """Take an address's right away and end its sessions (S9); returns it normalised.

    Raises:
        Forbidden, Invalid: when the actor or the address is not fit.
        NotFound: when the address does not administer the club.
    """
    require_admin(actor)
    address = addresses.normalise(email)
    found = session.get(Admin, address)
    if found is None:
        raise NotFound(f"{address} n'administre pas le club.")
    session.delete(found)
    sessions.end_all(session, address)
    audit.record(session, actor, "admin.remove", address)
    return address
