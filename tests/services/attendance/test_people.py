"""Everyone who is expected at an event: members and their guests, named or not."""

from clubapp import clock
from clubapp.database import reading, transaction
from clubapp.models import Event, EventGuest, Member
from clubapp.services.attendance import people
from tests.factories import add_event, add_member, add_reservation


def test_guests_follow_their_member_named_or_not(club: str) -> None:
    with transaction() as session:
        event = add_event(session)
        marie, luc = add_member(session, "Marie Durand", None, company="Atelier"), add_member(session, "Luc Ory", None)
        add_reservation(session, event, marie, will_attend=True, with_lunch=True, guest_count=2)
        add_reservation(session, event, luc, will_attend=False)
        held = people.list_people(session, event.id)[0].reservation_id
        add_guest(session, event, held, 2, name="Zoé Lys", company="Lys & Cie", with_lunch=False)
        add_guest(session, event, None, None, name="Ali Sans-Rendez-vous")
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
        assert [one.name for one in people.list_people(session, event_id)] == [people.REMOVED]


def add_guest(session, event: Event, reservation_id: str | None, position: int | None, **values) -> None:
    now = clock.now()
    values |= {"event_id": event.id, "reservation_id": reservation_id, "position": position}
    session.add(EventGuest(created_at=now, updated_at=now, **values))
    session.flush()
