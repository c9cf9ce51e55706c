"""Calendar files (iCalendar, RFC 5545) of events, and links to the calendar services (C5).

No function here gets a token or the name of an invitee, so that none can reach a calendar. The icalendar library is
imported when the first file is written, which keeps the start of the site fast.
"""

import re
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
from clubapp.text.collation import fold

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
    """An event as every calendar shows it; `place` is where it is, as screens show it. Instants are in UTC."""

    uid: str
    title: str
    starts_at: datetime
    ends_at: datetime
    location: str
    details: str
    status: str
    sequence: int
    changed_at: datetime
    place: str = ""


@dataclass(frozen=True)
class CalendarLink:
    """A link to a calendar service's page with the event filled in."""

    label: str
    href: str


def make_entry(event: Event, details: str | None = None) -> CalendarEntry:
    """The calendar entry of an event. `details`, if given, replace its description and speakers."""
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
        place=shown_place(event),
    )


def ends_at(event: Event) -> datetime:
    """The instant an event ends: its own, else DURATION_HOURS after its start."""
    return event.ends_at or event.date + timedelta(hours=DURATION_HOURS)


def when(event: Event) -> str:
    """'lundi 5 mai 2025 à 14:00'; with an end of its own 'lundi 5 mai 2025, de 14:00 à 16:30'."""
    if event.ends_at is None:
        return clock.long_date(event.date)
    return f"{clock.long_day(event.date)}, de {clock.hour(event.date)} à {clock.hour(event.ends_at)}"


def place(event: Event) -> str:
    """'Valenciennes, 3 place d'Armes': the short location, then the address when there is one."""
    return " ".join(", ".join(part for part in (event.location, event.address) if part).split())


def shown_place(event: Event) -> str:
    """The place as screens show it: the address alone where it names the short location, be it behind a postcode."""
    address = event.address or ""
    named = rf"(^|[,\n]|\b\d{{5}}\b)\s*{re.escape(fold(event.location))}\s*($|[,\n])"
    if event.location.strip() and re.search(named, fold(address)):
        return " ".join(address.split())
    return place(event)


def short_place(event: Event) -> str:
    """'Maison des Drapiers, Valenciennes': the house, where the address begins with one, and the short location."""
    house, more, _ = " ".join((event.address or "").split()).partition(",")
    if not more or re.search(r"\d", house) or fold(house) in fold(event.location):
        return event.location
    return f"{house}, {event.location}"


def speaker_line(speaker: EventSpeaker) -> str:
    """'Zoé Lefèbvre, Atelier Lefèbvre'; what they do stands for a company that is not given."""
    return ", ".join(part for part in (speaker.name, speaker.company or speaker.role) if part)


def _details(event: Event) -> str:
    names = "\u00a0; ".join(speaker_line(speaker) for speaker in event.speakers)
    parts = (event.description, f"Avec {names}" if names else "", settings().name)
    return "\n\n".join(part for part in parts if part)


def write_file(entry: CalendarEntry, method: str = PUBLISH, attendee: str = "") -> bytes:
    """The event as an iCalendar file that contains the club's time zone.

    `method` is PUBLISH for a file without a recipient; REQUEST adds or moves, and CANCEL removes, the entry in the
    calendar of `attendee`, the e-mail address of the one person who gets the file (RFC 5546, 3.2).
    """
    calendar = _calendar(method, clock.to_local(entry.starts_at).year)
    component = _component(entry)
    if method != PUBLISH:
        component.add("organizer", f"mailto:{settings().reply_to}", parameters={"cn": settings().name})
        component.add("attendee", f"mailto:{attendee}", parameters={"rsvp": "FALSE"})
    calendar.add_component(component)
    return calendar.to_ical()


def write_feed(events: Sequence[CalendarEntry]) -> bytes:
    """The events in one file that calendar programs fetch again every REFRESH (RFC 7986)."""
    from icalendar import vDuration

    calendar = _calendar(PUBLISH, clock.to_local(clock.now()).year)
    for name in ("name", "x-wr-calname"):
        calendar.add(name, settings().name)
    calendar.add("x-wr-timezone", settings().timezone)
    calendar.add("refresh-interval", REFRESH, parameters={"value": "DURATION"})
    calendar.add("x-published-ttl", vDuration(REFRESH))
    for entry in events:
        calendar.add_component(_component(entry))
    return calendar.to_ical()


def _calendar(method: str, year: int) -> "icalendar.Calendar":
    from icalendar import Calendar

    calendar = Calendar()
    calendar.add("prodid", f"-//{settings().name}//Rencontres//FR")
    calendar.add("version", "2.0")
    calendar.add("method", method)
    calendar.add_component(_zone(settings().timezone, year))
    return calendar


def _component(entry: CalendarEntry) -> "icalendar.Event":
    from icalendar import STATUS
    from icalendar import Event as Component

    firmness = {EventStatus.DRAFT: STATUS.TENTATIVE, EventStatus.CANCELLED: STATUS.CANCELLED}
    return Component.new(
        uid=entry.uid,
        sequence=entry.sequence,
        stamp=entry.changed_at.astimezone(UTC),
        last_modified=entry.changed_at.astimezone(UTC),
        start=_local_or_utc(entry.starts_at),
        end=_local_or_utc(entry.ends_at),
        summary=entry.title,
        location=entry.location,
        description=entry.details,
        status=firmness.get(EventStatus(entry.status), STATUS.CONFIRMED),
    )


def _local_or_utc(instant: datetime) -> datetime:
    """The club's local time; UTC within the hour that happens a second time, which local time cannot name."""
    local = clock.to_local(instant)
    return instant if local.fold else local


@lru_cache(maxsize=32)
def _zone(name: str, year: int) -> "icalendar.Timezone":
    """The VTIMEZONE of a zone from the year before `year`, for four years: its first offset, then each change.

    icalendar's own generator writes the onset of summer time an hour late: an onset is in the local time that ends
    with it (RFC 5545, 3.6.5).
    """
    from icalendar import Timezone

    zone = ZoneInfo(name)
    first = datetime(year - 1, 1, 1, tzinfo=UTC)
    component = Timezone()
    component.add("tzid", name)
    component.add_component(_observance(zone, first, first))
    for day in range(4 * 366):
        before, after = first + timedelta(days=day), first + timedelta(days=day + 1)
        if before.astimezone(zone).utcoffset() != after.astimezone(zone).utcoffset():
            component.add_component(_observance(zone, before, _change(zone, before, after)))
    return component


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
    component = TimezoneDaylight() if new.dst() else TimezoneStandard()
    component.add("dtstart", (onset + (old or timedelta())).replace(tzinfo=None))
    component.add("tzoffsetfrom", old)
    component.add("tzoffsetto", new.utcoffset())
    component.add("tzname", new.tzname())
    return component


def service_links(entry: CalendarEntry) -> tuple[CalendarLink, ...]:
    """Links to Google, Outlook, Office 365 and Yahoo with title, start, end, details and location."""
    return (
        CalendarLink("Ajouter à Google Agenda", _google(entry)),
        CalendarLink("Outlook", _microsoft(OUTLOOK, entry)),
        CalendarLink("Office 365", _microsoft(OFFICE, entry)),
        CalendarLink("Yahoo", _yahoo(entry)),
    )


def _google(entry: CalendarEntry) -> str:
    return _address(
        GOOGLE,
        action="TEMPLATE",
        text=entry.title,
        dates=f"{_compact(entry.starts_at)}/{_compact(entry.ends_at)}",
        details=entry.details,
        location=entry.location,
        ctz=settings().timezone,
    )


def _microsoft(base: str, entry: CalendarEntry) -> str:
    return _address(
        base,
        path="/calendar/action/compose",
        rru="addevent",
        subject=entry.title,
        startdt=_extended(entry.starts_at),
        enddt=_extended(entry.ends_at),
        body=entry.details,
        location=entry.location,
    )


def _yahoo(entry: CalendarEntry) -> str:
    return _address(
        YAHOO,
        v="60",
        title=entry.title,
        st=_compact(entry.starts_at),
        et=_compact(entry.ends_at),
        desc=entry.details,
        in_loc=entry.location,
    )


def _address(base: str, **query: str) -> str:
    return f"{base}?{urlencode(query, quote_via=quote)}"


def _compact(instant: datetime) -> str:
    return instant.astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")


def _extended(instant: datetime) -> str:
    return instant.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
