"""The fictional club 'Cercle du Beffroi'. The same seed on the same day makes the same club, identifiers included."""

from dataclasses import dataclass
from datetime import UTC, datetime, time
from random import Random
from typing import Any

from sqlmodel import Session, select

from clubapp import clock
from clubapp.models import Admin, Company, Event, Member
from clubapp.refusals import Conflict
from clubapp.services.demo.addresses import ADMIN_EMAIL, MEMBER_EMAIL, SECOND_ADMIN_EMAIL
from clubapp.services.demo.events import add_events
from clubapp.services.demo.mail_settings import add_mail_settings
from clubapp.services.demo.meetings import add_meetings
from clubapp.services.demo.people import add_companies, add_members

__all__ = ["ADMIN_EMAIL", "MEMBER_EMAIL", "SECOND_ADMIN_EMAIL", "LoadedClub", "has_no_club", "load_club"]

NOT_EMPTY = "La base contient déjà un club\u00a0: rien n’a été chargé."


@dataclass(frozen=True)
class LoadedClub:
    """How many rows were made, and the address of the administrator."""

    members: int
    companies: int
    events: int
    admin_email: str = ADMIN_EMAIL


def has_no_club(session: Session) -> bool:
    """Whether the database holds no member, company or event."""
    return not any(session.exec(select(table.id).limit(1)).first() for table in (Member, Company, Event))


def load_club(
    session: Session, *, members: int = 60, companies: int = 45, events: int = 14, seed: int = 1
) -> LoadedClub:
    """Fill an empty database with the fictional club.

    Raises:
        Conflict: when the database holds a club.
    """
    if not has_no_club(session):
        raise Conflict(NOT_EMPTY)
    random = Random(seed)  # noqa: S311 - the same club again, not a secret
    today = _start_of_today()
    made_companies = add_companies(session, random, companies, today)
    made_members = add_members(session, random, members, made_companies, today)
    made_events = add_events(session, random, events, made_members, today)
    add_mail_settings(session, random, today)
    add_meetings(session, random, made_events)
    _add_admins(session, made_members, today)
    return LoadedClub(len(made_members), len(made_companies), len(made_events))


def _start_of_today() -> datetime:
    midnight = datetime.combine(clock.to_local(clock.now()).date(), time(), clock.zone())
    return midnight.astimezone(UTC)


def _add_admins(session: Session, members: list[Member], today: datetime) -> None:
    addresses: list[Any] = [ADMIN_EMAIL]
    addresses += [member.email for member in members if member.email == SECOND_ADMIN_EMAIL]
    for email in addresses:
        session.merge(Admin(email=email, created_at=today))
    session.flush()
