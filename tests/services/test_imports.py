"""A table of members or companies: what each line would do, then all of it or nothing."""

import re
import threading
from collections.abc import Sequence
from dataclasses import replace
from io import BytesIO

import pytest
from openpyxl import Workbook
from sqlmodel import select

from clubapp.database import reading, transaction
from clubapp.models import Company, Member, PendingImport
from clubapp.refusals import Conflict, Forbidden, Invalid, NotFound
from clubapp.services import imports, members, spreadsheets
from clubapp.services.actors import VISITOR, Actor
from clubapp.services.import_books import COMPANIES, MEMBERS
from clubapp.services.imports import Plan
from tests.factories import add_company, add_member

HELENE = Actor("helene@beffroi.example", is_admin=True, session_id="s")
HEADINGS = ("Nom complet", "Rôle", "Entreprise", "Description", "E-mail", "Téléphone", "Services proposés")


def csv_of(*rows: Sequence[str], headings: Sequence[str] = HEADINGS) -> bytes:
    return "\r\n".join(";".join(row) for row in (headings, *rows)).encode("utf-8-sig")


def xlsx_of(*rows: Sequence[object], headings: Sequence[str] = HEADINGS) -> bytes:
    book = Workbook()
    sheet = book.active
    assert sheet is not None
    for row in (headings, *rows):
        sheet.append(list(row))
    kept = BytesIO()
    book.save(kept)
    return kept.getvalue()


def line(name: str = "Zoé Lefèbvre", email: str = "zoe@atelier.example", **given: str) -> list[str]:
    cells = {"role": "Gérante", "company": "Atelier", "description": "Menuiserie.", "phone": "", "services": ""} | given
    return [name, cells["role"], cells["company"], cells["description"], email, cells["phone"], cells["services"]]


def send(content: bytes, kind: str = MEMBERS) -> Plan:
    sheet = spreadsheets.read(content)
    with transaction() as session:
        made = imports.receive(session, HELENE, kind, sheet)
    with reading() as session:
        return imports.plan(session, HELENE, made)


def confirm(plan: Plan) -> int:
    with transaction() as session:
        return imports.carry_out(session, HELENE, plan.id)


def change_the_member(email: str = "zoe@atelier.example", **values: str) -> None:
    """Another administrator saves the form of a member."""
    with transaction() as session:
        member = session.exec(select(Member).where(Member.email == email)).one()
        form = replace(members.form(session, HELENE, member.id), **values)
        members.save(session, HELENE, form)


def everyone() -> list[str]:
    with reading() as session:
        return sorted(session.exec(select(Member.name)).all())


@pytest.fixture
def atelier(club: str) -> None:
    with transaction() as session:
        add_company(session, "Atelier", activity_domain="Bâtiment & Travaux")


@pytest.mark.parametrize("who", [VISITOR, Actor("marie@durand.example", member_id="m", session_id="s")])
def test_only_an_administrator_imports(club: str, who: Actor) -> None:
    for act in (
        lambda session: imports.receive(session, who, MEMBERS, spreadsheets.read(csv_of(line()))),
        lambda session: imports.plan(session, who, "x"),
        lambda session: imports.carry_out(session, who, "x"),
        lambda session: imports.give_up(session, who, "x"),
    ):
        with pytest.raises(Forbidden), transaction() as session:
            act(session)


@pytest.mark.parametrize("make", [csv_of, xlsx_of])
def test_nothing_is_written_before_it_is_confirmed_and_the_same_file_twice_changes_nothing(
    atelier: None, make: type
) -> None:
    content = make(line(phone="03 27 41 12 34", services="Portes, Fenêtres"))
    plan = send(content)
    assert (plan.creates, plan.updates, plan.same, plan.refused) == (1, 0, 0, 0)
    assert everyone() == []
    assert confirm(plan) == 1
    with reading() as session:
        made = session.exec(select(Member)).one()
        assert (made.company, made.activity_domain) == ("Atelier", "Bâtiment & Travaux")
        assert made.services == ["Portes", "Fenêtres"]
    again = send(content)
    assert (again.creates, again.updates, again.same) == (0, 0, 1)
    assert confirm(again) == 0


def test_a_line_updates_the_member_of_its_address_and_says_what_changes(atelier: None) -> None:
    confirm(send(csv_of(line(phone="03 27 41 12 34"))))
    plan = send(csv_of(line(email="ZOE@Atelier.example", role="Présidente", phone="0033327411234", description="")))
    assert [(each.outcome, each.details) for each in plan.lines] == [("update", "Rôle\u00a0: Gérante → Présidente")]
    confirm(plan)
    with reading() as session:
        kept = session.exec(select(Member)).one()
        assert (kept.role, kept.phone, kept.description) == ("Présidente", "03 27 41 12 34", "Menuiserie.")


def test_a_line_without_an_address_is_about_the_member_of_its_name(atelier: None) -> None:
    with transaction() as session:
        add_member(session, "Zoé Lefèbvre", None, role="Gérante", company="Atelier", description="Menuiserie.")
    plan = send(csv_of(line(name="ZOE LEFEBVRE", email="", role="Présidente")))
    assert plan.lines[0].outcome == "update"
    with transaction() as session:
        add_member(session, "Zoé Lefèbvre", "autre@atelier.example", company="Ailleurs")
    assert send(csv_of(line(email="", company=""))).lines[0].outcome == "refuse"


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ({"name": ""}, "Nom complet\u00a0: Indiquez le nom complet."),
        ({"company": "Inconnue"}, "L'entreprise «\u00a0Inconnue\u00a0» n'est pas dans la liste"),
        ({"description": ""}, "Description\u00a0: Présentez ce membre en quelques phrases."),
        ({"email": "zoe"}, "E-mail\u00a0: "),
        ({"phone": "12"}, "Téléphone\u00a0: "),
    ],
)
def test_a_wrong_line_is_refused_with_its_reason(atelier: None, given: dict[str, str], reason: str) -> None:
    plan = send(csv_of(line(**given)))
    assert plan.refused == 1
    assert reason in plan.lines[0].details


def test_a_broken_line_leaves_nothing_behind(atelier: None) -> None:
    rows = [line(f"Membre {number}", f"m{number}@atelier.example") for number in range(300)]
    rows[198][1] = ""
    plan = send(xlsx_of(*rows))
    assert (plan.creates, plan.refused, plan.lines[198].number) == (299, 1, 200)
    with pytest.raises(Conflict, match="ligne 200"):
        confirm(plan)
    assert everyone() == []


def test_a_line_that_would_be_refused_since_the_preview_writes_nothing(atelier: None) -> None:
    plan = send(csv_of(line()))
    with transaction() as session:
        session.delete(session.exec(select(Company)).one())
    with pytest.raises(Conflict, match=re.escape(imports.CHANGED)):
        confirm(plan)
    assert everyone() == []


@pytest.mark.parametrize("theirs", [{"role": "Associée"}, {"phone": "03 20 55 55 01"}])
def test_what_another_changed_since_the_preview_is_not_overwritten(atelier: None, theirs: dict[str, str]) -> None:
    confirm(send(csv_of(line(phone="03 27 41 12 34"))))
    plan = send(csv_of(line(role="Présidente", phone="03 27 41 12 34"), line("Léa Roux", "lea@atelier.example")))
    change_the_member(**theirs)
    with pytest.raises(Conflict, match=re.escape(imports.CHANGED)):
        confirm(plan)
    assert everyone() == ["Zoé Lefèbvre"]
    with reading() as session:
        kept = session.exec(select(Member)).one()
        assert {name: getattr(kept, name) for name in theirs} == theirs
        anew = imports.plan(session, HELENE, plan.id)
    assert next(iter(theirs.values())) in anew.lines[0].details
    assert confirm(anew) == 2


def test_someone_created_since_the_preview_is_not_overwritten(atelier: None) -> None:
    plan = send(csv_of(line()))
    with transaction() as session:
        add_member(session, "Zoé Lefèbvre", "zoe@atelier.example", role="Associée")
    with pytest.raises(Conflict, match=re.escape(imports.CHANGED)):
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


@pytest.mark.parametrize("club", ["postgres"], indirect=True)  # SQLite lets one writer in at a time
def test_what_another_changes_while_lines_are_written_is_not_overwritten(club: str, atelier: None) -> None:
    confirm(send(csv_of(line(), line("Léa Roux", "lea@atelier.example"))))
    plan = send(csv_of(line(role="Présidente"), line("Léa Roux", "lea@atelier.example", role="Présidente")))

    def interfere(done: int) -> None:
        if done == 1:
            change_the_member("lea@atelier.example", role="Associée")

    with pytest.raises(Conflict, match=re.escape(imports.CHANGED)), transaction() as session:
        imports.carry_out(session, HELENE, plan.id, interfere)
    with reading() as session:
        assert sorted(session.exec(select(Member.role)).all()) == ["Associée", "Gérante"]


def test_of_two_columns_for_one_field_the_first_counts_and_the_other_is_named(atelier: None) -> None:
    headings = (*HEADINGS, "Portable", "Tél")
    row = [*line(phone="03 27 41 12 34"), "06 12 34 56 78", "06 87 65 43 21"]
    plan = send(csv_of(row, headings=headings))
    assert plan.ignored == "Portable, Tél"
    confirm(plan)
    with reading() as session:
        assert session.exec(select(Member.phone)).one() == "03 27 41 12 34"


def test_the_same_person_twice_in_a_file_is_refused(atelier: None) -> None:
    plan = send(csv_of(line(), line(email="zoe@ATELIER.example")))
    assert (plan.lines[0].outcome, plan.lines[1].details) == ("create", "Même fiche que la ligne 2.")


def test_a_line_that_may_be_about_either_of_two_stands_in_nobody_s_way(atelier: None) -> None:
    confirm(send(csv_of(line())))
    with transaction() as session:
        company = session.exec(select(Company)).one()
        add_member(session, "Zoé Lefèbvre", None, company=company.name, company_id=company.id)
    plan = send(csv_of(line(email=""), line()))
    assert [each.outcome for each in plan.lines] == ["refuse", "same"]


def test_three_hundred_members_are_told_of_as_they_come(atelier: None) -> None:
    plan = send(xlsx_of(*[line(f"Membre {number}", f"m{number}@atelier.example") for number in range(300)]))
    told: list[int] = []
    with transaction() as session:
        assert imports.carry_out(session, HELENE, plan.id, told.append) == 300
    assert told == list(range(1, 301))
    assert len(everyone()) == 300


def test_companies_are_found_by_their_name(club: str) -> None:
    with transaction() as session:
        add_company(session, "Élan Conseil", activity_domain="Formation & Conseil", description="Conseil.")
    headings = ("Nom de l'entreprise", "Domaine d’activité", "Description", "Année de création", "Inconnue")
    rows = [
        ["ELAN CONSEIL", "", "", "1998", "?"],
        ["Brasserie du Nord", "Logistique & Transport", "Bières.", "2003", ""],
        ["Sans domaine", "Cuisine", "Repas.", "deux", ""],
    ]
    plan = send(csv_of(*rows, headings=headings), COMPANIES)
    assert [each.outcome for each in plan.lines] == ["update", "create", "refuse"]
    assert plan.ignored == "Inconnue"
    assert "Année de création\u00a0: (vide) → 1998" in plan.lines[0].details
    confirm(send(csv_of(*rows[:2], headings=headings), COMPANIES))
    with reading() as session:
        assert sorted(session.exec(select(Company.name, Company.founded_year)).all()) == [
            ("Brasserie du Nord", 2003),
            ("ELAN CONSEIL", 1998),
        ]


def test_an_import_is_its_senders_and_is_confirmed_once(atelier: None) -> None:
    plan = send(csv_of(line()))
    other = Actor("lea@beffroi.example", is_admin=True, session_id="t")
    with pytest.raises(NotFound), reading() as session:
        imports.plan(session, other, plan.id)
    with transaction() as session:
        imports.give_up(session, other, plan.id)
    confirm(plan)
    with pytest.raises(NotFound):
        confirm(plan)
    with reading() as session:
        assert session.exec(select(PendingImport)).all() == []


def test_two_tabs_that_confirm_one_import_at_once_write_it_once(club: str) -> None:
    row = ["Zed", "Digital & Communication", "Logiciels."]
    plan = send(csv_of(row, headings=("Nom", "Domaine", "Description")), COMPANIES)
    assert plan.creates == 1
    both, gone = threading.Barrier(2), []

    def press() -> None:
        with transaction() as session:
            try:
                imports.plan(session, HELENE, plan.id)
                if club == "postgres":  # SQLite lets one writer in at a time
                    both.wait()
                imports.carry_out(session, HELENE, plan.id)
            except NotFound as refusal:
                gone.append(refusal.text)

    tabs = [threading.Thread(target=press) for _ in range(2)]
    for tab in tabs:
        tab.start()
    for tab in tabs:
        tab.join()
    assert gone == [imports.GONE]
    with reading() as session:
        assert [company.name for company in session.exec(select(Company))] == ["Zed"]


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", spreadsheets.EMPTY),
        ("Nom complet;Rôle\r\n".encode(), spreadsheets.EMPTY),
        (b"\x89PNG\r\n\x1a\n\0\0", spreadsheets.UNREADABLE),
        (b"PK\x03\x04 not a workbook", spreadsheets.UNREADABLE),
        (b"x" * (spreadsheets.MOST_BYTES + 1), spreadsheets.TOO_HEAVY),
        (b"Nom complet\r\n" + b"Zoe\r\n" * (spreadsheets.MOST_ROWS + 1), spreadsheets.TOO_LONG),
        (b"Couleur;Taille\r\nbleu;12\r\n", "Aucune colonne n'est reconnue."),
    ],
)
def test_a_file_that_is_no_table_is_refused(club: str, content: bytes, sentence: str) -> None:
    with pytest.raises(Invalid, match=re.escape(sentence[:30])), transaction() as session:
        imports.receive(session, HELENE, MEMBERS, spreadsheets.read(content))
    with reading() as session:
        assert session.exec(select(PendingImport)).all() == []


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-8", "cp1252"])
@pytest.mark.parametrize("delimiter", [";", ",", "\t"])
def test_a_table_is_read_as_spreadsheets_write_it(encoding: str, delimiter: str) -> None:
    text = f'Nom complet{delimiter}Rôle\r\n\r\n"Zoé{delimiter} Élan"{delimiter}\'=Gérante\r\n'
    sheet = spreadsheets.read(text.encode(encoding))
    assert sheet.rows == ((3, {"Nom complet": f"Zoé{delimiter} Élan", "Rôle": "=Gérante"}),)


def test_cells_of_a_workbook_are_read_as_they_show() -> None:
    sheet = spreadsheets.read(xlsx_of([327411234.0, True, None, "Élan"], headings=list("abcd")))
    assert sheet.rows[0][1] == {"a": "327411234", "b": "oui", "c": "", "d": "Élan"}


def test_a_record_that_lacks_something_is_left_alone_by_a_line_that_says_the_same(club: str) -> None:
    with transaction() as session:
        add_member(session, "Zoé Lefèbvre", "zoe@atelier.example", role="Gérante")
    told = send(csv_of(line(company="", description=""))).lines[0]
    assert told.outcome == "same"
    assert send(csv_of(line(company="", description="", role="Présidente"))).lines[0].outcome == "refuse"
