"""Everyone who is expected at an event: members and their guests, named or not."""

from collections.abc import Callable
from datetime import UTC, datetime
from io import BytesIO

from pypdf import PdfReader
from sqlmodel import select

from clubapp import clock
from clubapp.database import reading, transaction
from clubapp.mail.queue.outbox import UNNAMED
from clubapp.models import Arrival, Event, Member, TouchKind, new_id
from clubapp.services.attendance import event_exports, people
from clubapp.services.attendance.arrivals import Touch, read_door, record_arrivals
from clubapp.services.attendance.badges import BadgeOptions, list_badges
from clubapp.services.attendance.people import list_expected, list_people
from clubapp.services.base.actors import Actor
from clubapp.services.events import admin_views
from clubapp.services.events.announcement import count_numbers
from clubapp.services.events.meeting_page import read_meeting
from clubapp.services.seating.plan import read_plan
from tests.factories import add_event, add_guest, add_member, add_reservation

HELENE = Actor(email="helene@beffroi.example", is_admin=True, session_id="s")


def test_guests_follow_their_member_named_or_not(club: str) -> None:
    with transaction() as session:
        event = add_event(session)
        marie, luc = add_member(session, "Marie Durand", None, company="Atelier"), add_member(session, "Luc Ory", None)
        add_reservation(session, event, marie, will_attend=True, with_lunch=True, guest_count=2)
        add_reservation(session, event, luc, will_attend=False)
        held = people.list_people(session, event.id)[0].reservation_id
        add_guest(session, event, held, 2, name="Zoé Lys", company="Lys & Cie", with_lunch=False)
        add_guest(session, event, None, None, id="ali", name="Ali Sans-Rendez-vous")
        now = clock.now()
        session.add(Arrival(event_id=event.id, person="ali", arrived_at=now, created_at=now))
        marie_id, event_id = marie.id, event.id
    with reading() as session:
        found = people.list_people(session, event_id)
    assert [(one.name, one.host, one.with_lunch) for one in found] == [
        ("Marie Durand", "", True),
        ("invité de Marie Durand", "Marie Durand", True),
        ("Zoé Lys", "Marie Durand", False),
        ("Ali Sans-Rendez-vous", "", None),
    ]
    assert [one.id for one in found[:3]] == [marie_id, people.guest_id(held, 1), people.guest_id(held, 2)]


def test_never_more_guests_than_are_counted(club: str) -> None:
    with transaction() as session:
        event = add_event(session)
        add_reservation(session, event, add_member(session), will_attend=True, guest_count=1)
        held = people.list_people(session, event.id)[0].reservation_id
        add_guest(session, event, held, 3, name="Première")
        add_guest(session, event, held, 4, name="Seconde")
        assert [one.name for one in people.list_people(session, event.id) if one.is_guest] == ["Première"]


def test_a_removed_member_still_counts(club: str) -> None:
    with transaction() as session:
        event, member = add_event(session), add_member(session)
        add_reservation(session, event, member, will_attend=True)
        event_id, member_id = event.id, member.id
    with transaction() as session:
        session.delete(session.get(Member, member_id))
    with reading() as session:
        assert [one.name for one in people.list_people(session, event_id)] == [UNNAMED]


def test_who_comes_unexpected_counts_wherever_people_are_prepared_for_and_in_no_announced_number(
    club: str, at: Callable[[str], datetime]
) -> None:
    at("2027-01-14T11:15")
    with transaction() as session:
        event = add_event(session, date=datetime(2027, 1, 14, 11, tzinfo=UTC), status="confirmed", invitation_sent=True)
        marie, luc = (add_member(session, name, None) for name in ("Marie Durand", "Luc Ory"))
        add_reservation(session, event, marie, will_attend=True, with_lunch=True, guest_count=1)
        add_reservation(session, event, luc, will_attend=False)
        came = ((luc.id, ""), (new_id(), "Ali Baba"))
        touches = [Touch(new_id(), person, TouchKind.ARRIVED, event.date, name) for person, name in came]
        record_arrivals(session, event.id, touches, "")
    with reading() as session:
        event = session.exec(select(Event)).one()
        everyone = ["Marie Durand", "invité de Marie Durand", "Ali Baba", "Luc Ory"]
        assert [one.name for one in list_people(session, event.id)] == everyone
        assert [one.name for one in list_expected(session, event.id)] == everyone[:2]
        door, seats = read_door(session, event.id), read_plan(session, HELENE, event.id)
        meeting = read_meeting(session, HELENE, event.id).meeting
        assert (door.arrived, door.expected, seats.expected) == (2, 4, 4)
        assert "2 / 4 arrivés" in [stage.detail for stage in meeting.stages]
        assert {one.name for one in list_badges(session, event.id, BadgeOptions())} == set(everyone)
        numbers = count_numbers(list_expected(session, event.id), has_lunch=True)
        assert (numbers.present, numbers.guests, numbers.meals) == (1, 1, 2)
        assert admin_views.read_detail(session, HELENE, event.id).total_meals == 2
        sheet = event_exports.attendance(session, HELENE, event.id).content
    words = " ".join(page.extract_text() for page in PdfReader(BytesIO(sheet)).pages).replace("\n", " ")
    assert "1 présent, 1 invité, 2 déjeuners, et 2 personnes venues sans être attendues" in words
    assert ("Luc Ory" in words, "Ali Baba" in words) == (True, True)
