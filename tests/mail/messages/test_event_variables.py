"""Variables are replaced flat, on one pass, and never break out of their place (M5)."""

from collections.abc import Callable
from datetime import datetime, timedelta

from clubapp import clock
from clubapp.database import reading, transaction
from clubapp.mail.messages import event_variables
from clubapp.mail.messages.built_in_event_texts import DEFAULT_TEMPLATES
from clubapp.mail.messages.event_facts import facts_of
from clubapp.models import Arrival, Event, EventGuest, EventSpeaker, ReminderType
from clubapp.services.attendance.meals import count_meals
from clubapp.services.attendance.people import guest_id, list_expected
from clubapp.services.base.actors import Actor
from clubapp.services.members import editing
from tests.factories import add_event, add_member, add_reservation

ADMIN = Actor(email="helene@beffroi.example", is_admin=True)


def test_values_are_not_expanded_again() -> None:
    values = {"EVENT_TITLE": "{{EVENT_DATE}}", "EVENT_DATE": "demain"}
    assert event_variables.fill_variables("{{EVENT_TITLE}} et {{ EVENT_DATE }}", values) == "{{EVENT_DATE}} et demain"


def test_what_is_no_variable_stays_as_typed() -> None:
    assert (
        event_variables.fill_variables("{{INCONNU}} {EVENT_TITLE} {{}}", {"EVENT_TITLE": "x"})
        == "{{INCONNU}} {EVENT_TITLE} {{}}"
    )


def test_a_subject_stays_on_one_line() -> None:
    assert event_variables.fill_subject("A\n{{EVENT_TITLE}}", {"EVENT_TITLE": "b\r\nBcc: c"}) == "A b Bcc: c"


def test_unknown_names_are_told() -> None:
    assert event_variables.find_unknown("{{EVENT_TITLE}} {{PRENOM}} {{VILLE}} {{ RUE }} {{VILLE}}") == ("VILLE", "RUE")


def test_the_built_in_templates_use_known_names_only() -> None:
    assert set(DEFAULT_TEMPLATES) == set(ReminderType)
    for template in DEFAULT_TEMPLATES.values():
        assert event_variables.find_unknown(template.subject + template.body) == ()


def test_every_variable_has_its_value(club: str, at: Callable[[str], datetime]) -> None:
    now = at("2026-11-20T23:30")  # already the 21st in Paris
    with transaction() as session:
        last = add_event(session, title="Matinale d'octobre", date=now - timedelta(days=30), status="completed")
        event = add_event(session, title="Soirée", date=now + timedelta(days=14), address="3 place d'Armes")
        following = now + timedelta(days=60)
        add_event(session, title="Voeux", date=following, ends_at=following + timedelta(hours=2), status="confirmed")
        session.add(EventSpeaker(event_id=event.id, name="Zoé Lefèbvre", role="directrice", display_order=1))
        session.add(EventSpeaker(event_id=event.id, name="Paul Vasseur", company="Vasseur SA", display_order=0))
        marie, luc = add_member(session), add_member(session, name="Luc", email=None)
        add_reservation(session, event, marie, will_attend=True, with_lunch=True, guest_count=2)
        add_reservation(session, event, luc, will_attend=True, with_lunch=False)
        add_reservation(session, last, marie, will_attend=True, guest_count=1)
    with reading() as session:
        event = session.get_one(Event, event.id)
        values = event_variables.values_of(session, event, facts_of(event))
    assert tuple(values) == event_variables.NAMES
    assert values == {
        "EVENT_TITLE": "Soirée",
        "EVENT_DATE": "samedi 5 décembre 2026",
        "EVENT_TIME": "00:30",
        "EVENT_LOCATION": "Valenciennes",
        "EVENT_ADDRESS": "3 place d'Armes",
        "SPEAKERS_LIST": "- Paul Vasseur, Vasseur SA\n- Zoé Lefèbvre, directrice",
        "ATTENDING_COUNT": "2",
        "LUNCH_COUNT": "3",
        "DAYS_UNTIL": "14",
        "NEXT_EVENT": "Voeux, mercredi 20 janvier 2027, de 00:30 à 02:30, Valenciennes",
        "LAST_EVENT_STATS": "Matinale d'octobre\u00a0: 1 présent, 1 invité",
        **event_variables.NAMES_OF_READER,
    }


def test_lunches_are_those_the_caterer_is_told(club: str) -> None:
    with transaction() as session:
        event = add_event(session, has_lunch=True)
        answers = [(True, 3), (False, 2), (None, 1), (True, 0)]
        for number, (with_lunch, guests) in enumerate(answers):
            member = add_member(session, f"Membre {number}", f"m{number}@club.example")
            said = {"will_attend": True, "with_lunch": with_lunch, "guest_count": guests}
            held, _ = add_reservation(session, event, member, **said)
            for position, own in ((2, False), (3, None), (4, True)):  # more are named than are brought
                now = clock.now()
                session.add(
                    EventGuest(
                        event_id=event.id,
                        reservation_id=held.id,
                        position=position,
                        with_lunch=own,
                        created_at=now,
                        updated_at=now,
                    )
                )
        silent = add_member(session, "Luc", "luc@club.example")
        add_reservation(session, event, silent, will_attend=False, with_lunch=True, guest_count=1)
        session.flush()
        told = count_meals(list_expected(session, event.id)).total
        assert event_variables.values_of(session, event, facts_of(event))["LUNCH_COUNT"] == str(told)
        assert told == 4
        event.has_lunch = False
        assert event_variables.values_of(session, event, facts_of(event))["LUNCH_COUNT"] == "0"


def test_the_thanks_for_a_meeting_tell_of_that_meeting(club: str, at: Callable[[str], datetime]) -> None:
    begins = at("2026-11-20T10:00")
    at("2026-11-20T13:00")
    with transaction() as session:
        event = add_event(session, title="Matinale", date=begins, status="completed")
        values = event_variables.values_of(session, event, facts_of(event))
        assert values["LAST_EVENT_STATS"] == "Matinale\u00a0: 0 présent, 0 invité"
        event.doors_closed_at = clock.now()
        for person in (add_member(session).id, "somebody-nobody-announced", "another"):
            session.add(Arrival(event_id=event.id, person=person, arrived_at=begins, created_at=begins))
        values = event_variables.values_of(session, event, facts_of(event))
    assert values["LAST_EVENT_STATS"] == "Matinale\u00a0: 1 présent, 2 invités", "who came, once that is known"


def test_members_who_were_deleted_since_stay_members_among_those_who_came(
    club: str, at: Callable[[str], datetime]
) -> None:
    begins = at("2026-11-20T10:00")
    at("2026-11-20T13:00")
    with transaction() as session:
        event = add_event(session, title="Matinale", date=begins, status="completed")
        event.doors_closed_at = clock.now()
        invited, other = add_member(session), add_member(session, "Luc", "luc@club.example")
        reservation, _ = add_reservation(session, event, invited, will_attend=True, guest_count=1)
        for person in (invited.id, guest_id(reservation.id, 1), other.id):
            session.add(Arrival(event_id=event.id, person=person, arrived_at=begins, created_at=begins))
        came = event_variables.values_of(session, event, facts_of(event))["LAST_EVENT_STATS"]
        for member in (invited.id, other.id):
            editing.delete(session, ADMIN, member)
        assert event_variables.values_of(session, event, facts_of(event))["LAST_EVENT_STATS"] == came
    assert came == "Matinale\u00a0: 2 présents, 1 invité"


def test_what_does_not_exist_is_empty(club: str) -> None:
    with transaction() as session:
        event = add_event(session)
        values = event_variables.values_of(session, event, facts_of(event))
    assert (values["NEXT_EVENT"], values["LAST_EVENT_STATS"], values["SPEAKERS_LIST"]) == ("", "", "")
    assert (values["ATTENDING_COUNT"], values["LUNCH_COUNT"]) == ("0", "0")
