"""The people of an event: the groups they are in, finding them, one of them with history and mails, their exports."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest
from sqlmodel import Session, select

from clubapp import clock, tokens
from clubapp.database import reading, transaction
from clubapp.models import Act, EventReservation, OutboxMail, ReservationAnswer
from clubapp.refusals import Conflict, Forbidden, Invalid, NotFound
from clubapp.services.answers import by_phone
from clubapp.services.answers.answer_form import parse_answer
from clubapp.services.attendance import attendee_detail, attendee_list
from clubapp.services.attendance.attendee_detail import AttendeeDetail
from clubapp.services.attendance.attendee_list import People
from clubapp.services.base.actors import VISITOR, Actor
from clubapp.services.events import admin_views, editing, invitations
from tests.factories import add_event, add_guest, add_member, add_reservation

HELENE = Actor(email="helene@beffroi.example", is_admin=True, session_id="s")
MARIE = Actor(email="marie@durand.example", member_id="m", session_id="t")


@pytest.fixture(autouse=True)
def november(at: Callable[[str], datetime]) -> Callable[[str], datetime]:
    at("2026-11-20T10:00")
    return at


def a_full_house() -> tuple[str, dict[str, str]]:
    """An event with someone in every group; reservations, or members without one, by name."""
    keys: dict[str, str] = {}
    with transaction() as session:
        event = add_event(session, max_participants=40)

        def invite(name: str, **given: Any) -> None:
            member = add_member(
                session, name, f"{name.split(maxsplit=1)[0].lower()}@club.example", company=f"Maison {name[0]}"
            )
            keys[name] = add_reservation(session, event, member, **given)[0].id

        now = clock.now()
        invite("Éric Zola", will_attend=True, with_lunch=True, guest_count=2, responded_at=now, answered_via="link")
        add_guest(session, event, keys["Éric Zola"], 1, name="Ali Ben", company="Ben & Fils", with_lunch=False)
        invite("Anna Blot", will_attend=True, with_lunch=False, responded_at=now, answered_via="member")
        held = now + timedelta(hours=9)
        invite("Noé Roy", will_attend=True, waiting_since=now, responded_at=now, offer_until=held)
        invite("Léa Petit", will_attend=False, responded_at=now, answered_via="phone", recorded_by=HELENE.email)
        invite("Paul Carré")
        keys["Sans Adresse"] = add_member(session, "Sans Adresse", None).id
        keys["Tard Venu"] = add_member(session, "Tard Venu", "tard@club.example").id
        keys["Ne Veut"] = add_member(session, "Ne Veut", "non@club.example", opted_out_at=now).id
        add_member(session, "Ancien Parti", "parti@club.example", is_active=False)
        return event.id, keys


def people(event_id: str, group: str = "coming", **given: Any) -> People:
    with reading() as session:
        return attendee_list.list_people(session, HELENE, event_id, group, **given)


def shown(event_id: str, key: str) -> AttendeeDetail:
    with reading() as session:
        return attendee_detail.open_person(session, HELENE, event_id, key)


def record(event_id: str, key: str, will_attend: bool = True, **said: Any) -> str:
    with transaction() as session:
        return attendee_detail.record_answer(session, HELENE, event_id, key, parse_answer(will_attend, **said))


def take_back(event_id: str, key: str) -> None:
    with transaction() as session:
        attendee_detail.take_back_answer(session, HELENE, event_id, key)


ACTS: list[Callable[[Session, Actor, str], Any]] = [
    attendee_list.list_people,
    lambda session, actor, event_id: attendee_detail.open_person(session, actor, event_id, "m"),
    lambda session, actor, event_id: attendee_detail.record_answer(session, actor, event_id, "m", parse_answer(True)),
    lambda session, actor, event_id: attendee_detail.take_back_answer(session, actor, event_id, "m"),
]


@pytest.mark.parametrize("actor", [VISITOR, MARIE], ids=["visitor", "member"])
@pytest.mark.parametrize("act", ACTS)
def test_only_an_administrator_sees_or_answers_for_people(club: str, actor: Actor, act: Callable[..., Any]) -> None:
    event_id, _ = a_full_house()
    with pytest.raises(Forbidden), transaction() as session:
        act(session, actor, event_id)


def test_everyone_is_in_one_group_and_the_groups_agree_with_the_tiles(club: str) -> None:
    event_id, _ = a_full_house()
    counts = {group.label: group.count for group in people(event_id).groups}
    assert counts == {"Présents": 2, "Liste d’attente": 1, "Sans réponse": 1, "Absents": 1, "Non invités": 3}
    with reading() as session:
        stats = admin_views.count_figures(session, event_id)
        detail = admin_views.read_detail(session, HELENE, event_id)
    assert (stats.total_attending, stats.total_waiting, stats.total_no_response) == (2, 1, 1)
    assert (stats.total_not_attending, stats.total_invited) == (1, 5)
    assert (stats.total_with_lunch, detail.total_meals) == (1, 2), "one guest eats as their member, one does not"


def test_a_row_tells_company_guests_lunch_and_when_and_how_it_was_answered(club: str) -> None:
    event_id, _ = a_full_house()
    anna, eric = people(event_id).rows
    assert (anna.name, anna.company, anna.party) == ("Anna Blot", "Maison A", "sans déjeuner")
    assert anna.answered == "répondu dans l’espace membre le 20/11/2026 à 11:00"
    assert (eric.name, eric.party, eric.guests) == ("Éric Zola", "2 invités, avec déjeuner", ("Ali Ben, Ben & Fils",))
    assert eric.answered == "répondu par le lien le 20/11/2026 à 11:00"
    (lea,) = people(event_id, "declined").rows
    assert (lea.party, lea.answered) == (
        "",
        "répondu par téléphone le 20/11/2026 à 11:00, noté par helene@beffroi.example",
    )
    assert people(event_id, "waiting").rows[0].answered == "répondu le 20/11/2026 à 11:00"


def test_those_not_invited_are_there_with_the_reason(club: str) -> None:
    event_id, _ = a_full_house()
    reasons = {row.name: row.reason for row in people(event_id, "uninvited").rows}
    assert reasons == {
        "Sans Adresse": "pas d’adresse e-mail",
        "Tard Venu": "pas encore invité",
        "Ne Veut": "désinscrit des envois",
    }


def test_those_not_invited_are_there_once_answers_are_closed_to_them(club: str) -> None:
    event_id, _ = a_full_house()
    before = uninvited(event_id)
    with transaction() as session:
        editing.find_event(session, event_id).answers_until = clock.now() - timedelta(hours=1)
    assert before == uninvited(event_id) != []


def uninvited(event_id: str) -> list[str]:
    with reading() as session:
        return [one.name for one in attendee_list.list_uninvited(session, editing.find_event(session, event_id))]


def test_after_the_event_those_not_invited_are_those_left_out_then(club: str, november: Callable[..., Any]) -> None:
    with transaction() as session:
        event_id = add_event(session).id
        add_member(session, "Marie", "marie@club.example")
        gone = add_member(session, "Sans Adresse", None)
        invitations.send_invitations(session, HELENE, event_id)
        session.flush()
        session.delete(gone)
    november("2027-03-20T10:00")
    with transaction() as session:
        add_member(session, "Venu Après", "apres@club.example")
    assert [(row.name, row.reason) for row in people(event_id, "uninvited").rows] == [
        ("Sans Adresse", "pas d’adresse e-mail")
    ]


def test_people_are_found_by_name_or_company_without_accents_and_counted(club: str) -> None:
    event_id, _ = a_full_house()
    assert people(event_id).found == "2 personnes"
    for wanted in ("eric", "ZOLA", "maison e"):
        found = people(event_id, wanted=wanted)
        assert ([row.name for row in found.rows], found.found) == (["Éric Zola"], "1 personne sur 2")
    assert people(event_id, wanted="nobody here").rows == ()
    assert (len(people(event_id, limit=1).rows), people(event_id, limit=1).more) == (1, 1)


@pytest.mark.parametrize("group", ["", "everyone", "COMING", "coming'--"])
def test_a_group_that_does_not_exist_shows_those_who_come(club: str, group: str) -> None:
    event_id, _ = a_full_house()
    assert people(event_id, group).chosen == "coming"


@pytest.mark.parametrize(
    ("state", "word"),
    [("pending", "en attente"), ("handing_over", "en attente"), ("sent", "envoyée"), ("failed", "échec"),
     ("uncertain", "incertain"), ("withdrawn", "retirée")],
)  # fmt: skip
def test_the_fate_of_the_last_invitation_is_told_in_a_word(club: str, state: str, word: str) -> None:
    with transaction() as session:
        event_id = add_event(session).id
        add_member(session)
        invitations.send_invitations(session, HELENE, event_id)
    with transaction() as session:
        session.exec(select(OutboxMail)).one().state = state
    (row,) = people(event_id, "silent").rows
    assert row.delivery == word
    assert shown(event_id, row.key).invitations[0].delivery == word


def test_an_answer_told_by_telephone_says_so_and_enters_the_history(club: str, november: Callable[..., Any]) -> None:
    event_id, keys = a_full_house()
    record(event_id, keys["Paul Carré"], with_lunch=True, guest_count="1")
    november("2026-11-20T11:00")
    record(event_id, keys["Paul Carré"], will_attend=False)
    found = shown(event_id, keys["Paul Carré"])
    assert (found.says, found.party) == ("Ne vient pas", "")
    assert found.told == "répondu par téléphone le 20/11/2026 à 12:00, noté par helene@beffroi.example"
    assert [said.answer for said in found.history] == ["Ne vient pas", "Vient, 1 invité, avec déjeuner"]
    assert found.history[1].told.startswith("répondu par téléphone le 20/11/2026 à 11:00")
    with reading() as session:
        assert "answer.recorded" in [entry.action for entry in session.exec(select(Act))]


def test_who_was_not_invited_gets_a_reservation_and_no_invitation(club: str) -> None:
    event_id, keys = a_full_house()
    before = shown(event_id, keys["Sans Adresse"])
    assert (before.says, before.reservation_id, before.why_not) == ("Pas invité", "", "pas d’adresse e-mail")
    record(event_id, keys["Sans Adresse"])
    record(event_id, keys["Sans Adresse"])
    found = shown(event_id, keys["Sans Adresse"])
    assert (found.says, found.invitations) == ("Vient", ())
    with reading() as session:
        made = session.exec(select(EventReservation).where(EventReservation.id == found.reservation_id)).one()
        assert tokens.rebuild("answer", made.id, made.response_token) is not None
        assert session.exec(select(OutboxMail).where(OutboxMail.kind == "invitation")).all() == []


def test_a_full_event_puts_them_on_the_waiting_list_and_says_so(club: str) -> None:
    with transaction() as session:
        event = add_event(session, max_participants=1)
        add_reservation(session, event, add_member(session), will_attend=True)
        paul = add_reservation(session, event, add_member(session, "Paul", "paul@club.example"))[0].id
        event_id = event.id
    said = record(event_id, paul, with_lunch=True, guest_count=2)
    assert said == f"{by_phone.WAITING_LIST} Le déjeuner et les invités se choisissent une fois la place obtenue."
    assert shown(event_id, paul).says == "Liste d’attente"


def test_too_many_guests_are_refused_beside_their_field_and_nothing_is_kept(club: str) -> None:
    event_id, keys = a_full_house()
    for wrong in ("6", "-1", "999"):
        with pytest.raises(Invalid) as refused:
            record(event_id, keys["Paul Carré"], guest_count=wrong)
        assert refused.value.field == "guest_count"
    assert shown(event_id, keys["Paul Carré"]).says == "Pas de réponse"


def test_an_answer_taken_back_leaves_no_answer_and_frees_the_place(club: str) -> None:
    with transaction() as session:
        event = add_event(session, max_participants=1)
        first = add_reservation(session, event, add_member(session))[0].id
        second = add_reservation(session, event, add_member(session, "Paul", "paul@club.example"))[0].id
        event_id = event.id
    record(event_id, first)
    record(event_id, second)
    take_back(event_id, first)
    found = shown(event_id, first)
    assert (found.says, found.told, found.guest_count) == ("Pas de réponse", "", 0)
    assert [said.answer for said in found.history] == ["Réponse annulée", "Vient"]
    with reading() as session:
        waiting = session.get(EventReservation, second)
        assert waiting is not None
        assert waiting.offer_until is not None


@pytest.mark.parametrize("name", ["Éric Zola", "Paul Carré", "Tard Venu"])
def test_only_what_was_told_by_telephone_can_be_taken_back(club: str, name: str) -> None:
    event_id, keys = a_full_house()
    with pytest.raises(Conflict, match="pas été notée ici"):
        take_back(event_id, keys[name])


def test_no_answer_is_recorded_for_an_event_that_is_off(club: str) -> None:
    with transaction() as session:
        event = add_event(session, status="cancelled")
        key = add_reservation(session, event, add_member(session), will_attend=True, answered_via="phone")[0].id
        event_id = event.id
    assert shown(event_id, key).closed != ""
    for act in (record, take_back):
        with pytest.raises(Conflict):
            act(event_id, key)


@pytest.mark.parametrize("key", ["", "nobody", "00000000-0000-0000-0000-000000000000"])
def test_a_person_who_is_not_there_is_not_found(club: str, key: str) -> None:
    event_id, _ = a_full_house()
    with transaction() as session:
        elsewhere = add_event(session, date=clock.now() + timedelta(days=90))
        foreign = add_reservation(session, elsewhere, add_member(session, "Ailleurs", None, is_active=False))[0].id
    for wrong in (key, foreign):
        for act in (shown, record, take_back):
            with pytest.raises(NotFound if act is not take_back else (NotFound, Conflict)):
                act(event_id, wrong)
    with reading() as session:
        assert session.exec(select(ReservationAnswer)).all() == []


def test_a_removed_member_stays_in_the_count_without_a_name(club: str) -> None:
    with transaction() as session:
        event = add_event(session)
        member = add_member(session)
        key = add_reservation(session, event, member, will_attend=True)[0].id
        event_id = event.id
        session.flush()
        session.delete(member)
    (row,) = people(event_id).rows
    assert (row.name, row.can_open) == ("Ancien membre", False)
    with pytest.raises(Conflict):
        record(event_id, key)


def test_the_line_of_places_counts_guests_and_places_on_offer(club: str) -> None:
    event_id, keys = a_full_house()
    with reading() as session:
        found = admin_views.read_overview(session, HELENE, event_id).detail
    assert found.capacity == "5 / 40 places"
    assert found.places == "2 membres, 2 invités, 1 place proposée, 35 libres"
    record(event_id, keys["Paul Carré"], guest_count=5)
    with transaction() as session:
        editing.find_event(session, event_id).max_participants = 8
    with reading() as session:
        assert admin_views.read_detail(session, HELENE, event_id).places.endswith("1 place proposée, 0 libre")


def test_where_no_lunch_is_proposed_none_is_spoken_of(club: str) -> None:
    with transaction() as session:
        event = add_event(session, has_lunch=False)
        said: dict[str, Any] = {"will_attend": True, "with_lunch": False, "guest_count": 1, "responded_at": clock.now()}
        key = add_reservation(session, event, add_member(session, "Rose Wahl"), **said)[0].id
        event_id = event.id
    (row,) = people(event_id).rows
    assert (row.party, shown(event_id, key).party) == ("1 invité", "1 invité")
