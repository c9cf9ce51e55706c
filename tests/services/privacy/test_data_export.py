"""A member takes away all that is held on them, asks to be erased, and is erased everywhere (P2)."""

import json
from collections.abc import Callable
from datetime import datetime

import pytest
from sqlmodel import SQLModel, select
from starlette.routing import Router
from starlette.testclient import TestClient

from clubapp.database import engine, reading, transaction
from clubapp.mail.queue import outbox
from clubapp.models import (
    Arrival,
    CallAttempt,
    EmailChange,
    EventReservation,
    MailState,
    Member,
    OutboxMail,
    ReservationAnswer,
    UserSession,
)
from clubapp.refusals import Forbidden
from clubapp.services.access import email_change, sessions, sign_in
from clubapp.services.base import audit
from clubapp.services.base.actors import SYSTEM, VISITOR, Actor
from clubapp.services.members import editing, own_profile
from clubapp.services.privacy import data_export, retention, rights_requests
from clubapp.web.endpoints import downloads
from tests.factories import add_admin, add_event, add_guest, add_member, add_reservation

MARIE, LUC, HELENE = "marie@durand.example", "luc@petit.example", "helene@beffroi.example"


@pytest.fixture
def marie(club: str, at: Callable[[str], datetime]) -> Actor:
    """Someone who has been invited, has answered, signed in, wished for another address; beside someone else."""
    now = at("2026-11-20T10:00")
    with transaction() as session:
        add_admin(session, HELENE)
        member, other = add_member(session, email=MARIE, phone="=1+1"), add_member(session, "Luc Petit", LUC)
        event = add_event(session)
        row, _ = add_reservation(session, event, member, will_attend=True, guest_count=2, responded_at=now)
        session.add(Arrival(event_id=event.id, person=member.id, arrived_at=now, created_at=now))
        session.add(Arrival(event_id=event.id, person=other.id, arrived_at=now, created_at=now))
        for one in (member, other):
            session.add(CallAttempt(event_id=event.id, member_id=one.id, at=now, recorded_by=HELENE))
        add_guest(session, event, row.id, 1, name="Zoé Lys", email="zoe@lys.example", meal_wish="sans sel")
        theirs, _ = add_reservation(session, event, other, will_attend=True, guest_count=1)
        add_guest(session, event, theirs.id, 1, name="Étranger")
        session.add(ReservationAnswer(reservation_id=row.id, at=now, will_attend=True, guest_count=2))
        for person in (member, other):
            outbox.queue_mail(
                session, kind="invitation", key=person.id, recipient=str(person.email), member_id=person.id,
                context={"name": person.name},
            )  # fmt: skip
        sign_in.request_link(session, MARIE, requester="192.0.2.1")
        sessions.open_session(session, MARIE, user_agent="Firefox")
        person = Actor(MARIE, member_id=member.id, session_id="s")
        email_change.request_change(session, person, member, "marie@nouvelle.example")
        own_profile.set_visibility(session, person, "shows_phone", False)
        rights_requests.request_right(session, person, "copy", "Tout sur Marie Durand")
        return person


@pytest.mark.parametrize("person", [VISITOR, SYSTEM])
def test_only_a_member_has_data_of_their_own(club: str, person: Actor) -> None:
    with transaction() as session:
        for act in (
            data_export.export_json,
            data_export.export_csv,
            rights_requests.list_own,
        ):
            with pytest.raises(Forbidden):
                act(session, person)


def test_everything_about_the_person_is_there_and_nothing_else(marie: Actor) -> None:
    with reading() as session:
        found = data_export.export_json(session, marie).content.decode()
        columns = (EmailChange.token_hash, UserSession.secret_hash, EventReservation.response_token)
        secrets = [secret for column in columns for secret in session.exec(select(column))]
    held = json.loads(found)
    assert held["profil"][0]["name"] == "Marie Durand"
    assert "directory_place" not in held["profil"][0]
    assert [(row["event"], row["guest_count"]) for row in held["invitations"]] == [("Matinale d'hiver", 2)]
    assert [row["will_attend"] for row in held["reponses"]] == [True]
    assert [row["event"] for row in held["arrivees"]] == ["Matinale d'hiver"]
    assert [(row["event"], row["at"][:10]) for row in held["appels"]] == [("Matinale d'hiver", "2026-11-20")]
    assert [(row["name"], row["email"], row["meal_wish"]) for row in held["invites"]] == [
        ("Zoé Lys", "zoe@lys.example", "sans sel")
    ]
    assert {row["kind"] for row in held["messages"]} == {"invitation", "email_change", "security_notice"}
    assert [row["user_agent"] for row in held["sessions"]] == ["Firefox"]
    assert [row["new_email"] for row in held["changements_d_adresse"]] == ["marie@nouvelle.example"]
    assert [row["action"] for row in held["journal"]] == ["email.requested", "profile.visibility", "rights.asked"]
    assert [(row["kind"], row["words"]) for row in held["demandes"]] == [("copy", "Tout sur Marie Durand")]
    assert "luc" not in found.lower()
    assert len(secrets) == 4
    assert not [secret for secret in secrets if secret in found]


def test_the_table_says_the_same_and_runs_nothing(marie: Actor) -> None:
    with reading() as session:
        text = data_export.export_csv(session, marie).content.decode("utf-8-sig")
    lines = [line.split(";") for line in text.splitlines()]
    assert lines[0] == ["Rubrique", "Numéro", "Champ", "Valeur"]
    assert ["profil", "1", "name", "Marie Durand"] in lines
    assert ["profil", "1", "phone", "'=1+1"] in lines
    assert ["invitations", "1", "will_attend", "oui"] in lines


@pytest.mark.parametrize(("email", "status"), [(MARIE, 200), (HELENE, 403), ("", 303)])
@pytest.mark.parametrize("kind", ["json", "csv"])
def test_the_files_are_given_to_the_member_alone(marie: Actor, email: str, status: int, kind: str) -> None:
    client = TestClient(Router(downloads.routes()), base_url="http://localhost:3000", follow_redirects=False)
    if email:
        with transaction() as session:
            client.cookies.set("session", sessions.open_session(session, email)[0])
    answer = client.get(f"/member/data.{kind}")
    assert (answer.status_code, answer.headers["cache-control"]) == (status, "no-store")
    if status == 200:
        assert answer.headers["content-disposition"] == f'attachment; filename="mes-donnees.{kind}"'
        assert "Marie Durand" in answer.text


def test_who_is_deleted_is_gone_from_every_table(marie: Actor, at: Callable[[str], datetime]) -> None:
    """A day later, once they were told what became of their request."""
    with transaction() as session:
        sent = session.exec(select(OutboxMail).where(OutboxMail.kind == "sign_in")).one()
        sent.state = MailState.SENT
        editing.delete(session, SYSTEM, str(marie.member_id))
        told = session.exec(select(OutboxMail).where(OutboxMail.kind == "rights_answered")).one()
        told.state = MailState.SENT
    at("2026-11-21T11:00")
    with transaction() as session:
        retention.erase_expired(session)
    with engine().connect() as connection:
        held = {table.name: str(connection.execute(table.select()).all()) for table in SQLModel.metadata.sorted_tables}
    for trace in (MARIE, "Marie Durand", "marie@nouvelle"):
        assert not [name for name, rows in held.items() if trace in rows], trace
    with reading() as session:
        assert session.exec(select(Member.email)).all() == [LUC]
        mails = session.exec(select(OutboxMail).where(OutboxMail.recipient != LUC)).all()
        assert len(session.exec(select(EventReservation.id)).all()) == 1, "of a past event the count stays"
    assert {mail.kind: mail.state for mail in mails} == {
        "invitation": MailState.WITHDRAWN,
        "email_change": MailState.WITHDRAWN,
        "security_notice": MailState.WITHDRAWN,
        "sign_in": MailState.SENT,
        "rights_asked": MailState.PENDING,  # of which nothing is sent: it was answered
        "rights_answered": MailState.SENT,
    }


def test_the_values_before_and_after_are_those_of_ones_own_record_only(marie: Actor) -> None:
    """What a member changed of a record that others share is theirs to read there, as it is now (P1, T1)."""
    with transaction() as session:
        audit.record(session, marie, "company.updated", "c", changes={"phone": ("03", "06")})
        audit.record(session, SYSTEM, "member.updated", marie.member_id or "", changes={"role": ("Gérante", "Membre")})
    with reading() as session:
        held = json.loads(data_export.export_json(session, marie).content)
    told = {row["action"]: row["changes"] for row in held["journal"]}
    assert (told["member.updated"], told["company.updated"]) == ({"role": ["Gérante", "Membre"]}, {})
