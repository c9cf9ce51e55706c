"""The journal of acts as administrators read it: who may, search, filters, pages, history, export (T1)."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime

import pytest
from sqlmodel import Session, SQLModel

from clubapp.database import reading, transaction
from clubapp.models import (
    BroadcastEmail,
    Company,
    EmailReminderSetting,
    EmailSignature,
    Event,
    Member,
    UserSession,
)
from clubapp.refusals import Forbidden, ProofRequired
from clubapp.services.access import sessions
from clubapp.services.base import audit
from clubapp.services.base.actors import SYSTEM, VISITOR, Actor, command_actor
from clubapp.services.mailings import test_mails
from clubapp.services.members import competition, editing
from clubapp.services.members.competition import Decision
from clubapp.services.monitoring import act_words, acts
from clubapp.services.monitoring.acts import ActPage, ActRow
from tests.factories import add_admin, add_company, add_event, add_member, add_reservation

HELENE = Actor(email="helene@beffroi.example", is_admin=True, session_id="5f3a9c00-0000-4000-8000-000000000000")
MARIE = Actor(email="marie@durand.example", member_id="m1", session_id="t")


@pytest.fixture
def event(club: str, at: Callable[[str], datetime]) -> Event:
    """Acts of several people on several days; it is 20 November."""
    with transaction() as session:
        add_admin(session, HELENE.email)
        add_member(session, "Hélène Caudrelier", HELENE.email)
        add_member(session, "Marie Durand", MARIE.email, id="m1")
        add_company(session, "Atelier Lefèbvre", id="c1")
        event = add_event(session, title="Souper des tisserands", id="e1")
        session.add(
            UserSession(
                id=HELENE.session_id or "",
                email=HELENE.email,
                secret_hash="x",
                user_agent="Mozilla Windows Firefox/1",
                created_at=at("2026-11-01T10:00"),
                expires_at=at("2026-11-01T11:00"),
            )
        )
    for moment, act in (("2026-08-02T10:00", _old), ("2026-11-01T10:00", _earlier), ("2026-11-19T10:00", _lately)):
        at(moment)
        with transaction() as session:
            act(session)
    at("2026-11-20T10:00")
    return event


def _old(session: Session) -> None:
    audit.record(session, command_actor(), "admin.add", HELENE.email)


def _earlier(session: Session) -> None:
    changes = {"phone": ("", "03 20 55 55 01"), "is_listed": (True, False), "company_id": ("a", "b")}
    audit.record(session, HELENE, "member.updated", "m1", changes=changes)
    audit.record(session, MARIE, "sign_in", "t")


def _lately(session: Session) -> None:
    audit.record(
        session, HELENE, "event.updated", "e1", changes={"date": ("2026-12-10 11:00:00+00:00", None)}, title="S"
    )
    audit.record(session, HELENE, "company.deleted", "gone", name="Ancienne Filature")
    audit.record(session, SYSTEM, "refusals", code=3, event=1)


def page(**given: str) -> ActPage:
    with reading() as session:
        return acts.read_page(session, HELENE, acts.parse_query(given))


def codes(**given: str) -> set[str]:
    return {row.action for row in page(**given).rows}


def one(action: str) -> ActRow:
    return next(row for row in page().rows if row.action == action)


@pytest.mark.parametrize("actor", [VISITOR, MARIE], ids=["visitor", "member"])
def test_only_an_administrator_reads_the_journal(club: str, actor: Actor) -> None:
    for act in (lambda s: acts.read_page(s, actor, acts.ActQuery()), lambda s: acts.export_csv(s, actor)):
        with pytest.raises(Forbidden), reading() as session:
            act(session)


def test_a_row_says_who_what_to_what_from_where_and_what_changed(event: Event) -> None:
    row = one("member.updated")
    assert (row.label, row.who) == ("Membre modifié", f"Hélène Caudrelier, {HELENE.email}")
    assert (row.subject_kind, row.subject) == ("Membre", "Marie Durand")
    assert row.source == "Firefox sur Windows, session 5f3a9c"
    assert [(each.label, each.before, each.after) for each in row.changes] == [
        ("Téléphone", "vide", "03 20 55 55 01"),
        ("Présent dans l’annuaire", "oui", "non"),
    ]
    assert one("event.updated").changes[0].before == "10/12/2026 à 12:00"
    assert (one("admin.add").who, one("admin.add").source) == (
        "Ligne de commande",
        f"compte {command_actor().operator}",
    )
    assert (one("admin.add").subject_kind, one("admin.add").subject) == ("Personne", HELENE.email)
    assert one("company.deleted").subject == "Ancienne Filature"
    assert (one("refusals").who, one("refusals").note) == (
        "Le site",
        "codes de connexion\u00a0: 3, actions sans droit\u00a0: 1",
    )


@pytest.mark.parametrize(
    ("given", "found"),
    [
        ({"q": "durand"}, {"member.updated", "sign_in"}),
        ({"q": "HELENE tisserands"}, {"event.updated"}),
        ({"q": "connexion"}, {"sign_in"}),
        ({"q": "personne-ne-porte-ce-nom"}, set()),
        ({"auteur": "command"}, {"admin.add"}),
        (
            {"auteur": "nobody"},
            {"admin.add", "member.updated", "sign_in", "event.updated", "company.deleted", "refusals"},
        ),
        ({"genre": "records"}, {"member.updated", "company.deleted"}),
        ({"periode": "7"}, {"event.updated", "company.deleted", "refusals"}),
        ({"periode": "30", "genre": "access"}, {"sign_in", "refusals"}),
        ({"objet": "member.m1"}, {"member.updated", "sign_in"}),
        ({"objet": "event.e1"}, {"event.updated"}),
    ],
)
def test_search_and_filters_narrow_the_journal(event: Event, given: dict[str, str], found: set[str]) -> None:
    assert codes(**given) == found


def test_a_token_and_a_test_mail_say_whose_they_are(event: Event) -> None:
    with transaction() as session:
        sessions.issue_admin_token(session, HELENE.email)
        test_mails.send_event_test(
            session, HELENE, to="essai@elsewhere.example", event_id=event.id, email_type="invitation"
        )
    assert one("token.made").subject == HELENE.email
    assert one("test.sent").subject == "essai@elsewhere.example"


def test_a_decision_about_competition_names_both(event: Event) -> None:
    with transaction() as session:
        add_member(session, "Zoé Nil", None, id="m2")
        competition.record_decisions(session, HELENE, "m1", [Decision("m2", "accepted", "Autre ville")])
    decided = one("competition.decided")
    assert (decided.subject, decided.note) == ("Marie Durand", "avec\u00a0: Zoé Nil")
    assert decided.changes[0].after == "Concurrence acceptée"


def test_the_history_of_a_record_holds_the_answers_that_were_written_down_for_it(event: Event) -> None:
    with transaction() as session:
        reservation, _ = add_reservation(
            session, session.get_one(Event, "e1"), add_member(session, "Zoé", "z@x.example")
        )
        audit.record(session, HELENE, "answer.recorded", reservation.id, changes={"will_attend": (None, True)})
    assert "answer.recorded" in codes(objet="event.e1")
    assert page(objet="event.e1").history_of == "Souper des tisserands"
    assert next(row for row in page().rows if row.action == "answer.recorded").subject == "Zoé, Souper des tisserands"


def test_the_journal_is_read_by_page_and_its_links_keep_the_filters(event: Event) -> None:
    with transaction() as session:
        for _ in range(acts.PAGE):
            audit.record(session, HELENE, "mail.paused")
    first, last = page(auteur="admin"), page(auteur="admin", page="99")
    assert (len(first.rows), first.page, first.pages) == (acts.PAGE, 1, 2)
    assert (len(last.rows), last.page) == (3, 2)
    assert first.export_href == "/admin/exports/actes.csv?auteur=admin"


def test_an_erased_author_is_the_same_pseudonym_in_each_act(event: Event) -> None:
    with transaction() as session:
        audit.record(session, MARIE, "sign_out", "t")
        editing.delete(session, HELENE, "m1")
    names = {row.who for row in page().rows if row.action in ("sign_in", "sign_out")}
    assert len(names) == 1
    assert names.pop().startswith("Ancien membre ")
    assert one("member.updated").changes == ()


def test_erased_people_stay_apart_as_what_acts_were_about(event: Event) -> None:
    with transaction() as session:
        for identifier in ("aaaaaaaa-1", "bbbbbbbb-2"):
            member = add_member(session, "Zoé", f"{identifier}@x.example", id=identifier)
            audit.record(session, HELENE, "member.kept", member.id)
            editing.delete(session, HELENE, member.id)
    subjects = [row.subject for row in page().rows if row.action in ("member.kept", "member.deleted")]
    assert subjects == ["Ancien membre bbbbbb"] * 2 + ["Ancien membre aaaaaa"] * 2
    assert page(objet="member.aaaaaaaa-1").history_of == "Ancien membre aaaaaa"


def test_the_export_holds_a_line_for_each_value_and_nothing_that_was_not_asked_for(event: Event) -> None:
    with reading() as session:
        made = acts.export_csv(session, HELENE, "", "", "records")
    lines = made.content.decode("utf-8-sig").splitlines()
    assert made.name == "actes-2026-11-20.csv"
    assert lines[0].startswith("N°;Date;Auteur;Depuis;Acte;Code")
    assert len(lines) == 4
    assert sum("Téléphone" in line for line in lines) == 1
    assert not any("sign_in" in line for line in lines)


TABLES = (Member, Company, Event, EmailSignature, BroadcastEmail, EmailReminderSetting)


@pytest.mark.parametrize("table", TABLES)
def test_every_column_that_an_act_may_show_has_french_words(table: type[SQLModel]) -> None:
    shown = set(audit.read_columns(table.model_construct(**dict.fromkeys(table.model_fields))))
    assert shown - set(act_words.COLUMNS) - act_words.SILENT == set()


def test_the_export_needs_a_recent_proof(event: Event) -> None:
    with reading() as session, pytest.raises(ProofRequired):
        acts.export_csv(session, replace(HELENE, needs_proof=True))
