"""Somebody asks something about their data; an administrator answers within a month, and they are told."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta

import pytest
from sqlmodel import col, select

from clubapp import clock
from clubapp.database import reading, transaction
from clubapp.doctor import installation_checks
from clubapp.doctor.check import CheckProblem
from clubapp.mail.messages import mail_kinds
from clubapp.mail.messages.letter import Letter
from clubapp.mail.transport import mime
from clubapp.models import Act, ErasedPerson, EventGuest, MailState, Member, OutboxMail, RightsRequest
from clubapp.refusals import Conflict, Forbidden, NotFound, ProofRequired
from clubapp.services.access import sign_in
from clubapp.services.base.actors import VISITOR, Actor
from clubapp.services.base.form_fields import InvalidForm
from clubapp.services.members import editing
from clubapp.services.privacy import request_answers, retention, rights_requests
from clubapp.services.privacy.erased_people import digest_of
from clubapp.services.privacy.rights_requests import LONGEST_WORDS, RequestForm
from tests.conftest import on_sqlite
from tests.factories import add_admin, add_event, add_member, add_reservation

pytestmark = on_sqlite
At = Callable[[str], datetime]
HELENE = Actor("helene@beffroi.example", is_admin=True, session_id="h")
STALE = replace(HELENE, needs_proof=True)
MARIES = "marie@durand.example"


@pytest.fixture
def marie(club: str, at: At) -> Actor:
    """A member, and two administrators."""
    at("2027-01-31T10:00")
    with transaction() as session:
        add_admin(session, HELENE.email)
        add_admin(session, "odile@beffroi.example")
        return Actor(MARIES, member_id=add_member(session, email=MARIES).id, session_id="m")


def ask(person: Actor, kind: str, words: str = "") -> str:
    """A request of a member; its id."""
    with transaction() as session:
        rights_requests.request_right(session, person, kind, words)
        return session.exec(select(RightsRequest.id).where(RightsRequest.kind == kind)).one()


def answer(request_id: str, outcome: str, text: str = "", actor: Actor = HELENE) -> str:
    with transaction() as session:
        return request_answers.answer_request(session, actor, request_id, outcome, text)


def letters(kind: str) -> dict[str, Letter]:
    """The mails of a kind, by recipient."""
    with reading() as session:
        mails = session.exec(select(OutboxMail).where(OutboxMail.kind == kind)).all()
        return {mail.recipient: mail_kinds.compose(session, mail) for mail in mails}


def test_who_may_not_neither_asks_for_a_member_nor_sees_nor_answers(marie: Actor) -> None:
    request_id = ask(marie, "copy")
    with reading() as session:
        for person in (VISITOR, marie):
            for look in (rights_requests.list_open, rights_requests.list_answered, rights_requests.open_request_form):
                with pytest.raises(Forbidden):
                    look(session, person)
            with pytest.raises(Forbidden):
                rights_requests.note_request(session, person, RequestForm())
            with pytest.raises(Forbidden):
                request_answers.answer_request(session, person, request_id, "done", "")
        for person in (VISITOR, HELENE):
            with pytest.raises(Forbidden):
                rights_requests.request_right(session, person, "copy")


@pytest.mark.parametrize("kind", ["erasure", "copy", "correction", "objection"])
def test_a_request_reaches_every_administrator_once_and_has_a_month(marie: Actor, kind: str) -> None:
    ask(marie, kind, "Parce que.")
    with pytest.raises(Conflict):
        ask(marie, kind)
    told = letters("rights_asked")
    assert set(told) == {HELENE.email, "odile@beffroi.example"}
    assert {(letter.context["name"], letter.context["words"]) for letter in told.values()} == {
        ("Marie Durand", "Parce que.")
    }
    with reading() as session:
        (found,) = rights_requests.list_open(session, HELENE)
        (own,) = rights_requests.list_own(session, marie)
    assert (found.kind, found.member_id, found.asked, found.deadline, found.is_late) == (
        kind, marie.member_id, "dimanche 31 janvier 2027", "dimanche 28 février 2027", False,
    )  # fmt: skip
    assert own.is_open
    assert own.state == "demandé le 31 janvier 2027, réponse au plus tard le 28 février 2027"


@pytest.mark.parametrize(
    ("kind", "words", "field"), [("all", "", "kind"), ("copy", "x" * (LONGEST_WORDS + 1), "words")]
)
def test_what_cannot_be_asked_is_refused_with_its_field(marie: Actor, kind: str, words: str, field: str) -> None:
    with pytest.raises(InvalidForm) as refused:
        ask(marie, kind, words)
    assert list(refused.value.errors) == [field]


def test_a_request_by_letter_is_noted_with_its_date_and_finds_the_member(marie: Actor) -> None:
    typed = RequestForm("objection", name="Marie Durand", email=" MARIE@durand.example", asked_on="2027-01-04")
    with transaction() as session:
        rights_requests.note_request(session, HELENE, typed)
        with pytest.raises(Conflict):
            rights_requests.note_request(session, HELENE, typed)
        rights_requests.note_request(session, HELENE, RequestForm("copy", name="Zoé Lys", asked_on="2027-01-31"))
        found, other = rights_requests.list_open(session, HELENE)
    assert (found.member_id, found.asked, found.deadline) == (
        marie.member_id, "lundi 4 janvier 2027", "jeudi 4 février 2027",
    )  # fmt: skip
    assert found.noted == "Notée par helene@beffroi.example"
    assert (other.name, other.member_id) == ("Zoé Lys", "")
    assert list(letters("rights_asked")) == ["odile@beffroi.example"]


@pytest.mark.parametrize("day", ["2027-02-01", "hier", ""])
def test_a_noted_request_needs_what_who_and_a_day_that_has_been(marie: Actor, day: str) -> None:
    with pytest.raises(InvalidForm) as refused, transaction() as session:
        rights_requests.note_request(session, HELENE, RequestForm("x", email="no", asked_on=day))
    assert set(refused.value.errors) == {"kind", "name", "email", "asked_on"}


def test_an_answer_closes_the_request_with_a_mail_and_is_on_record(marie: Actor) -> None:
    request_id = ask(marie, "correction", "Mon nom s’écrit Durant.")
    with pytest.raises(InvalidForm):
        answer(request_id, "refused")
    assert letters("rights_answered") == {}
    assert answer(request_id, "refused", "C’est ainsi sur votre pièce d’identité.") == request_answers.SENT
    with pytest.raises(NotFound):
        answer(request_id, "done")
    context = letters("rights_answered")[MARIES].context
    assert (context["is_refused"], context["answer"]) == (True, "C’est ainsi sur votre pièce d’identité.")
    with reading() as session:
        assert rights_requests.list_open(session, HELENE) == ()
        (closed,) = rights_requests.list_answered(session, HELENE)
        acts = session.exec(select(Act.action).order_by(col(Act.number))).all()
    assert (closed.outcome, closed.told) == ("Refusé", "helene@beffroi.example, 31 janvier 2027")
    assert acts == ["rights.asked", "rights.answered"]


def test_without_an_address_a_letter_is_asked_for(marie: Actor) -> None:
    with transaction() as session:
        rights_requests.note_request(session, HELENE, RequestForm("copy", name="Zoé Lys", asked_on="2027-01-31"))
        (found,) = rights_requests.list_open(session, HELENE)
    (asked,) = letters("rights_asked").values()
    assert asked.context["has_address"] is False
    assert answer(found.id, "done") == request_answers.BY_LETTER
    assert letters("rights_answered") == {}


@pytest.mark.parametrize(("email", "has_address"), [("", False), ("zoe@lys.example", True)])
def test_the_mail_of_a_noted_erasure_speaks_of_an_address_only_where_there_is_one(
    marie: Actor, email: str, has_address: bool
) -> None:
    typed = RequestForm("erasure", name="Zoé Lys", email=email, asked_on="2027-01-31")
    with transaction() as session:
        rights_requests.note_request(session, HELENE, typed)
    (asked,) = letters("rights_asked").values()
    for part in mime.render_parts(asked)[1:]:
        said = " ".join(part.split())
        assert ("lui est envoyée par e-mail" in said, "invitée à cette adresse" in said) == (has_address, has_address)
        assert ("par lettre" in said, "n’efface rien" in said) == (not has_address, not has_address)


def test_an_erasure_that_is_done_deletes_the_member_who_is_told_and_then_forgotten(marie: Actor, at: At) -> None:
    request_id = ask(marie, "erasure", "Je m’en vais.")
    with pytest.raises(ProofRequired):
        answer(request_id, "done", "Bonne route.", actor=STALE)
    answer(request_id, "done", "Bonne route.")
    context = letters("rights_answered")[MARIES].context
    assert (context["is_refused"], context["answer"]) == (False, "Bonne route.")
    with transaction() as session:
        assert session.get(Member, marie.member_id) is None
        row = session.get_one(RightsRequest, request_id)
        assert (row.name, row.email, row.words, row.member_id) == ("", "", "", None)
        mail = session.exec(select(OutboxMail).where(OutboxMail.kind == "rights_answered")).one()
        mail.state = MailState.SENT
    at("2027-02-01T11:00")
    with transaction() as session:
        retention.erase_expired(session)
        mail = session.exec(select(OutboxMail).where(OutboxMail.kind == "rights_answered")).one()
        assert (mail.recipient, mail.context) == ("", {})


def test_an_erasure_of_a_guest_that_is_done_erases_them_wherever_members_named_them(marie: Actor) -> None:
    zoe = "zoe@lys.example"
    with transaction() as session:
        member, now = session.get_one(Member, marie.member_id), clock.now()
        for days in (30, 60):
            event = add_event(session, date=now + timedelta(days=days))
            invited, _ = add_reservation(session, event, member, guest_count=1)
            guest = EventGuest(event_id=event.id, reservation_id=invited.id, created_at=now, updated_at=now)
            guest.position, guest.name, guest.email = 1, "Zoé Lys", zoe
            session.add(guest)
        known = {digest_of(guest.id) for guest in session.exec(select(EventGuest))}
        typed = RequestForm("erasure", name="Zoé Lys", email=zoe, asked_on="2027-01-31")
        rights_requests.note_request(session, HELENE, typed)
        (found,) = rights_requests.list_open(session, HELENE)
    assert found.erases == rights_requests.GUEST_GOES
    assert "fiche" not in letters("rights_asked")["odile@beffroi.example"].context["remedy"]
    with pytest.raises(ProofRequired):
        answer(found.id, "done", actor=STALE)
    answer(found.id, "refused", "Il reste une facture.", actor=STALE)  # nothing that lasts
    with transaction() as session:
        assert len(session.exec(select(EventGuest)).all()) == 2
        rights_requests.note_request(session, HELENE, typed)
        (found,) = rights_requests.list_open(session, HELENE)
    answer(found.id, "done")
    with reading() as session:
        assert session.exec(select(EventGuest)).all() == []
        assert {person.digest for person in session.exec(select(ErasedPerson))} == known
        assert [act.action for act in session.exec(select(Act))].count("guest.erased") == 2
        mail = session.exec(select(OutboxMail).where(OutboxMail.key == f"rights_answered:{found.id}")).one()
        told = mail_kinds.compose(session, mail).context["told"]
    assert "Ce que nous gardions de vous est effacé" in told
    assert "photo" not in told


def test_an_erasure_waits_for_the_copy_that_was_asked_before(marie: Actor) -> None:
    copy, erasure = ask(marie, "copy"), ask(marie, "erasure")
    with pytest.raises(Conflict):
        answer(erasure, "done")
    answer(copy, "done")
    answer(erasure, "done")
    with reading() as session:
        assert session.get(Member, marie.member_id) is None


def test_deleting_a_member_answers_what_they_asked(marie: Actor) -> None:
    ask(marie, "erasure")
    with transaction() as session:
        editing.delete(session, HELENE, str(marie.member_id))
        assert rights_requests.list_open(session, HELENE) == ()
    assert list(letters("rights_answered")) == [MARIES]


def test_a_request_past_its_deadline_is_late_and_shown_in_sante(marie: Actor, at: At) -> None:
    ask(marie, "copy")
    at("2027-02-28T22:00")
    assert installation_checks._rights_requests() == "aucune en retard"
    at("2027-03-01T10:00")
    with pytest.raises(CheckProblem) as late:
        installation_checks._rights_requests()
    assert (late.value.text, late.value.alerts) == ("1 attend depuis plus d’un mois", True)
    with reading() as session:
        assert [one.is_late for one in rights_requests.list_open(session, HELENE)] == [True]


def test_a_year_after_the_answer_it_is_only_known_that_there_was_a_request(marie: Actor, at: At) -> None:
    answer(ask(marie, "objection", "Plus de photos."), "done", "D’accord.")
    for moment, words in (("2028-01-30T10:00", "Plus de photos."), ("2028-02-01T10:00", "")):
        at(moment)
        with transaction() as session:
            retention.erase_expired(session)
            row = session.exec(select(RightsRequest)).one()
            assert (row.words, row.kind, row.outcome) == (words, "objection", "done")


def test_an_unknown_address_that_asked_to_sign_in_is_forgotten_after_a_day(club: str, at: At) -> None:
    at("2027-01-31T10:00")
    with transaction() as session:
        for address in ("qui@inconnu.example", "autre@inconnu.example"):
            sign_in.request_link(session, address, requester="192.0.2.1")
        first = session.exec(select(OutboxMail).where(OutboxMail.recipient == "qui@inconnu.example")).one()
        first.state = MailState.SENT
    for moment, count in (("2027-02-01T09:59", 2), ("2027-02-01T10:01", 0)):
        at(moment)
        with transaction() as session:
            retention.erase_expired(session)
            mails = session.exec(select(OutboxMail)).all()
            assert len([mail for mail in mails if mail.recipient]) == count
    assert {mail.state for mail in mails} == {MailState.SENT, MailState.WITHDRAWN}
