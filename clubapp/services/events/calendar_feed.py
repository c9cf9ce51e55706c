"""The public calendar feed: title, time and town of each event, and nothing else."""

from dataclasses import replace
from datetime import timedelta

from sqlmodel import Session, col, select

from clubapp import calendar_files, clock
from clubapp.models import Event, EventStatus
from clubapp.settings import settings

PAST = timedelta(days=366)


def build_feed(session: Session) -> bytes:
    """The confirmed events of the past year and the future, as one iCalendar file.

    An event whose doors were closed stays in the calendars that subscribed, like one that nobody closed.
    """
    public = col(Event.status).in_((EventStatus.CONFIRMED, EventStatus.COMPLETED))
    confirmed = select(Event).where(public, col(Event.date) > clock.now() - PAST)
    return calendar_files.write_feed([_entry(event) for event in session.exec(confirmed.order_by(col(Event.date)))])


def _entry(event: Event) -> calendar_files.CalendarEntry:
    told = f"{settings().name}\n{settings().public_url}"
    return replace(calendar_files.make_entry(event, told), location=event.location)
