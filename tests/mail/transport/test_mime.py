"""A message as another library reads it, whatever people have typed (M1, M2, M3, M4, M5)."""

import re
from email import message_from_bytes, policy
from html import unescape
from itertools import pairwise

import mailparser
import pytest
from icalendar import Calendar
from sqlmodel import select

from clubapp import clock
from clubapp.database import reading, transaction
from clubapp.mail.messages import mail_kinds
from clubapp.mail.messages.letter import Withdrawn
from clubapp.mail.queue import outbox
from clubapp.mail.transport import mime
from clubapp.models import BroadcastEmail, EmailReminderSetting, EventReservation, Member, OutboxMail, ReminderType
from tests.conftest import on_sqlite
from tests.factories import add_member
from tests.mail.mailings import Mailing, invite, mails

pytestmark = on_sqlite


def written(position: int = 0) -> bytes:
    mail = mails()[position]
    with reading() as session:
        return mime.build_message(mail_kinds.compose(session, mail), mail)


@pytest.mark.parametrize("name", ['Zoé "La" Lefèbvre, SARL', "Łukasz <x@y.example>", "=?utf-8?q?x?=", "é" * 120, "a@b"])
def test_an_awkward_name_stays_a_name_and_the_address_stays_alone(club: str, name: str) -> None:
    invited = invite("Marie Durand")
    with transaction() as session:
        session.get_one(Member, invited.members[0].id).name = name
    read = mailparser.parse_from_bytes(written())
    assert read.to == [(name, "marie.durand@invites.example")]


def test_another_library_reads_both_parts_and_every_header(club: str) -> None:
    invite("Zoé Lefèbvre")
    raw = written()
    read = mailparser.parse_from_bytes(raw)
    assert read.defects == []
    assert read.from_ == [("Cercle du Beffroi", "contact@beffroi.example")]
    assert read.to == [("Zoé Lefèbvre", "zoe.lefebvre@invites.example")]
    assert read.message_id == mails()[0].message_id
    assert read.headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert re.fullmatch(r"<http://localhost:3000/desinscription\?token=[\w.-]+>", read.headers["List-Unsubscribe"])
    text, html = read.text_plain[0], read.text_html[0]
    links = set(re.findall(r"https?://[^\s\"<>]+", text))
    assert links == {unescape(found) for found in re.findall(r'href="([^"]+)"', html)}
    assert len(raw) < 100_000
    inlined = re.findall(r"<(?:td|p|a|h1)\b[^>]*>", html)
    assert all("style=" in tag for tag in inlined if 'class="card"' in tag or 'class="button"' in tag or tag == "<h1>")
    assert 'class="card" style=' in html or re.search(r'class="card"[^>]*style=', html)


def _remind(invited: Mailing, **answer: object) -> OutboxMail:
    with transaction() as session:
        reservation = session.exec(select(EventReservation)).one()
        for name, value in answer.items():
            setattr(reservation, name, value)
        outbox.queue_mail(
            session,
            kind="reminder_1",
            key="reminder",
            recipient="marie.durand@invites.example",
            member_id=invited.members[0].id,
            event_id=invited.event.id,
            reservation_id=reservation.id,
        )
    return next(mail for mail in mails() if mail.kind == "reminder_1")


def composed(mail: OutboxMail) -> bytes:
    with reading() as session:
        return mime.build_message(mail_kinds.compose(session, mail), mail)


def test_a_reminder_says_what_was_answered_and_carries_the_calendar_file(club: str) -> None:
    invited = invite("Marie Durand", title="Matinale")
    raw = composed(_remind(invited, will_attend=True, with_lunch=True, guest_count=2))
    message = message_from_bytes(raw, policy=policy.default)
    first, attached = message.iter_parts()  # type: ignore[attr-defined]
    assert first.get_content_type() == "multipart/alternative"
    assert [part.get_content_type() for part in first.iter_parts()] == ["text/plain", "multipart/related"]
    assert (attached.get_content_type(), attached.get_filename()) == ("text/calendar", "rencontre.ics")
    assert attached["Content-Type"].params["method"] == "PUBLISH"
    file = attached.get_content().encode()  # type: ignore[attr-defined]
    calendar = Calendar.from_ical(file)
    assert str(calendar.walk("VEVENT")[0]["SUMMARY"]) == "Matinale"
    assert invited.answer_tokens["marie.durand@invites.example"].encode() not in file
    for subtype in ("plain", "html"):
        told = message.get_body((subtype,)).get_content()  # type: ignore[attr-defined]
        assert "Vous venez, avec 2 invités, et vous déjeunez avec nous" in told
        assert "answer=oui" not in told
    assert message["List-Unsubscribe"] is None


def test_a_reminder_to_someone_who_has_not_answered_asks_and_has_a_text_of_its_own(club: str) -> None:
    invited = invite("Marie Durand")
    with transaction() as session:
        session.add(
            EmailReminderSetting(
                reminder_type=ReminderType.FIRST, unanswered_subject="Et vous\u00a0?", unanswered_content="Dites-nous."
            )
        )
    message = message_from_bytes(composed(_remind(invited)), policy=policy.default)
    assert message["Subject"] == "Et vous\u00a0?"
    text = message.get_body(("plain",)).get_content()  # type: ignore[attr-defined]
    assert "Dites-nous." in text
    assert "answer=oui" in text
    assert message.get_content_type() == "multipart/alternative"
    assert "List-Unsubscribe" in message


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ({"will_attend": False}, "ne viendrait pas"),
        ({"will_attend": True, "waiting_since": clock.now()}, "liste d’attente"),
    ],
)
def test_a_reminder_is_withdrawn_when_the_answer_changed_before_it_left(
    club: str, answer: dict[str, object], said: str
) -> None:
    mail = _remind(invite("Marie Durand"), **answer)
    with reading() as session, pytest.raises(Withdrawn, match=said):
        mail_kinds.compose(session, mail)


def test_a_broadcast_is_typed_by_a_person_and_each_of_its_lines_is_a_paragraph(club: str) -> None:
    with transaction() as session:
        member = add_member(session)
        sent = BroadcastEmail(
            subject="Nouvelles", content="Ligne un\nLigne deux <b>\n\nhttps://beffroi.example", created_at=clock.now()
        )
        session.add(sent)
        session.flush()
        outbox.queue_mail(
            session,
            kind="broadcast",
            key="b",
            recipient="marie@durand.example",
            member_id=member.id,
            broadcast_id=sent.id,
        )
    message = message_from_bytes(written(), policy=policy.default)
    html = message.get_body(("html",)).get_content()  # type: ignore[attr-defined]
    for line in ("Ligne un", "Ligne deux &lt;b&gt;"):
        assert re.search(rf"<p[^>]*>{line}</p>", html)
    assert 'href="https://beffroi.example"' in html
    assert message["Auto-Submitted"] is None
    assert message["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert "Ne plus recevoir ces envois" in html


def test_what_is_drawn_once_for_a_mailing_is_each_persons_own(club: str) -> None:
    invited = invite("Marie Durand", "Zoé Lefèbvre", "Paul Vasseur")
    raws = [written(position) for position in range(3)]
    tokens = list(invited.answer_tokens.values())
    for raw, mail in zip(raws, mails(), strict=True):
        text = mailparser.parse_from_bytes(raw).body
        own = invited.answer_tokens[mail.recipient]
        assert own in text
        assert not any(token in text for token in tokens if token != own)
    assert all(first != second for first, second in pairwise(raws))
