"""Telling those invited: who gets what, once, from what is true when it leaves, with a calendar entry that follows."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from email import message_from_bytes, policy
from typing import Any

import pytest
from sqlmodel import col, select

from clubapp import clock
from clubapp.database import reading, transaction
from clubapp.mail import envelope, messages, outbox
from clubapp.mail.letters import Letter, Withdrawn
from clubapp.mail.living import EVENT_CANCELLED, EVENT_GONE
from clubapp.mail.notices import ON_AGAIN, SUPERSEDED, UNDONE
from clubapp.models import Event, EventReservation, OutboxMail
from clubapp.services import events, notices
from clubapp.services.actors import Actor
from clubapp.services.event_form import EventForm, SpeakerForm
from clubapp.services.notices import NoticePlan, NoticeWanted
from tests.calendars import read as read_calendar
from tests.factories import add_event, add_member, add_reservation

HELENE = Actor(email="helene@beffroi.example", is_admin=True, session_id="s")
ANSWERS = {
    "Anne": {"will_attend": True},
    "Bruno": {"will_attend": True, "waiting_since": datetime(2026, 11, 1, tzinfo=UTC)},
    "Chloé": {},
    "David": {"will_attend": False},
}
MOVED: dict[str, Any] = {"date": "2027-01-21T18:30"}


@pytest.fixture(autouse=True)
def november(at: Callable[[str], datetime]) -> Callable[[str], datetime]:
    at("2026-11-20T10:00")
    return at


@pytest.fixture
def announced(club: str) -> str:
    """An event of 14 January at noon to which four people are invited, each with another answer."""
    with transaction() as session:
        date = datetime(2027, 1, 14, 11, tzinfo=UTC)
        event = add_event(session, date=date, status="confirmed", invitation_sent=True, max_participants=1)
        for name, given in ANSWERS.items():
            add_reservation(session, event, add_member(session, name, f"{name[0].lower()}@club.example"), **given)
        return event.id


def opened(event_id: str) -> EventForm:
    with reading() as session:
        return replace(events.form(session, HELENE, event_id), speakers=(SpeakerForm("Zoé"),))


def save(event_id: str, *, tell: bool | None = None, **changed: Any) -> None:
    with transaction() as session:
        events.save(session, HELENE, replace(opened(event_id), **changed), tell)


def asked(event_id: str, **changed: Any) -> NoticePlan:
    with pytest.raises(NoticeWanted) as question:
        save(event_id, **changed)
    return question.value.plan


def stored(event_id: str) -> Event:
    with reading() as session:
        return events.find(session, event_id)


def notes(state: str = "pending") -> list[OutboxMail]:
    with reading() as session:
        query = select(OutboxMail).where(OutboxMail.state == state).order_by(col(OutboxMail.key))
        return [mail for mail in session.exec(query) if mail.kind != "invitation"]


def told() -> list[str]:
    """Whom a notice waits for, by the first letter of their address."""
    return sorted(mail.recipient[0].upper() for mail in notes())


def letter_to(initial: str) -> Letter:
    (mail,) = [mail for mail in notes() if mail.recipient.startswith(initial.lower())]
    return letter(mail)


def letter(mail: OutboxMail) -> Letter:
    with reading() as session:
        return messages.compose(session, mail)


def calendar_of(found: Letter) -> Any:
    assert found.calendar is not None
    read = read_calendar(found.calendar.content.decode())
    assert read.method.value == found.calendar.method
    return read


def test_a_moved_event_asks_first_shows_who_gets_what_and_saves_nothing_meanwhile(announced: str) -> None:
    plan = asked(announced, **MOVED)
    assert [(group.label, group.names) for group in plan.groups] == [
        ("Présents", ("Anne",)),
        ("Sur liste d'attente", ("Bruno",)),
        ("Pas de réponse", ("Chloé",)),
        ("Absents", ("David",)),
    ]
    assert all(group.gets for group in plan.groups)
    assert plan.told == 4
    assert [(change.label, change.before, change.after) for change in plan.changes] == [
        ("Date", "jeudi 14 janvier 2027 à 12:00", "jeudi 21 janvier 2027 à 18:30")
    ]
    assert stored(announced).date == datetime(2027, 1, 14, 11, tzinfo=UTC)
    assert notes() == []


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
def test_each_change_reaches_those_it_concerns(announced: str, changed: dict[str, Any], who: str) -> None:
    plan = asked(announced, **changed)
    assert "".join(group.names[0][0] for group in plan.groups if group.gets) == who
    assert "".join(group.names[0][0] for group in plan.groups if not group.gets) == "D" * ("D" not in who)
    save(announced, tell=True, **changed)
    assert "".join(told()) == who
    assert plan.told == len(who)
    assert stored(announced).sequence == 1
    kind = "event_cancelled" if "status" in changed else "event_changed"
    assert {mail.key for mail in notes()} == {f"{kind}:{announced}:{mail.member_id}:1" for mail in notes()}


@pytest.mark.parametrize(
    "changed", [{}, {"title": "Autre titre"}, {"has_lunch": False}, {"status": "draft"}, {"status": "completed"},
                {"date": "2026-11-02T12:00"}]
)  # fmt: skip
def test_what_concerns_nobody_asks_nothing(announced: str, changed: dict[str, Any]) -> None:
    save(announced, **changed)
    assert notes() == []


def test_an_event_that_was_not_announced_moves_without_a_question(announced: str) -> None:
    with transaction() as session:
        events.find(session, announced).invitation_sent = False
    save(announced, **MOVED)
    assert notes() == []
    assert stored(announced).sequence == 1


def test_saving_without_telling_tells_nobody_and_the_entry_still_rises(announced: str) -> None:
    save(announced, tell=False, **MOVED)
    assert notes() == []
    assert stored(announced).sequence == 1
    assert stored(announced).date == datetime(2027, 1, 21, 17, 30, tzinfo=UTC)


def test_those_who_cannot_be_reached_are_named_with_the_reason(announced: str) -> None:
    with transaction() as session:
        event = events.find(session, announced)
        add_reservation(session, event, add_member(session, "Élise", None))
        add_reservation(session, event, add_member(session, "Farid", "f@club.example", is_active=False))
        add_reservation(session, event, add_member(session, "Gilles", "g@club.example", opted_out_at=clock.now()))
        hugo, _ = add_reservation(session, event, add_member(session, "Hugo", "h@club.example"))
        outbox.queue(
            session, kind="invitation", key="i", recipient="h@club.example", member_id=hugo.member_id, event_id=event.id
        )
    plan = asked(announced, **MOVED)
    left_out = {each.name: each.reason for each in plan.left_out}
    assert left_out == {
        "Élise": notices.NO_ADDRESS,
        "Farid": notices.INACTIVE,
        "Hugo": notices.NOT_YET_INVITED,
    }
    save(announced, tell=True, **MOVED)
    assert "".join(told()) == "ABCDG"
    assert {mail.reason for mail in notes("excluded")} == set(left_out.values())


def test_the_moved_entry_has_the_same_uid_a_higher_sequence_and_the_new_time(announced: str) -> None:
    save(announced, tell=True, location="Douai", **MOVED)
    found = letter_to("A")
    event = calendar_of(found).vevent
    assert found.calendar is not None
    assert found.calendar.method == "REQUEST"
    assert event.uid.value == f"{announced}@localhost"
    assert int(event.sequence.value) == 1
    assert event.dtstart.value == datetime(2027, 1, 21, 17, 30, tzinfo=UTC)
    assert event.location.value == "Douai"
    assert event.attendee.value == "mailto:a@club.example"
    assert found.context["headline"] == "Changement de date et de lieu"
    assert (found.context["facts"].date, found.context["facts"].location) == ("jeudi 21 janvier 2027 à 18:30", "Douai")
    before = (found.context["date_before"], found.context["place_before"])
    assert before == ("jeudi 14 janvier 2027 à 12:00", "Valenciennes")
    for other in "BCD":
        assert letter_to(other).calendar is None
    assert len({letter_to(name).context["standing"] for name in "ABCD"}) == 4
    assert all(f"/event/{announced}?token=" in letter_to(name).personal["answer"] for name in "ABCD")


def test_a_cancelled_event_takes_the_entry_back(announced: str) -> None:
    save(announced, tell=True, status="cancelled")
    entry = calendar_of(letter_to("A"))
    assert entry.method.value == "CANCEL"
    assert entry.vevent.status.value == "CANCELLED"
    assert (entry.vevent.uid.value, entry.vevent.sequence.value) == (f"{announced}@localhost", "1")
    assert letter_to("C").calendar is None


def test_an_event_that_is_on_again_is_told_to_those_who_heard_of_the_cancellation(announced: str) -> None:
    save(announced, tell=True, status="cancelled")
    sent()
    save(announced, tell=True, status="confirmed")
    assert "".join(told()) == "ABC"
    found = letter_to("A")
    assert found.context["headline"] == "Finalement, la rencontre a lieu"
    assert calendar_of(found).vevent.sequence.value == "2"
    assert calendar_of(found).vevent.status.value == "CONFIRMED"


def sent() -> None:
    """The relay took everything."""
    with transaction() as session:
        for mail in session.exec(select(OutboxMail)):
            mail.state = "sent"


def test_a_later_change_takes_the_place_of_what_has_not_left_and_says_both(announced: str) -> None:
    save(announced, tell=True, **MOVED)
    (late,) = [mail for mail in notes() if mail.recipient.startswith("a")]
    save(announced, tell=True, location="Douai")
    assert {mail.reason for mail in notes("withdrawn")} == {SUPERSEDED}
    assert "".join(told()) == "ABCD"  # David has not heard of the new date yet
    assert letter_to("A").context["headline"] == "Changement de date et de lieu"
    with pytest.raises(Withdrawn, match=SUPERSEDED):  # a worker had it in hand already
        letter(late)


def test_a_change_undone_before_it_left_is_not_told(announced: str) -> None:
    save(announced, tell=True, **MOVED)
    save(announced, tell=False, date="2027-01-14T12:00")
    with pytest.raises(Withdrawn, match=UNDONE):
        letter_to("A")


def test_what_was_sent_is_not_taken_back(announced: str) -> None:
    save(announced, tell=True, **MOVED)
    sent()
    save(announced, tell=True, location="Douai")
    assert "".join(told()) == "ABC"
    assert notes("withdrawn") == []
    assert letter_to("A").context["headline"] == "Changement de lieu"


def test_a_notice_of_a_change_is_withdrawn_when_the_event_is_cancelled_and_the_other_way_round(announced: str) -> None:
    save(announced, tell=True, **MOVED)
    save(announced, tell=False, status="cancelled")
    with pytest.raises(Withdrawn, match=EVENT_CANCELLED):
        letter_to("A")
    save(announced, tell=False, status="confirmed")
    save(announced, tell=True, status="cancelled")
    save(announced, tell=False, status="confirmed")
    with pytest.raises(Withdrawn, match=ON_AGAIN):
        letter_to("A")


def test_an_answer_given_before_the_notice_leaves_counts(announced: str) -> None:
    save(announced, tell=True, **MOVED)
    with transaction() as session:
        for reservation in session.exec(select(EventReservation)):
            reservation.will_attend = False
    assert letter_to("A").calendar is None
    assert "ne veniez pas" in letter_to("A").context["standing"]


def test_deleting_tells_what_goes_and_the_cancellation_outlives_the_event(announced: str) -> None:
    with reading() as session:
        loss = events.deletion(session, HELENE, announced)
    assert loss.loss.startswith("3 réponses et 4 invitations seront supprimées")
    assert loss.plan.told == 3
    with transaction() as session:
        events.delete(session, HELENE, announced, tell=True)
    assert "".join(told()) == "ABC"
    found = letter_to("A")
    entry = calendar_of(found)
    assert (entry.method.value, entry.vevent.uid.value) == ("CANCEL", f"{announced}@localhost")
    assert (entry.vevent.sequence.value, entry.vevent.status.value) == ("1", "CANCELLED")
    assert entry.vevent.dtstart.value == datetime(2027, 1, 14, 11, tzinfo=UTC)
    assert (found.context["title"], found.context["date"]) == ("Matinale d'hiver", "jeudi 14 janvier 2027 à 12:00")
    assert letter_to("C").calendar is None


def test_deleting_silently_tells_nobody_and_stops_what_was_waiting(announced: str) -> None:
    save(announced, tell=True, **MOVED)
    waiting = notes()
    with transaction() as session:
        events.delete(session, HELENE, announced)
    assert len(notes()) == len(waiting)
    for mail in notes():
        with pytest.raises(Withdrawn, match=EVENT_GONE):
            letter(mail)


@pytest.mark.parametrize("given", [
    {"status": "cancelled"}, {"status": "completed"}, {"invitation_sent": False},
    {"date": datetime(2026, 11, 1, tzinfo=UTC)},
])  # fmt: skip
def test_nobody_is_told_of_the_deletion_of_what_was_not_to_come(announced: str, given: dict[str, object]) -> None:
    with transaction() as session:
        event = events.find(session, announced)
        for name, value in given.items():
            setattr(event, name, value)
    with reading() as session:
        assert events.deletion(session, HELENE, announced).plan == NoticePlan()
    with transaction() as session:
        events.delete(session, HELENE, announced, tell=True)
    assert notes() == []


def test_both_parts_of_a_notice_say_what_changed(announced: str) -> None:
    save(announced, tell=True, location="Douai <b>", **MOVED)
    text, html = parts(letter_to("D"))
    for part in (text, html):
        assert "Changement de date et de lieu" in part
        assert "jeudi 21 janvier 2027 à 18:30" in part
        assert "jeudi 14 janvier 2027 à 12:00" in part
        assert f"/event/{announced}?token=" in part
    assert "Douai <b>" in text
    assert "Douai &lt;b&gt;" in html
    save(announced, tell=True, status="cancelled")
    for part in parts(letter_to("A")):
        assert "n'aura pas lieu" in part.replace("&#39;", "'")


def parts(found: Letter) -> tuple[str, str]:
    message = message_from_bytes(envelope.write(found, notes()[0]), policy=policy.default)
    text, html = message.get_body(("plain",)), message.get_body(("html",))
    assert text
    assert html
    return text.get_content(), html.get_content()
