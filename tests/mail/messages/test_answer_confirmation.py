"""The mails about one's own answer, read back as a mail program reads them (M1, M2; C5)."""

import re
from collections.abc import Callable
from datetime import datetime
from email import message_from_bytes, policy
from email.message import EmailMessage
from html import unescape

import pytest
from sqlmodel import select

from clubapp import clock
from clubapp.database import reading, transaction
from clubapp.mail.messages import mail_kinds
from clubapp.mail.messages.letter import Withdrawn
from clubapp.mail.transport import mime
from clubapp.models import Event, OutboxMail
from clubapp.services.answers import by_link, guest_link
from clubapp.services.answers.answer_form import Answer, parse_attendance
from clubapp.services.answers.guests import GuestEntry
from tests.conftest import on_sqlite
from tests.factories import add_event, add_member, add_reservation
from tests.mail.mailings import address_of

pytestmark = on_sqlite

Move = Callable[[str], datetime]
LINK = re.compile(r"https?://[^\s\"<>]+")


def received(kind: str) -> tuple[EmailMessage, str, str]:
    """The one message of a kind, its text and the words of its HTML."""
    with reading() as session:
        mail = session.exec(select(OutboxMail).where(OutboxMail.kind == kind)).one()
        message = message_from_bytes(mime.build_message(mail_kinds.compose(session, mail), mail), policy=policy.default)
    assert isinstance(message, EmailMessage)
    plain, html = message.get_body(("plain",)), message.get_body(("html",))
    assert plain
    assert html
    return message, plain.get_content().replace("\r\n", "\n"), unescape(html.get_content())


@pytest.fixture
def links(club: str, at: Move) -> list[tuple[str, str]]:
    """Two people invited to an event for one, with lunch; their links."""
    at("2026-11-20T10:00")
    with transaction() as session:
        event = add_event(
            session,
            title="Pause & <b>café</b>",
            date=clock.from_local("2027-01-14T12:00"),
            address="3 place d'Armes",
            max_participants=1,
        )
        people = [add_member(session, name, address_of(name)) for name in ("Zoé Ory", "Luc Ory")]
        return [(event.id, add_reservation(session, event, person)[1]) for person in people]


def says(link: tuple[str, str], will_attend: bool) -> None:
    with transaction() as session:
        by_link.record_answer(session, *link, parse_attendance(will_attend))


def test_a_yes_is_confirmed_with_the_calendar_file_and_the_way_back(links: list[tuple[str, str]]) -> None:
    says(links[0], True)
    message, text, html = received("answer_confirmed")
    assert message["Subject"] == "Vous venez\u00a0: Pause & <b>café</b>, jeudi 14 janvier 2027 à 12:00"
    assert message["To"] == "Zoé Ory <zoe.ory@invites.example>"
    for told in (
        "Bonjour Zoé,",
        "vous venez",
        "jeudi 14 janvier 2027 à 12:00",
        "Valenciennes, 3 place d'Armes",
        "n’est pas de vous",
    ):
        assert told in text
        assert told in html
    assert set(LINK.findall(text)) - {"http://localhost:3000"} <= {link.rstrip(".") for link in LINK.findall(html)}
    assert f"/event/{links[0][0]}?token={links[0][1]}" in text
    calendar, *attached = [part for part in message.walk() if part.get_content_type() == "text/calendar"]
    assert calendar.get_param("method") == "REQUEST"
    assert [part.get_filename() for part in attached] == ["rencontre.ics"]
    file = calendar.get_payload(decode=True)
    assert isinstance(file, bytes)
    assert b"METHOD:REQUEST" in file
    assert links[0][1].encode() not in file.replace(b"\r\n ", b"")


def test_a_no_says_so_and_adds_nothing_to_a_calendar(links: list[tuple[str, str]]) -> None:
    says(links[0], False)
    message, text, html = received("answer_confirmed")
    assert message["Subject"].startswith("Votre absence est notée\u00a0: ")
    assert "vous ne venez pas" in text
    assert "vous ne venez pas" in html
    assert not [part for part in message.walk() if part.get_content_type() == "text/calendar"]
    assert "Le fichier joint" not in text


def test_the_wait_and_the_place_that_came_free_are_told(links: list[tuple[str, str]]) -> None:
    says(links[0], True)
    says(links[1], True)
    _, text, html = received("waiting_confirmed")
    assert "Bonjour Luc," in text
    assert "Bonjour Luc," in html
    assert "vous êtes sur la liste d’attente" in text
    assert "vous êtes sur la liste d’attente" in html
    says(links[0], False)
    message, text, html = received("place_offered")
    assert message["Subject"].startswith("Une place s’est libérée pour vous\u00a0: ")
    assert "Bonjour Luc," in text
    assert "Bonjour Luc," in html
    until = "samedi 21 novembre 2026 à 11:00"
    assert until in text
    assert until in html
    for answer in ("oui", "non"):
        address = f"/event/{links[1][0]}?token={links[1][1]}&answer={answer}"
        assert address in text
        assert address in html


def test_nothing_of_a_place_that_is_gone_leaves(links: list[tuple[str, str]], at: Move) -> None:
    says(links[0], True)
    says(links[1], True)
    says(links[0], False)
    at("2026-11-21T10:00")
    with pytest.raises(Withdrawn, match="n’est plus proposée"):
        received("place_offered")
    at("2026-11-20T10:00")
    with transaction() as session:
        session.exec(select(Event)).one().status = "cancelled"
    with pytest.raises(Withdrawn, match="annulé"):
        received("place_offered")


def test_a_guest_learns_of_the_event_and_of_their_data_and_the_member_of_who_declines(
    links: list[tuple[str, str]],
) -> None:
    with transaction() as session:
        by_link.record_answer(session, *links[0], parse_attendance(True))
        guest = GuestEntry("Ali <b>Ben", "Ben & Fils", "ali@ben.example")
        session.get_one(Event, links[0][0]).max_participants = 3
        by_link.record_answer(session, *links[0], Answer(guest_count=1, guests=(guest,)))
    message, text, html = received("guest_notice")
    assert (message["To"], message["X-Club-Kind"]) == ('"Ali <b>Ben" <ali@ben.example>', "guest_notice")
    assert message["Subject"] == "Zoé Ory vous invite\u00a0: Pause & <b>café</b>, jeudi 14 janvier 2027 à 12:00"
    for told in (
        "Bonjour Ali <b>Ben,",
        "Zoé Ory nous a donné votre adresse, votre nom et votre entreprise",
        "intérêt légitime",
        "deux ans après la rencontre",
        "CNIL",
        "Valenciennes, 3 place d'Armes",
    ):
        assert told in text
        assert told in " ".join(re.sub(r"</?(?!b>)[^>]*>", "", html).split())
    (link,) = {link for link in LINK.findall(text) if "/guest/" in link}
    assert link in html
    assert [part.get_filename() for part in message.walk() if part.get_filename()] == ["rencontre.ics"]
    guest_id, _, token = link.partition("/guest/")[2].partition("?token=")
    with transaction() as session:
        guest_link.decline(session, guest_id, token)
    message, text, html = received("guest_declined")
    assert message["Subject"].startswith("Ali <b>Ben ne viendra pas\u00a0: ")
    assert message["To"] == "Zoé Ory <zoe.ory@invites.example>"
    for told in ("Bonjour Zoé,", "Ali <b>Ben", "ne pas pouvoir venir", "vous venez"):
        assert told in text
        assert told in html
