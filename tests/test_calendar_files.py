"""What calendars are told, read back by a parser that is not the one that wrote it."""

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from ical.calendar_stream import IcsCalendarStream

from clubapp import calendar_files, clock
from clubapp.database import reading, transaction
from clubapp.models import Event, EventSpeaker
from clubapp.services.answers import by_link
from tests.calendars import read as read_calendar
from tests.conftest import on_sqlite
from tests.factories import add_event, add_member, add_reservation

pytestmark = on_sqlite

Move = Callable[[str], datetime]
Line = tuple[str, dict[str, str], str]


def make(local: str = "2027-01-14T12:00", **given: Any) -> Event:
    date = clock.from_local(local)
    given = {"title": "Matinale d'hiver", "location": "Valenciennes", "status": "confirmed", **given}
    changed = datetime(2026, 11, 20, 10, tzinfo=UTC)
    return Event(date=date, month=local[:7], created_at=changed, updated_at=changed, **given)


def parse(file: bytes) -> list[Line]:
    """Content lines by the grammar of RFC 5545, 3.1: name, parameters, value with its escapes undone."""
    assert file.endswith(b"\r\n")
    assert not re.search(rb"(?<!\r)\n", file)
    assert max(len(line) for line in file.split(b"\r\n")) <= 75
    lines = []
    for line in file.replace(b"\r\n ", b"").decode().split("\r\n")[:-1]:
        head, value = line.split(":", 1)
        name, *parameters = head.split(";")
        plain = re.sub(r"\\([nN,;\\])", lambda found: "\n" if found[1] in "nN" else found[1], value)
        lines.append((name, dict(part.split("=", 1) for part in parameters), plain))
    return lines


def inside(lines: list[Line], component: str) -> list[Line]:
    start = lines.index(("BEGIN", {}, component))
    return lines[start + 1 : lines.index(("END", {}, component), start)]


def values(lines: list[Line]) -> dict[str, str]:
    return {name: value for name, _, value in lines}


def test_the_file_says_what_the_event_is(environment: pytest.MonkeyPatch) -> None:
    environment.setenv("CLUB_PUBLIC_URL", "https://club.example")
    event = make(title="Déjeuner; à l'Hôtel, \\Élan " + "é" * 80, address="3 place d'Armes", description="Un.\nDeux.")
    event.speakers = [
        EventSpeaker(event_id=event.id, name="Zoé Lefèbvre", company="Atelier", role="Gérante"),
        EventSpeaker(event_id=event.id, name="Awa Diop", role="Juriste"),
    ]
    lines = parse(calendar_files.write_file(calendar_files.make_entry(event)))
    assert [line for line in lines if line[0] == "BEGIN"].count(("BEGIN", {}, "VEVENT")) == 1
    told = values(inside(lines, "VEVENT"))
    assert told["SUMMARY"] == event.title
    assert told["LOCATION"] == "Valenciennes, 3 place d'Armes"
    assert (
        told["DESCRIPTION"] == "Un.\nDeux.\n\nAvec Zoé Lefèbvre, Atelier\u00a0; Awa Diop, Juriste\n\nCercle du Beffroi"
    )
    assert told["UID"] == f"{event.id}@club.example"
    assert (told["SEQUENCE"], told["STATUS"], told["DTSTAMP"]) == ("0", "CONFIRMED", "20261120T100000Z")
    assert ("DTSTART", {"TZID": "Europe/Paris"}, "20270114T120000") in lines
    assert ("DTEND", {"TZID": "Europe/Paris"}, "20270114T150000") in lines


def test_the_same_event_is_the_same_file(environment: pytest.MonkeyPatch) -> None:
    event = make()
    assert calendar_files.write_file(calendar_files.make_entry(event)) == calendar_files.write_file(
        calendar_files.make_entry(event)
    )


def wall(value: str) -> datetime:
    """A local time of the file, without zone."""
    return datetime.strptime(value + "Z", "%Y%m%dT%H%M%S%z").replace(tzinfo=None)


def instant_of(lines: list[Line], name: str) -> datetime:
    """The instant a calendar understands that only knows the file."""
    value = values(inside(lines, "VEVENT"))[name]
    if value.endswith("Z"):
        return datetime.strptime(value, "%Y%m%dT%H%M%S%z")
    return wall(value).replace(tzinfo=timezone(offset_by(lines, wall(value))))


def offset_by(lines: list[Line], local: datetime) -> timedelta:
    """The offset a calendar that only knows the file's VTIMEZONE gives to a local time (RFC 5545, 3.6.5)."""
    rules: list[tuple[datetime, str]] = []
    zone = inside(lines, "VTIMEZONE")
    for index, (name, _, value) in enumerate(zone):
        if name == "BEGIN":
            rule = values(inside(zone[index:], value))
            rules.append((wall(rule["DTSTART"]), rule["TZOFFSETTO"]))
    _, offset = max(rule for rule in rules if rule[0] <= local)
    return timedelta(hours=int(offset[:3]), minutes=int(offset[0] + offset[3:]))


@pytest.mark.parametrize("day", ["2027-03-27", "2027-03-28", "2027-07-14", "2027-10-30", "2027-10-31", "2027-12-31"])
@pytest.mark.parametrize("hour", ["00:30", "01:30", "03:30", "12:00", "23:30"])
def test_the_file_s_own_time_zone_is_right_around_the_changes_of_hour(
    environment: pytest.MonkeyPatch, day: str, hour: str
) -> None:
    event = make(f"{day}T{hour}")
    lines = parse(calendar_files.write_file(calendar_files.make_entry(event)))
    assert instant_of(lines, "DTSTART") == event.date
    assert instant_of(lines, "DTEND") == event.date + timedelta(hours=3)


@pytest.mark.parametrize("method", [calendar_files.PUBLISH, calendar_files.REQUEST, calendar_files.CANCEL])
@pytest.mark.parametrize(
    "local", ["2027-03-27T23:30", "2027-03-28T03:30", "2027-10-30T23:30", "2027-10-31T02:30", "2027-10-31T12:00"]
)
def test_two_other_libraries_read_the_same_event(environment: pytest.MonkeyPatch, local: str, method: str) -> None:
    made = make(local, title="Été ; « l'œuvre », \\ " + "é" * 200, description="Un.\nDeux, trois.")
    file = calendar_files.write_file(calendar_files.make_entry(made), method, "marie@durand.example").decode()
    read: Any = IcsCalendarStream.calendar_from_ics(file).events[0]
    other = read_calendar(file).vevent
    assert (read.start.astimezone(UTC), read.end.astimezone(UTC)) == (made.date, made.date + timedelta(hours=3))
    assert other.dtstart.value.astimezone(UTC) == made.date
    assert other.dtend.value.astimezone(UTC) == made.date + timedelta(hours=3)
    assert read.summary == other.summary.value == made.title
    assert read.description == other.description.value == "Un.\nDeux, trois.\n\nCercle du Beffroi"


def test_another_club_has_its_own_time_zone(environment: pytest.MonkeyPatch) -> None:
    environment.setenv("CLUB_TIMEZONE", "Indian/Reunion")
    lines = parse(calendar_files.write_file(calendar_files.make_entry(make())))
    assert offset_by(lines, wall("20270114T120000")) == timedelta(hours=4)


@pytest.mark.parametrize(
    ("status", "told"), [("draft", "TENTATIVE"), ("cancelled", "CANCELLED"), ("completed", "CONFIRMED")]
)
def test_calendars_know_how_firm_the_event_is(environment: pytest.MonkeyPatch, status: str, told: str) -> None:
    lines = parse(calendar_files.write_file(calendar_files.make_entry(make(status=status))))
    assert values(inside(lines, "VEVENT"))["STATUS"] == told


def test_all_services_are_told_the_same_instant_and_the_same_event(environment: pytest.MonkeyPatch) -> None:
    event = make("2027-07-14T12:00", title="Été & « soleil »", address="3 place d'Armes", description="100 % utile")
    found = calendar_files.make_entry(event)
    google, outlook, office, yahoo = (
        {k: v[0] for k, v in parse_qs(urlsplit(link.href).query).items()}
        for link in calendar_files.service_links(found)
    )
    assert google["dates"] == "20270714T100000Z/20270714T130000Z"
    assert (yahoo["st"], yahoo["et"]) == ("20270714T100000Z", "20270714T130000Z")
    for sent in (outlook, office):
        assert (sent["startdt"], sent["enddt"]) == ("2027-07-14T10:00:00Z", "2027-07-14T13:00:00Z")
    for sent, title, place, details in (
        (google, "text", "location", "details"),
        (outlook, "subject", "location", "body"),
        (office, "subject", "location", "body"),
        (yahoo, "title", "in_loc", "desc"),
    ):
        assert sent[title] == "Été & « soleil »"
        assert sent[place] == "Valenciennes, 3 place d'Armes"
        assert sent[details].startswith("100 % utile")
    assert all("+" not in link.href for link in calendar_files.service_links(found)), (
        "some services show a plus as it is"
    )


def test_nothing_personal_is_in_a_calendar(club: str, at: Move) -> None:
    at("2026-11-20T10:00")
    with transaction() as session:
        event = add_event(session)
        reservation, token = add_reservation(session, event, add_member(session), will_attend=True, with_lunch=False)
    with reading() as session:
        file = by_link.build_calendar_file(session, event.id, token).decode().replace("\r\n ", "")
        hrefs = " ".join(link.href for link in by_link.open_invitation(session, event.id, token).calendar_links)
    assert hrefs
    for secret in (token, reservation.id, reservation.response_token, "Marie", "durand"):
        assert secret not in file
        assert secret not in hrefs


@pytest.mark.parametrize(
    ("location", "address", "shown"),
    [
        ("Lille", "Halle, 14 quai de l’Écluse, 59000 Lille", "Halle, 14 quai de l’Écluse, 59000 Lille"),
        ("LILLE", "14 quai de l’Écluse 59000 Lille", "14 quai de l’Écluse 59000 Lille"),
        ("CCI", "CCI, 2 rue du Port\n59140 Dunkerque", "CCI, 2 rue du Port 59140 Dunkerque"),
        ("Lille", "3 rue de Lille, 59100 Roubaix", "Lille, 3 rue de Lille, 59100 Roubaix"),
        ("Lens (62)", "Parc, 62300 Lens", "Lens (62), Parc, 62300 Lens"),
        ("Arras", None, "Arras"),
    ],
)
def test_screens_name_the_town_once(location: str, address: str | None, shown: str) -> None:
    event = Event(title="", month="2025-05", location=location, address=address, date=clock.now())
    assert calendar_files.shown_place(event) == shown


@pytest.mark.parametrize(
    ("location", "address", "shown"),
    [
        ("Lille", "Halle des Houblons, 14 quai de l’Écluse, 59000 Lille", "Halle des Houblons, Lille"),
        ("Lille", "14 quai de l’Écluse, 59000 Lille", "Lille"),
        ("Lille", "LILLE, 14 quai de l’Écluse", "Lille"),
        ("Arras", "Beffroi", "Arras"),
        ("Arras", None, "Arras"),
    ],
)
def test_cards_name_the_house_and_the_town_without_the_street(location: str, address: str | None, shown: str) -> None:
    event = Event(title="", month="2025-05", location=location, address=address, date=clock.now())
    assert calendar_files.short_place(event) == shown
