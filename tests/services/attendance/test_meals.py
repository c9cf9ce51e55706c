"""The meals of an event: members, and guests as their member unless it was said otherwise."""

from clubapp.database import transaction
from clubapp.services.attendance.meals import Meals, count_meals
from clubapp.services.attendance.people import list_people
from tests.factories import add_event, add_guest, add_member, add_reservation


def test_guests_eat_with_their_member_unless_it_was_said_otherwise(club: str) -> None:
    with transaction() as session:
        event = add_event(session)
        marie, luc, zoe = (add_member(session, name, None) for name in ("Marie Durand", "Luc Ory", "Zoé Lys"))
        eats, _ = add_reservation(session, event, marie, will_attend=True, with_lunch=True, guest_count=2)
        leaves, _ = add_reservation(session, event, luc, will_attend=True, with_lunch=False, guest_count=3)
        add_reservation(session, event, zoe, will_attend=False, with_lunch=True, guest_count=1)
        add_guest(session, event, eats.id, 2, name="À jeun", with_lunch=False)
        add_guest(session, event, leaves.id, 1, name="Affamé", with_lunch=True)
        meals = count_meals(list_people(session, event.id))
    assert (meals, meals.total) == (Meals(members=1, guests=2), 3)
