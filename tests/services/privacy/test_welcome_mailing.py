"""Whoever is entered by somebody else is told at once, once, and by what link they decide (P5)."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

import pytest
from sqlmodel import select

from clubapp.database import reading, transaction
from clubapp.mail.messages import welcome as welcome_mail
from clubapp.mail.messages.letter import Withdrawn
from clubapp.mail.queue import pause
from clubapp.mail.transport import mime
from clubapp.mail.transport.delivery import deliver
from clubapp.models import Member
from clubapp.refusals import Forbidden
from clubapp.services import demo
from clubapp.services.base.actors import VISITOR, Actor
from clubapp.services.members import editing, own_profile, person_page
from clubapp.services.privacy import welcome_mailing
from tests.conftest import on_sqlite
from tests.factories import add_member
from tests.services.import_export.import_tables import confirm, csv_of, line, send
from tests.services.privacy.entered_people import (
    HELENE,
    ZOE,
    ZOE_EMAIL,
    ask_before,
    change,
    enter,
    kept,
    letter,
    welcomes,
)
from tests.smtp_server import Relay

pytestmark = on_sqlite


@pytest.fixture(autouse=True)
def november(club: str, later: Callable[[timedelta], None]) -> Callable[[timedelta], None]:
    return later


def test_a_visitor_reads_no_notice_of_the_form(club: str) -> None:
    with pytest.raises(Forbidden), reading() as session:
        welcome_mailing.read_entry_notice(session, VISITOR, "")


def test_the_mail_names_what_is_public_the_source_and_the_rights_in_both_parts(club: str) -> None:
    zoe = enter()
    (mail,) = welcomes()
    assert (mail.recipient, mail.member_id, mail.context) == (ZOE_EMAIL, zoe, {})
    _, text, html = mime.render_parts(letter(mail))
    link = welcome_mail.choice_link(kept(zoe))
    for part in (text, html):
        for said in (
            f"http://localhost:3000/membres/{zoe}", link, ZOE_EMAIL, "03 27 41 12 34", "visible par tous",
            "20 novembre 2026", "un administrateur du club les a saisies", "CNIL", "/confidentialite",
            "nom, fonction, entreprise, présentation", "contact@beffroi.example", "Bonjour Zoé,",
        ):  # fmt: skip
            assert said in part, said
        assert "que si vous dites oui" not in part


def test_where_the_club_asks_before_the_mail_says_that_it_waits(club: str, environment: pytest.MonkeyPatch) -> None:
    ask_before(environment)
    enter()
    _, text, _ = mime.render_parts(letter(welcomes()[0]))
    assert "ne seront montrés que si vous dites oui" in text
    assert "visible par tous" not in text
    assert "masqué" in text


def test_who_was_there_before_who_enters_themselves_and_the_demo_get_none(club: str) -> None:
    with transaction() as session:
        demo.load_club(session, members=4, companies=3, events=2)
        known = add_member(session, "Marie", "marie@durand.example", role="R", description="D", company="Durand").id
    change(known, name="Marie Durant", email="marie@durant.example")
    enter(replace(ZOE, name="Hélène", email=HELENE.email))
    assert welcomes() == []


def test_an_address_that_is_mended_gets_its_own_mail_and_the_former_one_none(club: str) -> None:
    zoe = enter()
    former = welcomes()[0]
    change(zoe, email="z.lefebvre@atelier.example")
    change(zoe, role="Présidente")
    with pytest.raises(Withdrawn):
        letter(former)
    assert [mail.recipient for mail in welcomes()] == ["z.lefebvre@atelier.example", ZOE_EMAIL]
    with transaction() as session:
        person = Actor("z.lefebvre@atelier.example", member_id=zoe, session_id="z")
        own_profile.set_visibility(session, person, "shows_phone", False)
    change(zoe, email="zoe@ailleurs.example")
    assert len(welcomes()) == 2, "who has chosen knows"


def test_who_is_inactive_is_told_once_they_are_active(club: str) -> None:
    zoe = enter(replace(ZOE, is_active=False))
    assert welcomes() == []
    change(zoe, is_active=True)
    assert [mail.recipient for mail in welcomes()] == [ZOE_EMAIL]


def test_without_an_address_none_leaves_and_the_record_says_so_until_there_is_one(club: str) -> None:
    zoe = enter(replace(ZOE, email=""))
    (left_out,) = welcomes()
    assert (left_out.state, left_out.recipient) == ("excluded", "")
    with reading() as session:
        assert "Aucun message de bienvenue" in person_page.read_person(session, HELENE, zoe).welcome
    change(zoe, email=ZOE_EMAIL)
    assert [(mail.recipient, mail.state) for mail in welcomes()] == [("", "excluded"), (ZOE_EMAIL, "pending")]
    with reading() as session:
        assert "attend d’être envoyé" in person_page.read_person(session, HELENE, zoe).welcome


def test_a_pause_holds_it_a_deletion_withdraws_it(club: str, relay: Relay) -> None:
    zoe = enter()
    with transaction() as session:
        pause.begin_pause(session, HELENE.email, "Une relecture.")
    assert deliver().sent == 0
    with transaction() as session:
        editing.delete(session, HELENE, zoe)
        pause.end_pause(session)
    assert deliver().sent == 0
    assert [(mail.state, mail.recipient) for mail in welcomes()] == [("withdrawn", "")]


def test_it_leaves_and_the_record_says_when(club: str, relay: Relay) -> None:
    zoe = enter()
    assert deliver().sent == 1
    with reading() as session:
        told = person_page.read_person(session, HELENE, zoe).welcome
    assert told == "Message de bienvenue envoyé le 20 novembre 2026."


def test_an_import_says_how_many_it_writes_to_and_queues_them_with_its_members(atelier: None) -> None:
    with transaction() as session:
        add_member(session, "Ana Petit", "ana@atelier.example", company="Atelier")
    lines = [line(f"Personne {number}", f"p{number}@atelier.example") for number in range(200)]
    lines += [line("Sans Adresse", ""), line("Ana Petit", "ana@atelier.example"), line("Moi", HELENE.email)]
    plan = send(csv_of(*lines))
    assert "200 personnes reçoivent un message de bienvenue" in plan.welcome_text
    assert "1 personne n’a pas d’adresse e-mail" in plan.welcome_text
    assert welcomes() == []
    confirm(plan)
    assert sorted(mail.state for mail in welcomes()) == ["excluded", *["pending"] * 200]
    with reading() as session:
        assert {row.entered_via for row in session.exec(select(Member))} == {"", "import"}
    assert "un fichier que le club tenait" in mime.render_parts(letter(welcomes()[-1]))[1]


def test_the_form_says_what_follows_before_it_is_saved(club: str, environment: pytest.MonkeyPatch) -> None:
    with reading() as session:
        told = welcome_mailing.read_entry_notice(session, HELENE, "")
    assert (told.text, told.asks_consent) == (welcome_mailing.ENTERED, False)
    ask_before(environment)
    with reading() as session:
        told = welcome_mailing.read_entry_notice(session, HELENE, "")
    assert (told.text, told.asks_consent) == (f"{welcome_mailing.ENTERED} {welcome_mailing.WAIT}", True)
