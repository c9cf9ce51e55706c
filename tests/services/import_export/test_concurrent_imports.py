"""An import that other administrators, or another tab, overtake: it does what was shown, or nothing."""

import re
import threading

import pytest
from sqlmodel import select

from clubapp.database import reading, transaction
from clubapp.models import Company, Member, PendingImport
from clubapp.refusals import Conflict, NotFound
from clubapp.services.base.actors import Actor
from clubapp.services.import_export import import_corrections, import_run
from clubapp.services.import_export.import_matching import COMPANIES, MEMBERS
from tests.conftest import on_postgres
from tests.factories import add_member
from tests.services.import_export.import_tables import HELENE, change_the_member, confirm, csv_of, everyone, line, send


def test_a_line_that_would_be_refused_since_the_preview_writes_nothing(atelier: None) -> None:
    plan = send(csv_of(line()))
    with transaction() as session:
        session.delete(session.exec(select(Company)).one())
    with pytest.raises(Conflict, match=re.escape(import_run.CHANGED)):
        confirm(plan)
    assert everyone() == []


@pytest.mark.parametrize("theirs", [{"role": "Associée"}, {"phone": "03 20 55 55 01"}])
def test_what_another_changed_since_the_preview_is_not_overwritten(atelier: None, theirs: dict[str, str]) -> None:
    confirm(send(csv_of(line(phone="03 27 41 12 34"))))
    plan = send(csv_of(line(role="Présidente", phone="03 27 41 12 34"), line("Léa Roux", "lea@atelier.example")))
    change_the_member(**theirs)
    with pytest.raises(Conflict, match=re.escape(import_run.CHANGED)):
        confirm(plan)
    assert everyone() == ["Zoé Lefèbvre"]
    with reading() as session:
        kept = session.exec(select(Member)).one()
        assert {name: getattr(kept, name) for name in theirs} == theirs
        anew = import_run.build_plan(session, HELENE, plan.id)
    assert next(iter(theirs.values())) in anew.lines[0].details
    assert confirm(anew) == 2


def test_someone_created_since_the_preview_is_not_overwritten(atelier: None) -> None:
    plan = send(csv_of(line()))
    with transaction() as session:
        add_member(session, "Zoé Lefèbvre", "zoe@atelier.example", role="Associée")
    with pytest.raises(Conflict, match=re.escape(import_run.CHANGED)):
        confirm(plan)
    with reading() as session:
        assert session.exec(select(Member.role)).all() == ["Associée"]


def test_what_another_changed_where_the_file_says_nothing_stays(atelier: None) -> None:
    confirm(send(csv_of(line())))
    plan = send(csv_of(line(role="Présidente")))
    change_the_member(phone="03 20 55 55 01")
    assert confirm(plan) == 1
    with reading() as session:
        kept = session.exec(select(Member)).one()
        assert (kept.role, kept.phone) == ("Présidente", "03 20 55 55 01")


@on_postgres  # SQLite lets one writer in at a time
def test_what_another_changes_while_lines_are_written_is_not_overwritten(club: str, atelier: None) -> None:
    confirm(send(csv_of(line(), line("Léa Roux", "lea@atelier.example"))))
    plan = send(csv_of(line(role="Présidente"), line("Léa Roux", "lea@atelier.example", role="Présidente")))

    def interfere(done: int) -> None:
        if done == 1:
            change_the_member("lea@atelier.example", role="Associée")

    with pytest.raises(Conflict, match=re.escape(import_run.CHANGED)), transaction() as session:
        import_run.run_import(session, HELENE, plan.id, interfere)
    with reading() as session:
        assert sorted(session.exec(select(Member.role)).all()) == ["Associée", "Gérante"]


def test_an_import_is_its_senders_and_is_confirmed_once(atelier: None) -> None:
    plan = send(csv_of(line()))
    other = Actor("lea@beffroi.example", is_admin=True, session_id="t")
    with pytest.raises(NotFound), reading() as session:
        import_run.build_plan(session, other, plan.id)
    with transaction() as session:
        import_corrections.discard_import(session, other, plan.id)
    confirm(plan)
    with pytest.raises(NotFound):
        confirm(plan)
    with reading() as session:
        assert session.exec(select(PendingImport)).all() == []


def test_an_import_that_was_left_is_found_again_until_it_is_finished_or_another_begins(atelier: None) -> None:
    def left(kind: str = MEMBERS, who: Actor = HELENE) -> str:
        with reading() as session:
            return import_corrections.find_unfinished(session, who, kind)

    first = send(csv_of(line(), line("Léa Roux", "sans arobase")))
    confirm(first)
    assert left() == first.id.partition(".")[0], "the line that was refused waits"
    assert (left(COMPANIES), left(who=Actor("lea@beffroi.example", is_admin=True, session_id="t"))) == ("", "")
    second = send(csv_of(line("Léa Roux", "lea@atelier.example")))
    assert left() == second.id.partition(".")[0]
    confirm(second)
    assert left() == "", "an earlier file does not come back"


def test_two_tabs_that_confirm_one_import_at_once_write_it_once(club: str) -> None:
    row = ["Zed", "Digital & Communication", "Logiciels."]
    plan = send(csv_of(row, headings=("Nom", "Domaine", "Description")), COMPANIES)
    assert plan.creates == 1
    both, gone = threading.Barrier(2), []

    def press() -> None:
        with transaction() as session:
            try:
                import_run.build_plan(session, HELENE, plan.id)
                if club == "postgres":  # SQLite lets one writer in at a time
                    both.wait()
                import_run.run_import(session, HELENE, plan.id)
            except NotFound as refusal:
                gone.append(refusal.text)

    tabs = [threading.Thread(target=press) for _ in range(2)]
    for tab in tabs:
        tab.start()
    for tab in tabs:
        tab.join()
    assert gone == [import_run.GONE]
    with reading() as session:
        assert [company.name for company in session.exec(select(Company))] == ["Zed"]
