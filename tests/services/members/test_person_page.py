"""A member's page for administrators: what happened with them, in a bounded number of statements; notes (P2, W3)."""

import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from sqlmodel import Session, select

from clubapp import clock, routes
from clubapp.database import reading, transaction
from clubapp.mail.queue import outbox
from clubapp.models import Arrival, Event, MailState, Member, MemberNote, OutboxMail, ReservationAnswer
from clubapp.refusals import Conflict, Forbidden, Invalid, NotFound
from clubapp.services.base.actors import VISITOR, Actor
from clubapp.services.members import editing, notes, person_history, person_page
from clubapp.services.privacy import data_export, rights_requests
from tests.factories import add_admin, add_company, add_event, add_member, add_reservation
from tests.statements import counted

HELENE = Actor("helene@beffroi.example", is_admin=True, session_id="s")


@pytest.fixture
def marie(club: str, at: Callable[[str], object]) -> Member:
    """A member, and an administrator; it is November 2026."""
    at("2026-11-20T10:00")
    with transaction() as session:
        add_admin(session, HELENE.email)
        member = add_member(session, phone="0639984107", expertise=["Charpente"], image_url="")
        session.expunge(member)
        return member


def add_past(session: Session, member: Member, months: int, **answer: object) -> Event:
    """A meeting some months ago, and what the member said of it."""
    event = add_event(session, f"Matinale {months}", clock.now() - timedelta(days=31 * months), status="completed")
    add_reservation(session, event, member, **answer)
    return event


def add_arrival(session: Session, event: Event, person: str) -> None:
    session.add(Arrival(event_id=event.id, person=person, arrived_at=event.date, created_at=event.date))


def test_the_history_holds_answers_mails_and_changes_the_latest_first(
    marie: Member, at: Callable[[str], object]
) -> None:
    with transaction() as session:
        event = add_event(session, status="confirmed", invitation_sent=True)
        row, _ = add_reservation(session, event, marie, will_attend=True, guest_count=1, responded_at=clock.now())
        session.add(
            ReservationAnswer(
                reservation_id=row.id,
                at=clock.now(),
                will_attend=True,
                guest_count=1,
                via="phone",
                recorded_by="Hélène",
            )
        )
        at("2026-11-21T10:00")
        outbox.queue_mail(
            session, kind="invitation", key="k", recipient=str(marie.email), member_id=marie.id, event_id=event.id
        )
        session.flush()
        mail = session.exec(select(OutboxMail)).one()
        mail.state, mail.reason = MailState.FAILED, "Adresse inconnue."
        at("2026-11-22T10:00")
        editing.deactivate(session, HELENE, marie.id)
    with reading() as session:
        page = person_page.read_person(session, HELENE, marie.id)
        mails = person_page.read_person(session, HELENE, marie.id, person_history.MAILS)
        two = person_page.read_person(session, HELENE, marie.id, most=2)
    assert [(line.kind, line.title) for line in page.history] == [
        ("answers", "Réponse retirée"),
        ("record", "Membre modifié"),
        ("mails", "Invitation"),
        ("answers", "A dit oui"),
    ]
    assert page.history[3].detail == "Matinale d'hiver · 1 invité · répondu par téléphone, noté par Hélène"
    assert page.history[2].detail.startswith("Échec · ")
    assert "Adresse inconnue" in page.history[2].detail
    assert [line.kind for line in mails.history] == ["mails"]
    assert (len(two.history), two.has_more, page.has_more) == (2, True, False)


def test_the_page_tells_how_to_reach_them_and_what_the_public_sees(marie: Member) -> None:
    with transaction() as session:
        member = session.get_one(Member, marie.id)
        member.shows_phone, member.email_failed_at = False, clock.now()
        event = add_event(session, status="confirmed", invitation_sent=True)
        add_reservation(session, event, member)
        rights_requests.request_right(session, Actor(str(marie.email), member_id=marie.id, session_id="m"), "erasure")
    with reading() as session:
        page = person_page.read_person(session, HELENE, marie.id)
    assert (page.phone, page.phone_href) == ("06 39 98 41 07", "tel:+33639984107")
    assert page.mail_fault.sentence == "Les messages sont refusés depuis le vendredi 20 novembre 2026."
    assert page.mail_fault.correct_href == routes.edit_member(marie.id)
    assert [(part.label, part.word) for part in page.visible] == [
        ("Sa page", "visible"), ("Sa photo", "aucune"), ("Son e-mail", "visible"), ("Son téléphone", "masqué"),
    ]  # fmt: skip
    assert (page.meeting.sentence, page.meeting.answer) == ("Pas de réponse, aucun message envoyé", "")
    assert [(asked.kind, asked.asked, asked.deadline) for asked in page.requests] == [
        ("erasure", "vendredi 20 novembre 2026", "dimanche 20 décembre 2026")
    ]
    assert page.review == ""


def test_the_page_leads_to_the_company_and_to_the_message_that_was_refused(marie: Member) -> None:
    def read() -> person_page.PersonPage:
        with reading() as session:
            return person_page.read_person(session, HELENE, marie.id)

    assert (read().company_href, read().mail_fault.correct_href) == ("", "")
    with transaction() as session:
        company = add_company(session, "Quai Douze")
        member = session.get_one(Member, marie.id)
        member.company_id, member.email_failed_at = company.id, clock.now()
        moments: dict[str, Any] = {"available_at": clock.now(), "updated_at": clock.now(), "created_at": clock.now()}
        given: dict[str, Any] = {"kind": "broadcast", "member_id": marie.id, "state": MailState.FAILED}
        session.add(OutboxMail(id="refused", key="k", **given, **moments))
        address = routes.admin_company(company.id)
    assert (read().company_href, read().mail_fault.correct_href) == (address, routes.correct_address("refused"))


def test_a_long_history_asks_no_more_of_the_database(marie: Member) -> None:
    def count() -> int:
        with reading() as session, counted() as statements:
            person_page.read_person(session, HELENE, marie.id)
        return len(statements)

    def live_through(months: range) -> None:
        with transaction() as session:
            for number in months:
                event = add_past(session, marie, number, will_attend=True)
                add_arrival(session, event, marie.id)
                outbox.queue_mail(
                    session, kind="invitation", key=f"k{number}", recipient="m@x.example", member_id=marie.id,
                    event_id=event.id,
                )  # fmt: skip
                notes.add_note(session, HELENE, marie.id, "Vue au marché.")

    live_through(range(1, 3))
    few = count()
    live_through(range(3, 40))
    assert count() == few <= 14


def test_a_note_is_dated_signed_exported_with_the_members_data_and_erased_with_them(marie: Member) -> None:
    own = Actor(str(marie.email), member_id=marie.id, session_id="m")
    with transaction() as session:
        notes.add_note(session, HELENE, marie.id, "  Cherche un menuisier. ")
    with reading() as session:
        (note,) = person_page.read_person(session, HELENE, marie.id).notes
        held = json.loads(data_export.export_json(session, own).content)
    assert (note.text, note.told) == ("Cherche un menuisier.", "helene@beffroi.example, 20 nov., 11:00")
    assert [row["text"] for row in held["notes"]] == ["Cherche un menuisier."]
    assert [row["action"] for row in held["journal"]] == ["note.added"]
    with transaction() as session:
        editing.delete(session, HELENE, marie.id)
        assert session.exec(select(MemberNote)).all() == []


def test_a_note_is_deleted_once_and_an_empty_or_endless_one_is_refused(marie: Member) -> None:
    with transaction() as session:
        for text in (" \n ", "a" * (notes.LONGEST_NOTE + 1)):
            with pytest.raises(Invalid):
                notes.add_note(session, HELENE, marie.id, text)
        with pytest.raises(NotFound):
            notes.add_note(session, HELENE, "nobody", "Bonjour")
        notes.add_note(session, HELENE, marie.id, "Bonjour")
        note = session.exec(select(MemberNote)).one()
        notes.delete_note(session, HELENE, note.id)
        session.flush()
        with pytest.raises(NotFound):
            notes.delete_note(session, HELENE, note.id)
        for number in range(notes.MOST_NOTES):
            session.add(MemberNote(member_id=marie.id, text=str(number), written_by="h", created_at=clock.now()))
        with pytest.raises(Conflict):
            notes.add_note(session, HELENE, marie.id, "Une de trop")


def test_nobody_else_reads_or_notes_anything(marie: Member) -> None:
    own = Actor(str(marie.email), member_id=marie.id, session_id="m")
    with reading() as session:
        for person in (VISITOR, own):
            for service in (person_page.read_person, notes.list_notes, notes.delete_note):
                with pytest.raises(Forbidden):
                    service(session, person, marie.id)
            with pytest.raises(Forbidden):
                notes.add_note(session, person, marie.id, "Bonjour")
        with pytest.raises(NotFound):
            person_page.read_person(session, HELENE, "nobody")
