"""Telling those invited of a change or a deletion: asked first, who is told and who is not, once."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from sqlmodel import select

from clubapp import clock
from clubapp.database import reading, transaction
from clubapp.mail.messages.letter import Withdrawn
from clubapp.mail.messages.recipients_now import EVENT_GONE
from clubapp.mail.queue import outbox
from clubapp.mail.transport.delivery import deliver
from clubapp.models import Event, EventGuest, EventReservation, Member, OutboxMail
from clubapp.refusals import ProofRequired
from clubapp.services.answers import guest_mails
from clubapp.services.base.form_fields import InvalidForm
from clubapp.services.events import change_notices, editing
from clubapp.services.events.change_notices import NoticeDecisionRequired, NoticePlan
from tests.factories import add_member, add_reservation
from tests.services.events.event_notices import (
    HELENE,
    MOVED,
    calendar_of,
    letter,
    letter_to,
    notes,
    opened,
    save,
    stored,
    told,
)


def asked(event_id: str, **changed: Any) -> NoticePlan:
    with pytest.raises(NoticeDecisionRequired) as question:
        save(event_id, **changed)
    return question.value.plan


def test_a_moved_event_asks_first_shows_who_gets_what_and_saves_nothing_meanwhile(january_event: str) -> None:
    plan = asked(january_event, **MOVED)
    assert [(group.label, group.names) for group in plan.groups] == [
        ("Présents", ("Anne",)),
        ("Sur liste d’attente", ("Bruno",)),
        ("Pas de réponse", ("Chloé",)),
        ("Absents", ("David",)),
    ]
    assert all(group.gets for group in plan.groups)
    assert plan.message_count == 4
    assert [(change.label, change.before, change.after) for change in plan.changes] == [
        ("Date", "jeudi 14 janvier 2027 à 12:00", "jeudi 21 janvier 2027 à 18:30")
    ]
    assert stored(january_event).date == datetime(2027, 1, 14, 11, tzinfo=UTC)
    assert notes() == []


def test_who_is_told_of_another_date_is_known_before_it_is_chosen(january_event: str) -> None:
    with reading() as session:
        _, plan = editing.open_postponement(session, HELENE, january_event)
    question = asked(january_event, **MOVED)
    assert (plan.groups, plan.message_count, plan.left_out) == (question.groups, 4, question.left_out)
    assert save(january_event, tell=True, **MOVED).notices.message_count == 4
    with pytest.raises(InvalidForm) as refusal:
        save(january_event, tell=True, date="2026-01-14T12:00")
    assert set(refusal.value.errors) == {"date"}
    with transaction() as session:
        stored_event = session.get(Event, january_event)
        assert stored_event
        stored_event.date = clock.now()
    with reading() as session:
        assert editing.open_postponement(session, HELENE, january_event)[1] == NoticePlan()


@pytest.mark.parametrize(
    ("changed", "who"),
    [
        (MOVED, "ABCD"),
        ({"location": "Douai"}, "ABC"),
        ({"address": "3 place d'Armes"}, "ABC"),
        ({"status": "cancelled"}, "ABC"),
        ({"status": "cancelled", **MOVED}, "ABC"),
    ],
)
def test_each_change_reaches_those_it_concerns(january_event: str, changed: dict[str, Any], who: str) -> None:
    plan = asked(january_event, **changed)
    assert "".join(group.names[0][0] for group in plan.groups if group.gets) == who
    assert "".join(group.names[0][0] for group in plan.groups if not group.gets) == "D" * ("D" not in who)
    save(january_event, tell=True, **changed)
    assert "".join(told()) == who
    assert plan.message_count == len(who)
    assert stored(january_event).sequence == 1
    kind = "event_cancelled" if "status" in changed else "event_changed"
    assert {mail.key for mail in notes()} == {f"{kind}:{january_event}:{mail.member_id}:1" for mail in notes()}


@pytest.mark.parametrize(
    "changed", [{}, {"title": "Autre titre"}, {"has_lunch": False}, {"status": "draft"}, {"status": "completed"},
                {"status": "completed", "date": "2026-11-02T12:00"}]
)  # fmt: skip
def test_what_concerns_nobody_asks_nothing(january_event: str, changed: dict[str, Any]) -> None:
    save(january_event, **changed)
    assert notes() == []


@pytest.mark.parametrize("tell", [None, False, True])
def test_an_event_to_which_people_are_invited_does_not_move_into_the_past(
    january_event: str, tell: bool | None
) -> None:
    with pytest.raises(InvalidForm) as refused:
        save(january_event, tell=tell, date="2025-01-14T12:00")
    assert refused.value.errors == {"date": editing.NOBODY_IS_TOLD if tell else editing.INTO_THE_PAST}
    save(january_event, tell=False, date="2025-01-14T12:00", status="cancelled")
    assert notes() == []


def test_an_event_that_was_not_announced_moves_without_a_question(january_event: str) -> None:
    with transaction() as session:
        editing.find_event(session, january_event).invitation_sent = False
    save(january_event, **MOVED)
    assert notes() == []
    assert stored(january_event).sequence == 1


def test_saving_without_telling_tells_nobody_and_the_entry_still_rises(january_event: str) -> None:
    save(january_event, tell=False, **MOVED)
    assert notes() == []
    assert stored(january_event).sequence == 1
    assert stored(january_event).date == datetime(2027, 1, 21, 17, 30, tzinfo=UTC)


def test_those_who_cannot_be_reached_are_named_with_the_reason(january_event: str) -> None:
    with transaction() as session:
        event = editing.find_event(session, january_event)
        add_reservation(session, event, add_member(session, "Élise", None))
        add_reservation(session, event, add_member(session, "Farid", "f@club.example", is_active=False))
        add_reservation(session, event, add_member(session, "Gilles", "g@club.example", opted_out_at=clock.now()))
        hugo, _ = add_reservation(session, event, add_member(session, "Hugo", "h@club.example"))
        outbox.queue_mail(
            session, kind="invitation", key="i", recipient="h@club.example", member_id=hugo.member_id, event_id=event.id
        )
    plan = asked(january_event, **MOVED)
    left_out = {each.name: each.reason for each in plan.left_out}
    assert left_out == {
        "Élise": change_notices.NO_ADDRESS,
        "Farid": change_notices.INACTIVE,
        "Hugo": change_notices.NOT_YET_INVITED,
    }
    assert save(january_event, tell=True, **MOVED).notices.to_call == ("Élise",)
    assert "".join(told()) == "ABCDG"
    assert {mail.reason for mail in notes("excluded")} == set(left_out.values())


def test_deleting_tells_what_goes_and_the_cancellation_outlives_the_event(january_event: str) -> None:
    with reading() as session:
        loss = editing.preview_deletion(session, HELENE, january_event)
    assert loss.loss.startswith("3 réponses et 4 invitations seront supprimées")
    assert loss.plan.message_count == 3
    with transaction() as session:
        editing.delete(session, HELENE, january_event, tell=True)
    assert "".join(told()) == "ABC"
    found = letter_to("A")
    entry = calendar_of(found)
    assert (entry.method.value, entry.vevent.uid.value) == ("CANCEL", f"{january_event}@localhost")
    assert (entry.vevent.sequence.value, entry.vevent.status.value) == ("1", "CANCELLED")
    assert entry.vevent.dtstart.value == datetime(2027, 1, 14, 11, tzinfo=UTC)
    assert (found.context["title"], found.context["date"]) == ("Matinale d'hiver", "jeudi 14 janvier 2027 à 12:00")
    assert letter_to("C").calendar is None


def test_invitees_are_told_with_a_recent_proof_only(january_event: str) -> None:
    """A mail to all of them is a mailing like others (S13); what tells nobody needs none."""
    stale = replace(HELENE, needs_proof=True)
    with pytest.raises(ProofRequired), transaction() as session:
        editing.save(session, stale, replace(opened(january_event), **MOVED), True)
    with pytest.raises(ProofRequired), transaction() as session:
        editing.delete(session, stale, january_event, tell=True)
    assert told() == []
    with transaction() as session:
        editing.save(session, stale, replace(opened(january_event), **MOVED), False)
        editing.delete(session, stale, january_event)


def test_deleting_silently_tells_nobody_and_stops_what_was_waiting(january_event: str) -> None:
    save(january_event, tell=True, **MOVED)
    waiting = notes()
    with transaction() as session:
        editing.delete(session, HELENE, january_event)
    assert len(notes()) == len(waiting)
    for mail in notes():
        with pytest.raises(Withdrawn, match=EVENT_GONE):
            letter(mail)


@pytest.mark.parametrize("given", [
    {"status": "cancelled"}, {"status": "completed"}, {"invitation_sent": False},
    {"date": datetime(2026, 11, 1, tzinfo=UTC)},
])  # fmt: skip
def test_nobody_is_told_of_the_deletion_of_what_was_not_to_come(january_event: str, given: dict[str, object]) -> None:
    with transaction() as session:
        event = editing.find_event(session, january_event)
        for name, value in given.items():
            setattr(event, name, value)
    with reading() as session:
        assert editing.preview_deletion(session, HELENE, january_event).plan == NoticePlan()
    with transaction() as session:
        editing.delete(session, HELENE, january_event, tell=True)
    assert notes() == []


def test_a_cancellation_that_waits_outlives_the_event(january_event: str) -> None:
    bring_guest(january_event, "z@lys.example")
    save(january_event, tell=True, status="cancelled")
    assert "".join(told()) == "ABCZ"
    with transaction() as session:
        assert editing.preview_deletion(session, HELENE, january_event).plan == NoticePlan()
        editing.delete(session, HELENE, january_event)
    assert "".join(told()) == "ABCZ"
    for initial, leaves_calendar in {"A": True, "B": False, "C": False, "Z": True}.items():
        found = letter_to(initial)
        assert (found.context["title"], found.context["date"]) == ("Matinale d'hiver", "jeudi 14 janvier 2027 à 12:00")
        assert (found.calendar is not None) == leaves_calendar
    assert calendar_of(letter_to("A")).vevent.sequence.value == "1"


def test_a_guest_who_is_counted_on_no_more_is_told_nothing_of_a_deleted_event(january_event: str) -> None:
    bring_guest(january_event, "z@lys.example")
    save(january_event, tell=True, status="cancelled")
    with transaction() as session:
        session.delete(session.exec(select(EventGuest)).one())
    with transaction() as session:
        editing.delete(session, HELENE, january_event)
    with pytest.raises(Withdrawn, match=EVENT_GONE):
        letter_to("Z")


def test_whose_invitation_was_withdrawn_hears_of_no_change(january_event: str) -> None:
    with transaction() as session:
        for row in session.exec(select(EventReservation)):
            about = {"member_id": row.member_id, "event_id": january_event, "reservation_id": row.id}
            outbox.queue_mail(session, kind="invitation", key=row.id, recipient="x@club.example", **about)
        for mail in session.exec(select(OutboxMail)):
            mail.state = "withdrawn"
    plan = asked(january_event, **MOVED)
    assert [(one.name, one.reason) for one in plan.left_out] == [("Chloé", change_notices.NOT_YET_INVITED)]
    assert plan.message_count == 3


@pytest.mark.parametrize("tell", [True, False])
def test_a_guest_whose_notice_was_withdrawn_is_told_once_the_event_is_on_again(january_event: str, tell: bool) -> None:
    bring_guest(january_event, "z@lys.example", "pending")
    save(january_event, tell=True, status="cancelled")
    deliver()
    assert [mail.recipient[0] for mail in notes("withdrawn")] == ["z"]
    save(january_event, tell=False, title="Autre titre")
    assert told() == []
    save(january_event, tell=tell, status="confirmed")
    assert "".join(told()) == ("ABCZ" if tell else "Z")
    assert letter_to("Z").context["is_change"] is False


def bring_guest(event_id: str, email: str, state: str = "sent") -> None:
    """Anne brings somebody whose notice has left, unless another state is given."""
    with transaction() as session:
        anne = session.exec(select(Member.id).where(Member.name == "Anne")).one()
        row = session.exec(select(EventReservation).where(EventReservation.member_id == anne)).one()
        row.guest_count, now = 1, clock.now()
        about = {"event_id": event_id, "reservation_id": row.id, "position": 1, "email": email}
        guest = EventGuest(**about, name="Zoé Lys", created_at=now, updated_at=now)
        session.add(guest)
        session.flush()
        guest_mails.queue_notices(session, row, [guest])
        for mail in session.exec(select(OutboxMail)):
            mail.state = state
