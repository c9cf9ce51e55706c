"""A member's home: the next event, who comes as the directory shows them, what is past, what the profile lacks."""

import pytest
from sqlmodel import select

from clubapp import clock, routes
from clubapp.database import reading, transaction
from clubapp.models import Arrival, EventGuest, EventReservation
from clubapp.refusals import Forbidden, Invalid
from clubapp.services.access import sign_in
from clubapp.services.access.known_browsers import Browser
from clubapp.services.answers import signed_in
from clubapp.services.answers.answer_form import NO, YES, parse_attendance
from clubapp.services.base.actors import VISITOR, Actor
from clubapp.services.members import home
from clubapp.services.members.home import Home
from tests.factories import add_event, add_member
from tests.services.answers.invitees import ADMIN, NOW, Invitee, Move, change_event, change_member, invite
from tests.statements import counted


def home_of(person: Invitee | str) -> Home:
    member_id = person if isinstance(person, str) else person.member_id
    with reading() as session:
        return home.read_home(session, Actor(email="own@club.example", member_id=member_id, session_id="s"))


def _say(person: Invitee, choice: str) -> str:
    actor = Actor(email="own@club.example", member_id=person.member_id, session_id="s")
    with transaction() as session:
        return signed_in.record_own_answer(session, actor, person.event_id, parse_attendance(choice))


def named(shown: Home) -> list[str]:
    return [each.name for each in shown.next.attendees]


@pytest.mark.parametrize("who", [VISITOR, ADMIN])
def test_only_members_have_a_home(club: str, who: Actor) -> None:
    with pytest.raises(Forbidden), reading() as session:
        home.read_home(session, who)


def test_the_next_event_comes_first_with_the_answer_and_the_way_to_it(club: str, at: Move) -> None:
    at(NOW)
    (marie,) = invite("Marie", address="3 place d'Armes")
    shown = home_of(marie).next
    assert (shown.title, shown.month, shown.day, shown.weekday) == ("Matinale d'hiver", "janvier", "14", "jeudi")
    assert (shown.hours, shown.place) == ("12:00 à 15:00", "Valenciennes")
    assert (shown.said, shown.is_answered) == ("Vous n’avez pas encore répondu.", False)
    assert [(own.event.id, own.closed) for own in shown.own] == [(marie.event_id, "")]
    assert (shown.count, shown.attendees) == ("", ())
    marie.says(True, guests=1)
    shown = home_of(marie).next
    assert (shown.said, shown.is_answered) == ("Vous venez, avec 1 invité.", True)
    change_event(marie.event_id, answers_until=clock.from_local("2026-11-19T12:00"))
    closed = home_of(marie).next
    assert closed.said == "Vous venez, avec 1 invité."
    assert closed.note.startswith("Les réponses")
    assert closed.note == closed.own[0].closed
    change_event(marie.event_id, status="cancelled")
    assert home_of(marie).next == home.OwnNextMeeting()


def test_a_running_meeting_is_named_and_past_once_it_has_ended_or_is_completed(club: str, at: Move) -> None:
    at(NOW)
    (marie,) = invite("Marie", ends_at=clock.from_local("2027-01-14T14:30"))
    marie.says(True, guests=0)
    with transaction() as session:
        other = add_member(session, "Paul", "paul@club.example").id
    for hour, heading, past in (
        ("10:59", "Prochaine rencontre", []),
        ("11:00", "Rencontre en cours", []),
        ("13:29", "Rencontre en cours", []),
        ("13:30", "", ["Vous aviez répondu oui."]),
    ):
        at(f"2027-01-14T{hour}")
        shown = home_of(marie)
        assert (shown.next.heading if shown.next.id else "", [one.said for one in shown.past]) == (heading, past)
    at("2027-01-14T13:00")
    assert home_of(marie).next.note.startswith("Cette rencontre a commencé")
    assert home_of(other).next.id == ""
    change_event(marie.event_id, status="completed")
    assert (home_of(marie).next.id, len(home_of(marie).past)) == ("", 1)


def test_who_is_not_invited_reads_of_the_event_and_of_nobody_who_comes(club: str, at: Move) -> None:
    at(NOW)
    (marie,) = invite("Marie")
    marie.says(True, guests=0)
    with transaction() as session:
        other = add_member(session, "Paul", "paul@club.example").id
    shown = home_of(other).next
    assert (shown.id, shown.said) == (marie.event_id, "Vous n’avez pas encore d’invitation.")
    assert (shown.own, shown.count, shown.attendees) == ((), "", ())
    change_event(marie.event_id, status="draft")
    assert home_of(other).next.id == ""
    assert home_of(marie).next.id == marie.event_id


def test_who_comes_is_shown_as_the_directory_shows_them_and_guests_are_only_counted(club: str, at: Move) -> None:
    at(NOW)
    marie, zoe, hidden, parted, faceless, declined = people = invite("Marie", "Zoé", "Caché", "Parti", "Émile", "Non")
    for person in people[:-1]:
        person.says(True, guests=2 if person is zoe else 0)
    declined.says(False)
    with transaction() as session:
        own = session.exec(select(EventReservation).where(EventReservation.id == zoe.reservation_id)).one()
        kept = {
            "event_id": own.event_id,
            "reservation_id": own.id,
            "created_at": clock.now(),
            "updated_at": clock.now(),
        }
        session.add(EventGuest(name="Invitée Secrète", position=1, **kept))
    change_member(marie.member_id, image_url="/media/marie.jpg", expertise=["Notariat"], company="Étude Durand")
    change_member(faceless.member_id, image_url="/media/emile.jpg", shows_photo=False, role="Gérant")
    change_member(hidden.member_id, is_listed=False, image_url="/media/cache.jpg")
    change_member(parted.member_id, is_active=False)
    shown = home_of(hidden)
    assert named(shown) == ["Émile", "Marie", "Zoé"]
    emile, first, _ = shown.next.attendees
    assert (first.trade, first.company) == ("Notariat", "Étude Durand")
    assert first.picture.src.startswith("/media/marie")
    assert emile.trade == "Gérant"
    assert emile.picture.src.startswith("/avatars/")
    assert (shown.next.count, shown.next.others) == ("7\u00a0personnes viennent", "et 4\u00a0autres, invités compris")
    for secret in ("Secrète", "Caché", "Parti", "cache.jpg", "emile.jpg", "Non"):
        assert secret not in repr(shown)
    assert named(home_of(parted)) == []
    change_member(hidden.member_id, is_listed_to_members=True)
    change_member(faceless.member_id, shows_photo_to_members=True)
    coming = {one.name: one for one in home_of(marie).next.attendees}
    assert coming["Caché"].href == "/member/annuaire?q=Cach%C3%A9"
    assert coming["Émile"].picture.src.startswith("/media/emile")


def test_a_yes_alone_is_an_answer_and_what_follows_is_still_open(club: str, at: Move) -> None:
    at(NOW)
    (marie,) = invite("Marie", has_lunch=True)
    _say(marie, YES)
    shown = home_of(marie).next
    assert (shown.is_answered, shown.said) == (True, "Vous venez, déjeuner à préciser.")
    assert (shown.own[0].answer, shown.own[0].with_lunch, shown.own[0].guest_count) == ("oui", False, "0")
    marie.takes_lunch(True)
    _say(marie, NO)
    assert home_of(marie).next.said == "Vous ne venez pas."
    with pytest.raises(Invalid):
        parse_attendance("maybe")


def test_on_a_full_event_a_yes_waits_and_an_offer_is_a_question_again(club: str, at: Move) -> None:
    at(NOW)
    marie, paul = invite("Marie", "Paul", max_participants=1)
    paul.says(True, guests=0)
    assert home_of(marie).next.own[0].event.is_full
    assert _say(marie, YES).startswith("La rencontre est complète")
    assert (home_of(marie).next.is_answered, home_of(marie).next.said) == (True, "Vous êtes sur la liste d’attente.")
    paul.says(False)
    offered = home_of(marie).next
    assert (offered.is_answered, offered.said, offered.note) == (False, "", ""), "the question tells it, once"
    assert offered.own[0].offer
    _say(marie, YES)
    assert (home_of(marie).next.is_answered, home_of(marie).next.said) == (True, "Vous venez.")


def test_a_sign_in_leads_where_the_member_chose(club: str, at: Move) -> None:
    at(NOW)
    (marie,) = invite("Marie")
    actor = Actor(email="marie@club.example", member_id=marie.member_id, session_id="s")

    def land() -> str:
        with transaction() as session:
            return sign_in.open_for(session, actor.email, Browser(token="b")).home

    assert (land(), home_of(marie).opens_here) == (routes.MEMBER, False)
    for opens_here, page in ((True, routes.MEMBER_MEETINGS), (False, routes.MEMBER)):
        with transaction() as session:
            home.choose_start_page(session, actor, opens_here)
        assert (land(), home_of(marie).opens_here) == (page, opens_here)


def test_who_also_administers_arrives_in_the_administration_and_is_asked_nothing(club: str, at: Move) -> None:
    at(NOW)
    (marie,) = invite("Marie")
    both = Actor(email="marie@club.example", is_admin=True, member_id=marie.member_id, session_id="s")
    assert home_of(marie).has_choice
    with reading() as session:
        assert not home.read_home(session, both).has_choice
    with pytest.raises(Forbidden), transaction() as session:
        home.choose_start_page(session, VISITOR, True)


def test_the_past_says_who_came_or_else_what_was_said(club: str, at: Move) -> None:
    at(NOW)
    (marie,) = invite("Marie")
    marie.says(True, guests=0)
    with transaction() as session:
        for month in range(1, 13):
            event = add_event(session, f"Matinale {month}", date=clock.from_local(f"2025-{month:02}-10T12:00"))
            session.add(
                Arrival(event_id=event.id, person=marie.member_id, arrived_at=event.date, created_at=event.date)
            )
    at("2027-02-01T10:00")
    shown = home_of(marie)
    assert shown.next.id == ""
    assert len(shown.past) == home.PAST_SHOWN
    assert [(one.title, one.said) for one in shown.past[:2]] == [
        ("Matinale d'hiver", "Vous aviez répondu oui."),
        ("Matinale 12", "Vous y étiez."),
    ]


def test_what_a_profile_lacks_is_what_the_member_may_write(club: str, at: Move) -> None:
    at(NOW)
    (marie,) = invite("Marie")
    assert [one.name for one in home_of(marie).completions] == ["photo", "fonction", "description"]
    change_member(marie.member_id, image_url="/media/marie.jpg", role="Notaire", description="Bonjour.")
    assert home_of(marie).completions == ()


def test_many_who_come_cost_the_queries_of_one(club: str, at: Move) -> None:
    at(NOW)
    (marie,) = invite("Marie")
    marie.says(True, guests=0)
    costs = [_cost(marie)]
    with transaction() as session:
        for number in range(80):
            member = add_member(session, f"Membre {number}", f"m{number}@club.example")
            session.add(
                EventReservation(
                    event_id=marie.event_id,
                    member_id=member.id,
                    response_token=str(number),
                    will_attend=True,
                    created_at=clock.now(),
                    updated_at=clock.now(),
                )
            )
    costs.append(_cost(marie))
    assert costs[0] == costs[1] <= 10
    shown = home_of(marie).next
    assert (len(shown.attendees), shown.others) == (home.MOST_FACES, "et 21\u00a0autres, invités compris")


def _cost(person: Invitee) -> int:
    with counted() as queries:
        home_of(person)
    return len(queries)
