"""The calling list: who is on it, what it knows of them, and what stays on it while the calls are made."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlmodel import select

from clubapp import clock
from clubapp.database import reading, transaction
from clubapp.mail.messages.invitation_and_reminders import INVITATION
from clubapp.models import Act, CallAttempt, EventReservation, MailState, Member, OutboxMail
from clubapp.refusals import Conflict, Forbidden, NotFound
from clubapp.services.answers.answer_form import Answer, parse_answer
from clubapp.services.answers.guests import GuestEntry
from clubapp.services.attendance import attendee_detail, call_attempts, call_list
from clubapp.services.attendance.call_list import CallList
from clubapp.services.base.actors import VISITOR, Actor
from clubapp.services.events import editing
from clubapp.services.members import editing as members_editing
from clubapp.services.privacy import retention
from tests.factories import add_event, add_member, add_reservation

HELENE = Actor(email="helene@beffroi.example", is_admin=True, session_id="s")
MARIE = Actor(email="marie@durand.example", member_id="m", session_id="t")


@pytest.fixture(autouse=True)
def november(at: Callable[[str], datetime]) -> Callable[[str], datetime]:
    at("2026-11-20T10:00")
    return at


def an_event(**given: Any) -> str:
    with transaction() as session:
        return add_event(session, invitation_sent=True, **given).id


def invited(event_id: str, name: str, **given: Any) -> str:
    """The member's id."""
    answer = {key: given.pop(key) for key in list(given) if key in ("will_attend", "responded_at", "answered_via")}
    with transaction() as session:
        event = editing.find_event(session, event_id)
        member = add_member(session, name, given.pop("email", f"{name.lower()}@club.example"), **given)
        add_reservation(session, event, member, **answer)
        return member.id


def calls(event_id: str, seen: tuple[str, ...] = ()) -> CallList:
    with reading() as session:
        return call_list.build_call_list(session, HELENE, event_id, seen)


def names(found: CallList) -> list[str]:
    return [row.name for row in found.rows]


@pytest.mark.parametrize("actor", [VISITOR, MARIE], ids=["visitor", "member"])
def test_only_an_administrator_sees_the_list(club: str, actor: Actor) -> None:
    event_id = an_event()
    with pytest.raises(Forbidden), reading() as session:
        call_list.build_call_list(session, actor, event_id)


def test_those_without_an_answer_and_those_out_of_reach_of_mail_are_called(club: str) -> None:
    event_id = an_event()
    invited(event_id, "Silencieuse")
    invited(event_id, "Présente", will_attend=True, responded_at=clock.now(), answered_via="link")
    invited(event_id, "Absent", will_attend=False, responded_at=clock.now(), answered_via="link")
    with transaction() as session:
        add_member(session, "Sans Adresse", None, phone="+33639985501")
        add_member(session, "Désinscrit", "non@club.example", opted_out_at=clock.now())
        add_member(session, "Nouveau", "nouveau@club.example")  # can be invited by mail first
        add_member(session, "Parti", None, is_active=False)
    found = calls(event_id)
    assert names(found) == ["Désinscrit", "Sans Adresse", "Silencieuse"]
    assert found.sentence == "1 personne à appeler, et 2 qui n’ont pas été invitées"
    assert [row.reason for row in found.rows] == ["désinscrit des envois", "pas d’adresse e-mail", ""]


def test_whose_invitation_failed_is_called_with_that_reason(club: str) -> None:
    event_id, now = an_event(), clock.now()
    invited(event_id, "Silencieuse")
    with transaction() as session:
        held = session.exec(select(EventReservation)).one()
        times: Any = {"available_at": now, "created_at": now, "updated_at": now}
        about = {"event_id": event_id, "reservation_id": held.id, "member_id": held.member_id}
        session.add(OutboxMail(key="one", kind=INVITATION, state=MailState.FAILED, **about, **times))
    assert [row.reason for row in calls(event_id).rows] == ["invitation en échec"]


def test_a_number_is_shown_as_written_here_and_dialled_in_e164(club: str) -> None:
    event_id = an_event()
    invited(event_id, "Marie", phone="+33 6.39.98.55.01")
    invited(event_id, "Noé", phone="poste 12")
    invited(event_id, "Zoé")
    assert [(row.phone, row.phone_href) for row in calls(event_id).rows] == [
        ("06 39 98 55 01", "tel:+33639985501"),
        ("poste 12", ""),
        ("", ""),
    ]


def test_the_last_time_is_the_last_past_event_they_had_a_place_at(club: str) -> None:
    event_id = an_event()
    member_id = invited(event_id, "Marie")
    past = [
        (35, {"will_attend": False}, {}),
        (65, {"will_attend": True, "waiting_since": clock.now()}, {}),
        (95, {"will_attend": True}, {"status": "cancelled"}),
        (125, {"will_attend": True}, {}),
        (155, {"will_attend": True}, {}),
    ]
    with transaction() as session:
        member = session.get(Member, member_id)
        assert member is not None
        for days, answer, given in past:
            event = add_event(session, date=clock.now() - timedelta(days=days), **given)
            add_reservation(session, event, member, **answer)
    assert [row.last_time for row in calls(event_id).rows] == ["samedi 18 juillet 2026"]
    invited(event_id, "Zoé")
    assert calls(event_id).rows[1].last_time == ""


def test_whoever_was_called_stays_for_hours_and_can_be_undone(club: str, november: Callable[..., Any]) -> None:
    event_id = an_event()
    key = invited(event_id, "Marie")
    with transaction() as session:
        attendee_detail.record_answer(session, HELENE, event_id, key, parse_answer(True))
    (row,) = calls(event_id).rows
    assert (row.answer, row.says, row.can_undo, row.with_lunch) == ("oui", "Vient", True, None)
    assert row.told == "répondu par téléphone le 20/11/2026 à 11:00, noté par helene@beffroi.example"
    assert calls(event_id).sentence == "0 personne à appeler"
    with transaction() as session:
        attendee_detail.record_answer(session, HELENE, event_id, key, parse_answer(True, True, 2))
        attendee_detail.record_answer(session, HELENE, event_id, key, Answer(guests=(GuestEntry("Zoé Lys", "Lys"),)))
    (row,) = calls(event_id).rows
    assert row.says == "Vient, 2 invités, avec déjeuner"
    assert [(guest.number, guest.name, guest.company) for guest in row.guests] == [
        ("1", "Zoé Lys", "Lys"),
        ("2", "", ""),
    ]
    with transaction() as session:
        attendee_detail.take_back_answer(session, HELENE, event_id, key)
    assert [(row.answer, row.can_undo) for row in calls(event_id).rows] == [("", False)]
    with transaction() as session:
        attendee_detail.record_answer(session, HELENE, event_id, key, parse_answer(False))
    november("2026-11-21T10:00")
    assert names(calls(event_id)) == []


def test_who_was_on_the_screen_stays_there_when_they_answer_by_themselves(club: str) -> None:
    event_id = an_event()
    seen = invited(event_id, "Marie", will_attend=False, responded_at=clock.now(), answered_via="link")
    assert names(calls(event_id)) == []
    (row,) = calls(event_id, (seen, "forged")).rows
    assert (row.answer, row.says, row.can_undo) == ("non", "Ne vient pas", False)
    assert row.told.startswith("répondu par le lien")


def test_an_event_that_is_off_takes_no_answer_and_one_that_has_begun_takes_corrections(club: str) -> None:
    begun = calls(an_event(date=datetime(2026, 11, 20, 9, tzinfo=UTC)))
    assert (begun.closed, begun.has_begun) == ("", True)
    to_come = calls(an_event(date=clock.now() + timedelta(days=99)))
    assert (to_come.closed, to_come.has_begun) == ("", False)
    assert calls(an_event(date=clock.now() + timedelta(days=199), status="cancelled")).closed != ""


def test_a_deleted_event_has_no_list(club: str) -> None:
    with pytest.raises(NotFound):
        calls("00000000-0000-0000-0000-000000000000")


def test_a_call_that_reached_nobody_is_kept_counted_and_puts_the_person_after_the_others(
    club: str, november: Callable[..., Any]
) -> None:
    event_id = an_event()
    alma, _, zoe = (invited(event_id, name) for name in ("Alma", "Marie", "Zoé"))
    for moment, key in (("2026-11-17T10:12", zoe), ("2026-11-19T18:20", alma), ("2026-11-20T10:00", zoe)):
        november(moment)
        with transaction() as session:
            call_attempts.record_attempt(session, HELENE, event_id, key)
            call_attempts.record_attempt(session, HELENE, event_id, key)  # a second press is the same call
    assert [(row.name, row.called, row.can_undo_call) for row in calls(event_id).rows] == [
        ("Marie", "", False),
        ("Alma", "appelé 1 fois, hier à 19:20", False),
        ("Zoé", "appelé 2 fois, dernière fois aujourd’hui à 11:00", True),
    ]
    assert calls(event_id).sentence == "3 personnes à appeler"
    with reading() as session:
        kept = session.exec(select(CallAttempt).where(CallAttempt.member_id == zoe)).all()
        acts = [act.subject for act in session.exec(select(Act).where(Act.action == "call.unanswered"))]
    assert ({one.recorded_by for one in kept}, len(kept)) == ({HELENE.email}, 2)
    assert sorted(acts) == sorted([zoe, alma, zoe])
    with transaction() as session:
        call_attempts.take_back_attempt(session, HELENE, event_id, zoe)
    assert calls(event_id).rows[1].called == "appelé 1 fois, mardi à 11:12"
    with pytest.raises(Conflict), transaction() as session:
        call_attempts.take_back_attempt(session, HELENE, event_id, zoe)


def test_a_row_on_the_screen_keeps_its_place_when_its_call_is_noted(club: str) -> None:
    event_id = an_event()
    seen = tuple(invited(event_id, name) for name in ("Alma", "Marie"))
    with transaction() as session:
        call_attempts.record_attempt(session, HELENE, event_id, seen[0])
    assert names(calls(event_id, seen)) == ["Alma", "Marie"]
    assert names(calls(event_id)) == ["Marie", "Alma"]


def test_no_call_is_noted_of_who_answered_of_nobody_or_by_somebody_else(club: str) -> None:
    event_id = an_event()
    answered = invited(event_id, "Marie", will_attend=True, responded_at=clock.now(), answered_via="link")
    for key, refusal in ((answered, Conflict), ("nobody", NotFound)):
        with pytest.raises(refusal), transaction() as session:
            call_attempts.record_attempt(session, HELENE, event_id, key)
    for act in (call_attempts.record_attempt, call_attempts.take_back_attempt):
        with pytest.raises(Forbidden), transaction() as session:
            act(session, MARIE, event_id, answered)


def test_calls_go_with_the_member_and_a_month_after_the_event(club: str, november: Callable[..., Any]) -> None:
    event_id = an_event()
    leaves, stays = invited(event_id, "Alma"), invited(event_id, "Zoé")
    with transaction() as session:
        for key in (leaves, stays):
            call_attempts.record_attempt(session, HELENE, event_id, key)
        members_editing.delete(session, HELENE, leaves)
        retention.erase_expired(session)
    with reading() as session:
        assert session.exec(select(CallAttempt.member_id)).all() == [stays]
        event = editing.find_event(session, event_id)
    november(f"{event.date + retention.CALLS + timedelta(days=1):%Y-%m-%dT%H:%M}")
    with transaction() as session:
        retention.erase_expired(session)
        assert session.exec(select(CallAttempt.member_id)).all() == []
