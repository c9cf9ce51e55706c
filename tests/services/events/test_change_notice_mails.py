"""A notice says what is true when it leaves, with a calendar entry that follows."""

from datetime import UTC, datetime
from email import message_from_bytes, policy

import pytest
from sqlmodel import col, select

from clubapp import clock
from clubapp.database import transaction
from clubapp.mail.messages.event_change import ON_AGAIN, SUPERSEDED, UNDONE
from clubapp.mail.messages.letter import Letter, Withdrawn
from clubapp.mail.messages.recipients_now import EVENT_CANCELLED
from clubapp.mail.transport import mime
from clubapp.models import Event, EventReservation, OutboxMail
from tests.services.events.event_notices import MOVED, calendar_of, letter, letter_to, notes, save, told


def test_the_moved_entry_has_the_same_uid_a_higher_sequence_and_the_new_time(january_event: str) -> None:
    save(january_event, tell=True, location="Douai", **MOVED)
    found = letter_to("A")
    event = calendar_of(found).vevent
    assert found.calendar is not None
    assert found.calendar.method == "REQUEST"
    assert event.uid.value == f"{january_event}@localhost"
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
    assert [name for name in "ABCD" if letter_to(name).context["press"] == "Répondre"] == ["C"]
    assert all(f"/event/{january_event}?token=" in letter_to(name).personal["answer"] for name in "ABCD")


def test_a_cancelled_event_takes_the_entry_back(january_event: str) -> None:
    save(january_event, tell=True, status="cancelled")
    entry = calendar_of(letter_to("A"))
    assert entry.method.value == "CANCEL"
    assert entry.vevent.status.value == "CANCELLED"
    assert (entry.vevent.uid.value, entry.vevent.sequence.value) == (f"{january_event}@localhost", "1")
    assert letter_to("C").calendar is None


def test_an_event_that_is_on_again_is_told_to_those_who_heard_of_the_cancellation(january_event: str) -> None:
    save(january_event, tell=True, status="cancelled")
    sent()
    save(january_event, tell=True, status="confirmed")
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


def test_a_later_change_takes_the_place_of_what_has_not_left_and_says_both(january_event: str) -> None:
    save(january_event, tell=True, **MOVED)
    (late,) = [mail for mail in notes() if mail.recipient.startswith("a")]
    save(january_event, tell=True, location="Douai")
    assert {mail.reason for mail in notes("withdrawn")} == {SUPERSEDED}
    assert "".join(told()) == "ABCD"  # David has not heard of the new date yet
    assert letter_to("A").context["headline"] == "Changement de date et de lieu"
    with pytest.raises(Withdrawn, match=SUPERSEDED):  # a worker had it in hand already
        letter(late)


def test_a_change_undone_before_it_left_is_not_told(january_event: str) -> None:
    save(january_event, tell=True, **MOVED)
    save(january_event, tell=False, date="2027-01-14T12:00")
    with pytest.raises(Withdrawn, match=UNDONE):
        letter_to("A")


def test_what_was_sent_is_not_taken_back(january_event: str) -> None:
    save(january_event, tell=True, **MOVED)
    sent()
    save(january_event, tell=True, location="Douai")
    assert "".join(told()) == "ABC"
    assert notes("withdrawn") == []
    assert letter_to("A").context["headline"] == "Changement de lieu"


def test_a_notice_of_a_change_is_withdrawn_when_the_event_is_cancelled_and_the_other_way_round(
    january_event: str,
) -> None:
    save(january_event, tell=True, **MOVED)
    save(january_event, tell=False, status="cancelled")
    with pytest.raises(Withdrawn, match=EVENT_CANCELLED):
        letter_to("A")
    save(january_event, tell=False, status="confirmed")
    save(january_event, tell=True, status="cancelled")
    save(january_event, tell=False, status="confirmed")
    with pytest.raises(Withdrawn, match=ON_AGAIN):
        letter_to("A")


def test_an_answer_given_before_the_notice_leaves_counts(january_event: str) -> None:
    save(january_event, tell=True, **MOVED)
    with transaction() as session:
        for reservation in session.exec(select(EventReservation)):
            reservation.will_attend = False
    assert letter_to("A").calendar is None
    assert "ne veniez pas" in letter_to("A").context["standing"]


def test_another_hour_of_the_same_day_is_no_other_date(january_event: str) -> None:
    save(january_event, tell=True, date="2027-01-14T12:30")
    assert letter_to("A").context["headline"] == "Changement d’horaire"
    assert "ce nouvel horaire" in letter_to("D").context["standing"]
    save(january_event, tell=True, location="Douai")
    assert letter_to("A").context["headline"] == "Changement d’horaire et de lieu"


def test_to_whom_a_place_is_offered_the_notice_says_so(january_event: str) -> None:
    save(january_event, tell=True, **MOVED)
    assert letter_to("B").context["standing"] == "Vous êtes toujours sur la liste d’attente."
    with transaction() as session:
        waiting = session.exec(select(EventReservation).where(col(EventReservation.waiting_since).is_not(None))).one()
        waiting.offer_until = clock.from_local("2026-12-01T12:00")
    found = letter_to("B").context
    assert "réservée jusqu’au mardi 1er décembre 2026 à 12:00" in found["standing"]
    assert found["press"] == "Répondre"


def test_a_cancellation_names_the_place_once(january_event: str) -> None:
    save(january_event, tell=True, address="3 place d'Armes, 59300 Valenciennes", status="cancelled")
    assert letter_to("A").context["place"] == "3 place d'Armes, 59300 Valenciennes"
    assert calendar_of(letter_to("A")).vevent.location.value == "Valenciennes, 3 place d'Armes, 59300 Valenciennes"


def test_a_notice_asks_nobody_once_answers_are_closed(january_event: str) -> None:
    save(january_event, tell=True, answers_until="2026-11-30T12:00", **MOVED)
    assert "Réponse avant le lun. 30 novembre à 12:00." in " ".join(parts(letter_to("C"))[0].split())
    with transaction() as session:
        session.exec(select(Event)).one().answers_until = clock.now()
    for initial in "CD":
        for part in parts(letter_to(initial)):
            said = " ".join(part.split())
            assert "Les réponses à cette rencontre sont closes" in said
            assert "Réponse avant" not in said
            assert "dites-nous si vous venez" not in said
            assert "Voir la rencontre" in said
    assert "Dites-nous si ce changement vous gêne" in parts(letter_to("A"))[0]


def test_both_parts_of_a_notice_say_what_changed(january_event: str) -> None:
    save(january_event, tell=True, location="Douai <b>", **MOVED)
    text, html = parts(letter_to("D"))
    for part in (text, html):
        assert "Changement de date et de lieu" in part
        assert f"Bonjour {letter_to('D').personal['PRENOM']}," in part
        assert "jeudi 21 janvier 2027 à 18:30" in part
        assert "jeudi 14 janvier 2027 à 12:00" in part
        assert f"/event/{january_event}?token=" in part
    assert "Douai <b>" in text
    assert "Douai &lt;b&gt;" in html
    save(january_event, tell=True, status="cancelled")
    for part in parts(letter_to("A")):
        assert "n’aura pas lieu" in part.replace("&#39;", "'")
        assert f"Bonjour {letter_to('A').personal['PRENOM']}," in part


def parts(found: Letter) -> tuple[str, str]:
    message = message_from_bytes(mime.build_message(found, notes()[0]), policy=policy.default)
    text, html = message.get_body(("plain",)), message.get_body(("html",))
    assert text
    assert html
    return text.get_content(), html.get_content()
