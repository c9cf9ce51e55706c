"""An event as calendars want it: an iCalendar file (RFC 5545) and links to the calendar services (C5).

Nothing here knows a person: no token and no name of an invitee can reach a calendar. What writes the files is loaded
with the first of them: a start of the site does without it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import TYPE_CHECKING
from urllib.parse import quote, urlencode, urlsplit
from zoneinfo import ZoneInfo

from clubapp import clock
from clubapp.models import DURATION_HOURS, Event, EventSpeaker, EventStatus
from clubapp.settings import settings

if TYPE_CHECKING:
    import icalendar

GOOGLE = "https://calendar.google.com/calendar/render"
OUTLOOK = "https://outlook.live.com/calendar/0/deeplink/compose"
OFFICE = "https://outlook.office.com/calendar/0/deeplink/compose"
YAHOO = "https://calendar.yahoo.com/"
REFRESH = timedelta(hours=12)
PUBLISH, REQUEST, CANCEL = "PUBLISH", "REQUEST", "CANCEL"


@dataclass(frozen=True)
class CalendarEntry:
    """What every calendar is told. Instants are UTC."""

    uid: str
    title: str
    starts_at: datetime
    ends_at: datetime
    location: str
    details: str
    status: str
    sequence: int
    changed_at: datetime


@dataclass(frozen=True)
class CalendarLink:
    """A page of a calendar service where the event is already filled in."""

    label: str
    href: str


def make_entry(event: Event, details: str | None = None) -> CalendarEntry:
    """The calendar's view of an event; it lasts three hours. `details` stand in place of its text and speakers."""
    return CalendarEntry(
        uid=f"{event.id}@{urlsplit(settings().public_url).hostname}",
        title=event.title,
        starts_at=event.date,
        ends_at=ends_at(event),
        location=place(event),
        details=_details(event) if details is None else details,
        status=event.status,
        sequence=event.sequence,
        changed_at=event.updated_at,
    )


def ends_at(event: Event) -> datetime:
    """The instant an event ends."""
    return event.date + timedelta(hours=DURATION_HOURS)


def place(event: Event) -> str:
    """'Valenciennes, 3 place d'Armes': the short location, then the address when there is one."""
    return " ".join(", ".join(part for part in (event.location, event.address) if part).split())


def speaker_line(speaker: EventSpeaker) -> str:
    """'Zoé Lefèbvre, Atelier Lefèbvre'."""
    return ", ".join(part for part in (speaker.name, speaker.company) if part)


def _details(event: Event) -> str:
    names = " ; ".join(speaker_line(speaker) for speaker in event.speakers)
    parts = (event.description, f"Avec {names}" if names else "", settings().name)
    return "\n\n".join(part for part in parts if part)


def write_file(found: CalendarEntry, method: str = PUBLISH, attendee: str = "") -> bytes:
    """The event as an iCalendar file, with the club's time zone inside.

    `method` is PUBLISH for whoever takes the file; REQUEST adds or moves and CANCEL removes the entry of `attendee`,
    the address of the one person the file is for (RFC 5546, 3.2).
    """
    calendar = _calendar(method, clock.to_local(found.starts_at).year)
    component = _component(found)
    if method != PUBLISH:
        component.add("organizer", f"mailto:{settings().reply_to}", parameters={"cn": settings().name})
        component.add("attendee", f"mailto:{attendee}", parameters={"rsvp": "FALSE"})
    calendar.add_component(component)
    return calendar.to_ical()


def write_feed(events: Sequence[CalendarEntry]) -> bytes:
    """All of them in one file that calendar programs come back for (RFC 7986)."""
    from icalendar import vDuration

    calendar = _calendar(PUBLISH, clock.to_local(clock.now()).year)
    for name in ("name", "x-wr-calname"):
        calendar.add(name, settings().name)
    calendar.add("x-wr-timezone", settings().timezone)
    calendar.add("refresh-interval", REFRESH, parameters={"value": "DURATION"})
    calendar.add("x-published-ttl", vDuration(REFRESH))
    for found in events:
        calendar.add_component(_component(found))
    return calendar.to_ical()


def _calendar(method: str, year: int) -> "icalendar.Calendar":
    from icalendar import Calendar

    calendar = Calendar()
    calendar.add("prodid", f"-//{settings().name}//Rencontres//FR")
    calendar.add("version", "2.0")
    calendar.add("method", method)
    calendar.add_component(_zone(settings().timezone, year))
    return calendar


def _component(found: CalendarEntry) -> "icalendar.Event":
    from icalendar import STATUS
    from icalendar import Event as Component

    firmness = {EventStatus.DRAFT: STATUS.TENTATIVE, EventStatus.CANCELLED: STATUS.CANCELLED}
    return Component.new(
        uid=found.uid,
        sequence=found.sequence,
        stamp=found.changed_at.astimezone(UTC),
        last_modified=found.changed_at.astimezone(UTC),
        start=_local_or_utc(found.starts_at),
        end=_local_or_utc(found.ends_at),
        summary=found.title,
        location=found.location,
        description=found.details,
        status=firmness.get(EventStatus(found.status), STATUS.CONFIRMED),
    )


def _local_or_utc(instant: datetime) -> datetime:
    """The club's wall clock; UTC in the hour that happens a second time, which a wall clock cannot tell."""
    local = clock.to_local(instant)
    return instant if local.fold else local


@lru_cache(maxsize=32)
def _zone(name: str, year: int) -> "icalendar.Timezone":
    """The VTIMEZONE of a zone around a year: where it starts from, then each change of hour.

    The library's own generator writes the onset of summer time an hour late (RFC 5545, 3.6.5: an onset
    is told in the time that ends with it).
    """
    from icalendar import Timezone

    zone = ZoneInfo(name)
    first = datetime(year - 1, 1, 1, tzinfo=UTC)
    made = Timezone()
    made.add("tzid", name)
    made.add_component(_observance(zone, first, first))
    for day in range(4 * 366):
        before, after = first + timedelta(days=day), first + timedelta(days=day + 1)
        if before.astimezone(zone).utcoffset() != after.astimezone(zone).utcoffset():
            made.add_component(_observance(zone, before, _change(zone, before, after)))
    return made


def _change(zone: ZoneInfo, before: datetime, after: datetime) -> datetime:
    """The minute between two instants at which the zone changes its offset."""
    while after - before > timedelta(minutes=1):
        middle = before + (after - before) // 2
        if middle.astimezone(zone).utcoffset() == before.astimezone(zone).utcoffset():
            before = middle
        else:
            after = middle
    return after.replace(second=0, microsecond=0)


def _observance(
    zone: ZoneInfo, before: datetime, onset: datetime
) -> "icalendar.TimezoneDaylight | icalendar.TimezoneStandard":
    from icalendar import TimezoneDaylight, TimezoneStandard

    old, new = before.astimezone(zone).utcoffset(), onset.astimezone(zone)
    made = TimezoneDaylight() if new.dst() else TimezoneStandard()
    made.add("dtstart", (onset + (old or timedelta())).replace(tzinfo=None))
    made.add("tzoffsetfrom", old)
    made.add("tzoffsetto", new.utcoffset())
    made.add("tzname", new.tzname())
    return made


def service_links(found: CalendarEntry) -> tuple[CalendarLink, ...]:
    """Google, Outlook, Office 365 and Yahoo, each with title, three-hour span, details and location."""
    return (
        CalendarLink("Ajouter à Google Agenda", _google(found)),
        CalendarLink("Outlook", _microsoft(OUTLOOK, found)),
        CalendarLink("Office 365", _microsoft(OFFICE, found)),
        CalendarLink("Yahoo", _yahoo(found)),
    )


def _google(found: CalendarEntry) -> str:
    return _address(
        GOOGLE,
        action="TEMPLATE",
        text=found.title,
        dates=f"{_compact(found.starts_at)}/{_compact(found.ends_at)}",
        details=found.details,
        location=found.location,
        ctz=settings().timezone,
    )


def _microsoft(base: str, found: CalendarEntry) -> str:
    return _address(
        base,
        path="/calendar/action/compose",
        rru="addevent",
        subject=found.title,
        startdt=_extended(found.starts_at),
        enddt=_extended(found.ends_at),
        body=found.details,
        location=found.location,
    )


def _yahoo(found: CalendarEntry) -> str:
    return _address(
        YAHOO,
        v="60",
        title=found.title,
        st=_compact(found.starts_at),
        et=_compact(found.ends_at),
        desc=found.details,
        in_loc=found.location,
    )


def _address(base: str, **query: str) -> str:
    return f"{base}?{urlencode(query, quote_via=quote)}"


def _compact(instant: datetime) -> str:
    return instant.astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")


def _extended(instant: datetime) -> str:
    return instant.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
