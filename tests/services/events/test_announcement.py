"""The numbers of an event are frozen at one instant, told to caterer and host, and told again when they change (D8)."""

import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import datetime
from io import BytesIO
from typing import Any

import pytest
from pypdf import PdfReader
from sqlmodel import Session, SQLModel, select

from clubapp import clock
from clubapp.database import engine, reading, transaction
from clubapp.mail.messages import event_facts, mail_kinds
from clubapp.mail.transport import mime
from clubapp.mail.transport.delivery import deliver
from clubapp.models import Act, Event, EventGuest, EventReservation, Member, OutboxMail
from clubapp.refusals import Conflict, Forbidden, ProofRequired
from clubapp.services.answers import by_link, by_phone, guests, page
from clubapp.services.answers.answer_form import Answer, parse_answer
from clubapp.services.answers.guests import GuestEntry
from clubapp.services.attendance import attendee_detail
from clubapp.services.base.actors import VISITOR, Actor
from clubapp.services.base.edit_conflicts import TextChanged
from clubapp.services.base.form_fields import InvalidForm
from clubapp.services.events import announcement, numbers_sheet
from clubapp.services.events import editing as event_editing
from clubapp.services.events.announcement import AnnouncementView
from clubapp.services.events.form import SpeakerForm
from clubapp.services.members import editing
from clubapp.services.privacy import retention
from tests.conftest import forget_settings
from tests.factories import add_member, add_reservation
from tests.services.events.announced import (
    COOK,
    HELENE,
    HOST,
    Move,
    add_lunch,
    change,
    change_event,
    frozen,
    let_leave,
    letters,
    read_pdf,
    shown,
    tell,
)
from tests.smtp_server import Relay

MARIE = Actor(email="marie@durand.example", member_id="m", session_id="t")


@pytest.fixture
def event_id(club: str, at: Move) -> str:
    """The lunch, on 20 November."""
    at("2026-11-20T10:00")
    return add_lunch()


ACTS: list[Callable[[Session, Actor], Any]] = [
    lambda session, actor: announcement.announce(session, actor, "e"),
    lambda session, actor: announcement.announce_to_caterer(session, actor, "e", COOK),
    announcement.list_host_names,
]


@pytest.mark.parametrize("act", ACTS)
@pytest.mark.parametrize("actor", [VISITOR, MARIE], ids=["visitor", "member"])
def test_only_an_administrator_tells(club: str, actor: Actor, act: Callable[..., Any]) -> None:
    with pytest.raises(Forbidden), transaction() as session:
        act(session, actor)


def test_the_caterer_gets_numbers_and_the_host_names_too(event_id: str) -> None:
    assert tell(event_id) == "Nombres envoyés le 20/11/2026 à 11:00\u00a0: 2 présents, 2 invités, 3 déjeuners."
    ((cook, to_cook),), ((host, to_host),) = letters("caterer"), letters("host")
    assert (cook, host) == (COOK, HOST)
    numbers = [(line.label, line.value, line.change) for line in to_cook.context["lines"]]
    assert numbers == [
        ("Membres présents", "2", ""),
        ("Invités", "2", ""),
        ("Personnes en tout", "4", ""),
        ("Déjeuners", "3", ""),
        ("Souhait\u00a0: végétarien", "1", ""),
    ]
    _, text, html = mime.render_parts(to_cook)
    for told in (text, html, read_pdf(to_cook)):
        assert "Marie" not in told
        assert "Changement" not in told  # there is nothing to compare yet
        assert "Déjeuners" in told
    _, text, html = mime.render_parts(to_host)
    for told in (text, html, read_pdf(to_host)):
        assert told.count("Marie Durand, Atelier Lefèbvre") == 1
        assert told.count("invité de Marie Durand") == 2
    with reading() as session:
        assert session.exec(select(Act.action)).all() == ["numbers.sent"]


@pytest.mark.parametrize("typed", ["", "cuisine@", "deux mots@traiteur.example"])
def test_an_address_that_cannot_be_written_to_is_neither_kept_nor_told(event_id: str, typed: str) -> None:
    change_event(caterer_email="", host_email="")
    with pytest.raises(InvalidForm) as refused, transaction() as session:
        announcement.announce_to_caterer(session, HELENE, event_id, typed)
    assert list(refused.value.errors) == ["caterer_email"]
    with reading() as session:
        assert session.get_one(Event, event_id).caterer_email == ""
        assert session.exec(select(Act.action)).all() == []


def test_the_address_of_the_caterer_is_kept_with_the_numbers_that_are_sent_there(event_id: str) -> None:
    change_event(caterer_email="", host_email="")
    with transaction() as session:
        told = announcement.announce_to_caterer(session, HELENE, event_id, f" {COOK.upper()} ")
    assert told.startswith("Nombres envoyés")
    assert [address for address, _ in letters("caterer")] == [COOK]
    with reading() as session:
        assert session.get_one(Event, event_id).caterer_email == COOK
        assert set(session.exec(select(Act.action))) == {"event.updated", "numbers.sent"}


def test_of_two_who_give_the_caterer_an_address_at_once_the_second_is_told(
    event_id: str, at: Callable[[str], datetime]
) -> None:
    change_event(caterer_email="", host_email="")
    with reading() as session:
        opened = event_editing.open_form(session, HELENE, event_id)
    at("2026-11-20T10:05")
    with transaction() as session:
        announcement.announce_to_caterer(session, HELENE, event_id, COOK)
    with pytest.raises(InvalidForm) as refused, transaction() as session:
        announcement.announce_to_caterer(session, HELENE, event_id, "autre@traiteur.example")
    assert COOK in refused.value.errors["caterer_email"]
    with pytest.raises(TextChanged), transaction() as session:
        event_editing.save(session, HELENE, replace(opened, speakers=(SpeakerForm(name="Zoé"),)))


def test_an_address_is_not_kept_when_nothing_can_be_told(event_id: str) -> None:
    change_event(caterer_email="", host_email="", status="cancelled")
    with pytest.raises(Conflict), transaction() as session:
        announcement.announce_to_caterer(session, HELENE, event_id, COOK)
    with reading() as session:
        assert session.get_one(Event, event_id).caterer_email == ""


def test_the_wish_of_who_does_not_eat_is_not_asked_of_the_caterer(event_id: str) -> None:
    change("Paul Roy", meal_wish="sans porc")
    tell(event_id)
    (row,) = frozen()
    assert (row.meals, row.wishes) == (3, {"végétarien": 1})


def test_the_message_carries_the_sheet(event_id: str) -> None:
    tell(event_id)
    with reading() as session:
        mail = session.exec(select(OutboxMail).where(OutboxMail.kind == "caterer")).one()
        message = mime.build_message(mail_kinds.compose(session, mail), mail)
    assert b'application/pdf; name="nombres.pdf"' in message


def test_it_is_shown_to_which_addresses_the_numbers_went(event_id: str) -> None:
    assert shown(event_id).recipients == ""
    tell(event_id)
    change_event(caterer_email="autre@traiteur.example")
    assert shown(event_id).recipients == f"Au traiteur ({COOK}) et à l’hôte ({HOST})."


def test_a_second_press_sends_the_difference_and_none_when_nothing_changed(event_id: str, at: Move) -> None:
    tell(event_id)
    assert (shown(event_id).changes, shown(event_id).label) == ("", "")
    with pytest.raises(Conflict, match="Rien n’a changé"):
        tell(event_id)
    at("2026-12-20T10:00")
    change("Luc Ory", will_attend=True, with_lunch=True, guest_count=0)
    change("Paul Roy", with_lunch=True)
    view = shown(event_id)
    assert (view.changes, view.label) == ("+1 présent, +2 déjeuners depuis l’envoi", announcement.AGAIN)
    tell(event_id)
    first, second = frozen()
    assert (first.number, first.meals, second.number, second.meals) == (1, 3, 2, 5)
    (_, told) = letters("caterer")[-1]
    assert told.context["is_correction"] is True
    assert {line.label: line.change for line in told.context["lines"]}["Déjeuners"] == "3 auparavant, +2"
    assert re.search(">5<br><span[^>]*>3 auparavant, \\+2<", mime.render_parts(told)[2])
    printed = read_pdf(told)
    assert ("Changement" in printed, "3 auparavant, +2" in printed) == (True, True)
    assert len(letters("host")) == 2


def test_a_new_address_is_told_the_whole_and_nobody_without_one(event_id: str) -> None:
    change_event(host_email="")
    tell(event_id)
    assert letters("host") == []
    change_event(host_email=HOST)
    tell(event_id)
    ((_, told),) = letters("host")
    assert told.context["is_correction"] is False
    assert len(letters("caterer")) == 1, "nothing has changed for the caterer"


def test_who_is_no_longer_told_anything_is_told_so_once(event_id: str) -> None:
    change_event(host_email="", caterer_email="")
    with pytest.raises(Conflict, match="traiteur ou de l’hôte"):
        tell(event_id)
    change_event(host_email=HOST, caterer_email=COOK)
    tell(event_id)
    change_event(caterer_email="nouveau@traiteur.example")
    assert shown(event_id).label == "Envoyer les nombres au traiteur et prévenir l’ancien traiteur"
    let_leave()
    tell(event_id)
    ((former, off),) = letters("partner_notice")
    assert (former, {address for address, _ in letters("caterer")}) == (COOK, {COOK, "nouveau@traiteur.example"})
    for told in mime.render_parts(off)[1:]:
        assert "Le repas de cette rencontre n’est plus prévu chez vous" in told
        assert "Marie" not in told
    assert len(letters("host")) == 1
    assert shown(event_id).label == ""
    change_event(host_email="", caterer_email="")
    assert shown(event_id).label == "Prévenir l’ancien traiteur et l’ancien hôte"
    tell(event_id)
    assert {address for address, _ in letters("partner_notice")} == {COOK, HOST}  # the other mail had not left
    assert shown(event_id) == AnnouncementView()


def test_only_those_are_written_to_whom_something_changes(event_id: str) -> None:
    tell(event_id)
    change_event(host_email="nouvel@hote.example")
    assert shown(event_id).label == "Envoyer les nombres à l’hôte et prévenir l’ancien hôte"
    tell(event_id)
    assert {address for address, _ in letters("host")} == {HOST, "nouvel@hote.example"}
    assert len(letters("caterer")) == 1


def test_another_person_with_equal_counts_is_news_for_the_host_alone(event_id: str) -> None:
    tell(event_id)
    change("Paul Roy", will_attend=False)
    change("Luc Ory", will_attend=True, with_lunch=False)
    view = shown(event_id)
    assert (view.changes, view.label) == ("1 nom a changé depuis l’envoi", "Envoyer les noms à l’hôte")
    tell(event_id)
    assert (len(letters("caterer")), len(letters("host"))) == (1, 2)
    (told,) = [told for _, told in letters("host") if told.context["is_correction"]]
    subject, *parts = mime.render_parts(told)
    assert subject.startswith("Noms corrigés")
    for text in parts:
        assert "Les nombres que nous vous avions annoncés restent les mêmes." in text
        assert ("Luc Ory." in text, "Paul Roy." in text) == (True, True)
    assert shown(event_id).label == ""
    change_event(host_email="")
    tell(event_id)
    change("Paul Roy", will_attend=True)
    change("Luc Ory", will_attend=False)
    assert (shown(event_id).changes, shown(event_id).label) == ("", "")


def test_after_another_date_the_numbers_stand_for_the_former_one_and_can_be_sent_anew(event_id: str) -> None:
    tell(event_id)
    change_event(date=clock.from_local("2027-01-21T18:30"))
    view = shown(event_id)
    assert view.told.endswith("3 déjeuners, pour l’ancienne date (jeudi 14 janvier 2027 à 12:00).")
    assert (view.changes, view.label) == ("Autre date depuis l’envoi", announcement.NEW_DATE)
    tell(event_id)
    (told,) = [told for _, told in letters("caterer") if told.context["is_correction"]]
    for text in mime.render_parts(told)[1:]:
        assert "Ces nombres remplacent ceux que nous vous avions annoncés pour l’ancienne date." in text
        assert "jeudi 14 janvier 2027 à 12:00" in text
    assert len(letters("host")) == 2
    assert (shown(event_id).changes, shown(event_id).label) == ("", "")
    change_event(location="Douai")
    assert shown(event_id).label == announcement.NEW_PLACE


@pytest.mark.parametrize("columns", [{"status": "cancelled"}, {"date": datetime.fromisoformat("2026-11-20T09:59Z")}])
def test_what_is_off_or_has_begun_is_told_to_nobody(event_id: str, columns: dict[str, Any]) -> None:
    change_event(**columns)
    assert shown(event_id).label == ""
    with pytest.raises(Conflict):
        tell(event_id)


def test_the_sheet_of_numbers_says_what_changed_since_and_no_name(event_id: str) -> None:
    tell(event_id)
    change("Paul Roy", with_lunch=True)
    with reading() as session:
        with pytest.raises(Forbidden):
            numbers_sheet.numbers_pdf(session, VISITOR, event_id)
        with pytest.raises(ProofRequired):
            numbers_sheet.numbers_pdf(session, Actor("h@club.example", is_admin=True, needs_proof=True), event_id)
        drawn = PdfReader(BytesIO(numbers_sheet.numbers_pdf(session, HELENE, event_id).content)).pages
        words = " ".join(" ".join(page.extract_text() for page in drawn).split())
    assert "Comptés le vendredi 20 novembre 2026 à 11:00" in words
    assert "Déjeuners 4 3 auparavant, +1" in words
    assert "Souhait : végétarien 1" in words.replace("\u00a0", " ")
    assert "Marie" not in words


def test_names_and_wishes_are_erased_thirty_days_after_and_who_leaves_is_left_out(event_id: str, at: Move) -> None:
    tell(event_id)
    with transaction() as session:
        marie = session.exec(select(Member.id).where(Member.name == "Marie Durand")).one()
        editing.delete(session, HELENE, marie)
    (row,) = frozen()
    assert ([one["name"] for one in row.people], row.present, row.guests) == (["Paul Roy"], 2, 2)
    at("2027-02-13T11:01")
    with transaction() as session:
        retention.erase_expired(session)
    (row,) = frozen()
    assert (row.people, row.wishes, row.meals) == ([], {}, 3)


def test_a_wish_is_in_no_table_and_on_no_sheet_thirty_days_after(event_id: str, at: Move, relay: Relay) -> None:
    guest = GuestEntry("Zoé Lys", email="zoe@lys.example", meal_wish="Sans arachide")
    with transaction() as session:
        paul = session.exec(select(EventReservation.id).join(Member).where(Member.name == "Paul Roy")).one()
        said = Answer(will_attend=True, with_lunch=True, guest_count=1, guests=(guest,), meal_wish="Ni porc ni vin")
        by_phone.record_answer(session, HELENE, paul, said)
    tell(event_id)
    deliver(until_empty=True)
    (told,) = (message for message in relay.accepted if message["To"] == COOK)
    plain = told.get_body(("plain",))
    assert plain
    assert "Souhait\u00a0: sans arachide" in plain.get_content()
    assert held("arachide") == {"event_announcements", "event_guests"}
    assert held("ni porc") == {"event_announcements", "event_reservations"}
    at("2027-02-13T11:01")
    with transaction() as session:
        retention.erase_expired(session)
    assert held("arachide") | held("ni porc") | held("égétarien") == set()
    with reading() as session:
        sheet = numbers_sheet.numbers_pdf(session, HELENE, event_id).content
    assert "Souhait" not in "".join(page.extract_text() for page in PdfReader(BytesIO(sheet)).pages)


def held(wish: str) -> set[str]:
    """The tables in which a wish stands."""
    with engine().connect() as connection:
        rows = {table.name: connection.execute(table.select()).all() for table in SQLModel.metadata.sorted_tables}
    return {name for name, found in rows.items() if wish in str(found).lower()}


def test_a_guest_who_is_erased_is_no_longer_named(event_id: str) -> None:
    with transaction() as session:
        marie = session.exec(select(EventReservation.id).join(Member).where(Member.name == "Marie Durand")).one()
        now = clock.now()
        guest = EventGuest(
            event_id=event_id, reservation_id=marie, position=2, name="Zoé Lys", created_at=now, updated_at=now
        )
        session.add(guest)
    tell(event_id)
    assert "Zoé Lys" in [one["name"] for one in frozen()[0].people]
    with transaction() as session:
        guests.erase_guest(session, session.exec(select(EventGuest)).one())
    assert [one["name"] for one in frozen()[0].people] == ["Marie Durand", "invité de Marie Durand", "Paul Roy"]


def test_the_numbers_are_those_of_one_instant_while_answers_arrive(event_id: str) -> None:
    """Each answer brings one member, two guests and three meals at once."""
    change("Marie Durand", meal_wish="")
    change("Paul Roy", with_lunch=True, guest_count=2)
    with transaction() as session:
        event = session.exec(select(Event)).one()
        tokens = [add_reservation(session, event, add_member(session, f"M{number}", None))[1] for number in range(10)]

    def answer(token: str) -> None:
        with transaction() as session:
            by_link.record_answer(session, event_id, token, parse_answer(True, True, 2))

    with ThreadPoolExecutor(6) as pool:
        answering = [pool.submit(answer, token) for token in tokens]
        for _ in range(5):
            change_event(caterer_email=f"{len(frozen())}@traiteur.example")
            tell(event_id)
        for each in answering:
            each.result()
    for row in frozen():
        assert (row.guests, row.meals, len(row.people)) == (2 * row.present, 3 * row.present, 3 * row.present)


@pytest.mark.parametrize(("chosen", "said"), [("0", False), ("1", True)])
def test_who_answers_once_the_caterer_was_told_reads_so_where_the_club_wants_it(
    event_id: str, environment: pytest.MonkeyPatch, chosen: str, said: bool
) -> None:
    environment.setenv("CLUB_LUNCH_CLOSES", chosen)
    forget_settings()

    def read() -> str:
        with reading() as session:
            marie = select(EventReservation).join(Member).where(Member.name == "Marie Durand")
            event, reservation = session.get_one(Event, event_id), session.exec(marie).one()
            return page.describe_event(session, event, None, reservation).lunch_closed

    def confirm(name: str, answer: Answer) -> list[bool]:
        """Whether the confirmation of that answer says so, in its text and in its HTML."""
        with transaction() as session:
            member = session.exec(select(Member).where(Member.name == name)).one()
            member.email = f"{member.id}@club.example"
            attendee_detail.record_answer(session, HELENE, event_id, member.id, answer)
            address = member.email
        letter = dict(letters("answer_confirmed"))[address]
        return [event_facts.LUNCH_CLOSED.split("{")[0] in told for told in mime.render_parts(letter)[1:]]

    assert read() == ""
    assert confirm("Marie Durand", parse_answer(True, True, 1)) == [False, False]
    tell(event_id)
    expected = event_facts.LUNCH_CLOSED.format(moment="vendredi 20 novembre 2026 à 11:00")
    assert read() == (expected if said else "")
    assert confirm("Luc Ory", parse_answer(True, True, 0)) == [said, said]
    assert confirm("Paul Roy", parse_answer(True, False, 1)) == [False, False]
    change_event(date=clock.from_local("2027-01-21T12:00"))
    assert read() == "", "the numbers leave again for the new date"
