"""What can be printed for an event."""

from dataclasses import dataclass

from sqlmodel import Session

from clubapp import calendar_files
from clubapp.services.attendance.badges import BadgeOptions, describe_badges
from clubapp.services.base.actors import Actor, require_admin
from clubapp.services.events.editing import find_event


@dataclass(frozen=True)
class Printouts:
    """An event and what it has on paper; `badges` says how many badges the options give."""

    event_id: str = ""
    title: str = ""
    date: str = ""
    has_lunch: bool = False
    badges: str = ""


def read_printouts(session: Session, actor: Actor, event_id: str, options: BadgeOptions) -> Printouts:
    """What an event has on paper.

    Raises:
        NotFound: when the event was deleted.
    """
    require_admin(actor)
    event = find_event(session, event_id)
    return Printouts(
        event_id=event.id,
        title=event.title,
        date=calendar_files.when(event),
        has_lunch=event.has_lunch,
        badges=describe_badges(session, actor, event_id, options),
    )
