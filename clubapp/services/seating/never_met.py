"""Whom of the club a member has never met."""

from collections.abc import Iterable
from dataclasses import dataclass

from sqlmodel import Session, col, select

from clubapp import clock
from clubapp.models import EventReservation, Member, coming
from clubapp.services.base.actors import Actor, require_admin
from clubapp.services.seating.history import read_meetings
from clubapp.text.collation import sort_by_name

SUGGESTED = 3
NEVER_CAME, NEVER_SAT = "Jamais venus à la même rencontre", "Venus ensemble, jamais à la même table"


@dataclass(frozen=True)
class Strangers:
    """Members whom somebody has not met in one way, by name: 'Marie Durand, Atelier'."""

    label: str
    members: tuple[str, ...]


def list_never_met(session: Session, actor: Actor, member_id: str) -> tuple[Strangers, ...]:
    """The active members whom a member never came together with; then those never at one table with them.

    Empty for a member who has not come to any meeting yet. The second list is there once they have sat at a table.
    """
    require_admin(actor)
    meetings = read_meetings(session, clock.now())
    if member_id not in meetings.events:
        return ()
    query = select(Member).where(col(Member.is_active), Member.id != member_id)
    others = sort_by_name(session.exec(query).all())
    met = [other for other in others if meetings.has_come_together(member_id, other.id)]
    known = {other.id for other in met}
    found = [_strangers(NEVER_CAME, (other for other in others if other.id not in known))]
    if member_id in meetings.tables:
        found.append(
            _strangers(NEVER_SAT, (other for other in met if not meetings.has_sat_together(member_id, other.id)))
        )
    return tuple(each for each in found if each.members)


def suggest_meetings(session: Session, event_id: str) -> dict[str, list[str]]:
    """For each member who comes to an event, the ids of at most `SUGGESTED` others who come and are in the directory,
    whom they have never come together with. Each is named to as many people as the others, as far as that goes."""
    meetings = read_meetings(session, clock.now())
    query = select(Member).join(EventReservation).where(EventReservation.event_id == event_id, coming())
    people = sort_by_name(session.exec(query.where(col(Member.is_active))).all())
    suggested: dict[str, list[str]] = {}
    for number, person in enumerate(people):
        following = people[number + 1 :] + people[:number]
        strangers = [one.id for one in following if one.is_listed and not meetings.has_come_together(person.id, one.id)]
        suggested[person.id] = strangers[:SUGGESTED]
    return suggested


def _strangers(label: str, members: Iterable[Member]) -> Strangers:
    named = tuple(f"{member.name}, {member.company}" if member.company else member.name for member in members)
    return Strangers(f"{label}\u00a0: {len(named)}", named)
