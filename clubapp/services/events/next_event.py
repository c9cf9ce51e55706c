"""The club's next event as shown to the public: title, time and town only."""

from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session, col, select

from clubapp import calendar_files, clock
from clubapp.models import Event, EventStatus


@dataclass(frozen=True)
class NextEvent:
    """A confirmed future event; all empty when there is none. The two instants are ISO 8601 in club time."""

    title: str = ""
    date: str = ""
    location: str = ""
    starts_at: str = ""
    ends_at: str = ""


def find_next_event(session: Session) -> NextEvent:
    """The first confirmed event that has not begun."""
    query = (
        select(Event)
        .where(Event.status == EventStatus.CONFIRMED, col(Event.date) > clock.now())
        .order_by(col(Event.date))
        .limit(1)
    )
    event = session.exec(query).first()
    if event is None:
        return NextEvent()
    return NextEvent(
        title=event.title,
        date=calendar_files.when(event),
        location=event.location,
        starts_at=_iso(event.date),
        ends_at=_iso(calendar_files.ends_at(event)),
    )


def _iso(instant: datetime) -> str:
    return clock.to_local(instant).isoformat(timespec="seconds")
