"""GET /calendrier.ics: confirmed events, nothing private, cheap to ask for again; read by two other libraries."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from ical.calendar_stream import IcsCalendarStream
from starlette.applications import Starlette
from starlette.testclient import TestClient

from clubapp import clock
from clubapp.database import transaction
from clubapp.models import EventSpeaker
from clubapp.web.endpoints import calendar_feed
from tests.calendars import read as read_calendar
from tests.factories import add_event, add_member, add_reservation

Move = Callable[[str], datetime]
PARIS = ZoneInfo("Europe/Paris")


@pytest.fixture
def asked(club: str, at: Move) -> TestClient:
    at("2026-11-20T10:00")
    return TestClient(Starlette(routes=calendar_feed.routes()))


def add(title: str, local: str, **given: str) -> None:
    with transaction() as session:
        event = add_event(
            session,
            title=title,
            date=clock.from_local(local),
            **({"address": "3 rue Cachée", "description": "Code K4711"} | given),
        )
        session.add(EventSpeaker(event_id=event.id, name="Zoé Secrète"))
        add_reservation(session, event, add_member(session, f"M {title}", None))


def test_it_tells_what_when_and_in_which_town_of_events_that_take_or_took_place(asked: TestClient) -> None:
    add("Confirmée", "2027-01-14T12:00", status="confirmed")
    add("Passée", "2026-03-12T12:00", status="confirmed")
    add("Close", "2026-04-09T12:00", status="completed")
    add("Ancienne", "2025-06-12T12:00", status="confirmed")
    add("Brouillon", "2027-02-11T12:00", status="draft")
    add("Annulée", "2027-03-11T12:00", status="cancelled")
    answer = asked.get("/calendrier.ics")
    assert answer.headers["content-type"] == "text/calendar; charset=utf-8"
    events = IcsCalendarStream.calendar_from_ics(answer.text).events
    assert [event.summary for event in events] == ["Passée", "Close", "Confirmée"]
    assert {event.location for event in events} == {"Valenciennes"}
    for private in ("Cachée", "K4711", "Secrète", "token", "M Confirmée"):
        assert private not in answer.text
    assert "REFRESH-INTERVAL;VALUE=DURATION:PT12H" in answer.text


def test_two_libraries_read_the_right_instants_over_both_changes_of_hour(asked: TestClient) -> None:
    locals_ = ["2026-10-24T09:00", "2027-01-14T12:00", "2027-03-28T10:00", "2027-07-08T18:30"]
    title = "Été, « l'œuvre » ; \\ et " + "très " * 30
    for local in locals_:
        add(title.strip(), local, status="confirmed")
    text = asked.get("/calendrier.ics").text
    expected = [datetime.fromisoformat(local).replace(tzinfo=PARIS) for local in locals_]
    read: Any = IcsCalendarStream.calendar_from_ics(text).events
    other = read_calendar(text).vevent_list
    assert [event.dtstart.astimezone(PARIS) for event in read] == expected
    assert [event.dtstart.value.astimezone(PARIS) for event in other] == expected
    assert [event.end - event.start for event in read] == [timedelta(hours=3)] * 4
    assert {event.summary for event in read} == {event.summary.value for event in other} == {title.strip()}


def test_who_has_the_newest_version_gets_nothing_more(asked: TestClient, at: Move) -> None:
    add("Confirmée", "2027-01-14T12:00", status="confirmed")
    first = asked.get("/calendrier.ics")
    at("2026-11-20T11:00")
    again = asked.get("/calendrier.ics", headers={"If-None-Match": f'W/"x", {first.headers["etag"]}'})
    assert (again.status_code, again.content) == (304, b"")
    add("Nouvelle", "2027-02-11T12:00", status="confirmed")
    newer = asked.get("/calendrier.ics", headers={"If-None-Match": first.headers["etag"]})
    assert (newer.status_code, newer.headers["etag"] != first.headers["etag"]) == (200, True)
    assert asked.head("/calendrier.ics").status_code == 200


def test_an_empty_club_has_an_empty_calendar(asked: TestClient) -> None:
    assert IcsCalendarStream.calendar_from_ics(asked.get("/calendrier.ics").text).events == []
