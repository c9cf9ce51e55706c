"""A table of members or companies: what each line would do, then all good lines, or none."""

import re

import pytest
from sqlmodel import select

from clubapp.database import reading, transaction
from clubapp.models import Company, Member, PendingImport
from clubapp.refusals import Forbidden, Invalid, NotFound
from clubapp.services.base.actors import VISITOR, Actor
from clubapp.services.base.form_fields import InvalidForm
from clubapp.services.import_export import import_corrections, import_run, spreadsheet_reader
from clubapp.services.import_export.import_matching import ANOTHER, COMPANIES, MEMBERS
from clubapp.services.members import editing, listing
from tests.factories import add_company, add_member
from tests.services.import_export.import_tables import (
    HEADINGS,
    HELENE,
    again,
    choose,
    confirm,
    correct,
    csv_of,
    everyone,
    line,
    send,
    xlsx_of,
)


@pytest.mark.parametrize("who", [VISITOR, Actor("marie@durand.example", member_id="m", session_id="s")])
def test_only_an_administrator_imports(club: str, who: Actor) -> None:
    for act in (
        lambda session: import_run.store_table(session, who, MEMBERS, spreadsheet_reader.read_sheet(csv_of(line()))),
        lambda session: import_run.build_plan(session, who, "x"),
        lambda session: import_run.run_import(session, who, "x"),
        lambda session: import_corrections.discard_import(session, who, "x"),
        lambda session: import_corrections.correct_line(session, who, "x", 2, {}),
        lambda session: import_corrections.leave_line_out(session, who, "x", 2),
        lambda session: import_corrections.choose_person(session, who, "x", 2, "y"),
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
    same = {"name": "LEFÈBVRE Zoé", "email": "ZOE@Atelier.example", "phone": "0033327411234", "description": ""}
    plan = send(csv_of(line(role="Présidente", **same)))
    assert [(each.outcome, each.details) for each in plan.lines] == [("update", "Fonction\u00a0: Gérante → Présidente")]
    confirm(plan)
    with reading() as session:
        kept = session.exec(select(Member)).one()
        assert (kept.role, kept.phone, kept.description) == ("Présidente", "03 27 41 12 34", "Menuiserie.")


def test_a_line_with_an_address_and_another_name_renames_nobody(atelier: None) -> None:
    confirm(send(csv_of(line())))
    plan = send(csv_of(line(name="Denis Double")))
    assert "Cette adresse est celle de Zoé Lefèbvre" in plan.lines[0].details
    correct(plan, 2, name="Zoé Lefèbvre-Double")
    assert again(plan).lines[0].details == "Nom complet\u00a0: Zoé Lefèbvre → Zoé Lefèbvre-Double"


def test_a_line_without_an_address_is_about_the_member_of_its_name(atelier: None) -> None:
    with transaction() as session:
        add_member(session, "Zoé Lefèbvre", None, role="Gérante", company="Atelier", description="Menuiserie.")
    plan = send(csv_of(line(name="ZOE LEFEBVRE", email="", role="Présidente")))
    assert plan.lines[0].outcome == "update"
    with transaction() as session:
        add_member(session, "Zoé Lefèbvre", "autre@atelier.example", company="Ailleurs")
    assert send(csv_of(line(email="", company=""))).lines[0].outcome == "refuse"


def test_a_namesake_with_another_address_waits_for_an_answer(atelier: None) -> None:
    with transaction() as session:
        known = add_member(session, "Zoé Lefèbvre", "z@ailleurs.example", company="Ailleurs").id
    plan = send(csv_of(line()))
    asked = plan.lines[0]
    assert (asked.outcome, asked.may_be_another) == ("refuse", True)
    assert "Est-ce la même personne\u00a0?" in asked.details
    assert [each.text for each in asked.namesakes] == ["Zoé Lefèbvre, Ailleurs, z@ailleurs.example"]
    choose(plan, 2, known)
    same = again(plan).lines[0]
    assert (same.outcome, same.namesakes[0].is_record, same.may_be_another) == ("update", True, True)
    assert "E-mail\u00a0: z@ailleurs.example → zoe@atelier.example" in same.details
    choose(plan, 2, ANOTHER)
    other = again(plan).lines[0]
    assert (other.outcome, other.namesakes[0].is_record, other.may_be_another) == ("create", False, False)
    choose(plan, 2, "nobody")
    assert again(plan).lines[0].outcome == "refuse"
    choose(plan, 2, ANOTHER)
    confirm(again(plan))
    assert everyone() == ["Zoé Lefèbvre"] * 2
    assert send(csv_of(line())).lines[0].outcome == "same"


def test_a_line_recognised_by_its_name_says_whom_it_means(atelier: None) -> None:
    with transaction() as session:
        known = add_member(session, "Zoé Lefèbvre", "z@ailleurs.example", company="Ailleurs").id
    plan = send(csv_of(line(email="")))
    told = plan.lines[0]
    assert (told.outcome, told.details.split(". ")[0]) == ("update", "Reconnue à son nom")
    assert [(each.id, each.is_record) for each in told.namesakes] == [(known, True)]
    choose(plan, 2, ANOTHER)
    assert again(plan).lines[0].outcome == "create"
    correct(plan, 2, name="ZOE LEFEBVRE")
    assert again(plan).lines[0].outcome == "update"


def test_of_several_namesakes_one_is_chosen(atelier: None) -> None:
    with transaction() as session:
        for number in (1, 2):
            kept = add_member(session, "Zoé Lefèbvre", f"z{number}@ailleurs.example", role="Gérante").id
    plan = send(csv_of(line(email="", company="")))
    assert (plan.lines[0].outcome, len(plan.lines[0].namesakes)) == ("refuse", 2)
    choose(plan, 2, kept)
    assert [each.id for each in again(plan).lines[0].namesakes if each.is_record] == [kept]


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ({"name": ""}, "Nom complet\u00a0: Indiquez le nom complet."),
        ({"email": "zoe"}, "E-mail\u00a0: "),
        ({"phone": "12"}, "Téléphone\u00a0: "),
    ],
)
def test_a_wrong_line_is_refused_with_its_reason(atelier: None, given: dict[str, str], reason: str) -> None:
    plan = send(csv_of(line(**given)))
    assert plan.refused == 1
    assert reason in plan.lines[0].details


def test_the_reason_of_a_refusal_names_the_value_that_is_refused(atelier: None) -> None:
    headings = ("Nom complet", "Domaine", "Téléphone", "E-mail")
    cells = ("", "Droit", "0" * 70, "zoe@atelier.example")
    (refused,) = send(csv_of(cells, headings=headings)).lines
    assert "«\u00a0Droit\u00a0». Choisissez un domaine de la liste." in refused.details
    assert f"Téléphone\u00a0: «\u00a0{'0' * 57}…\u00a0». Indiquez un numéro" in refused.details
    assert "«\u00a0\u00a0»" not in refused.details


def test_good_lines_go_in_while_a_wrong_one_stays_until_it_is_corrected(atelier: None) -> None:
    rows = [line(f"Membre {number}", f"m{number}@atelier.example") for number in range(60)]
    rows[38][5] = "appelez-moi"
    plan = send(xlsx_of(*rows))
    assert (plan.creates, plan.refused, plan.lines[38].number) == (59, 1, 40)
    assert [(each.name, each.value) for each in plan.lines[38].fields] == [("phone", "appelez-moi")]
    assert confirm(plan) == 59
    rest = again(plan)
    assert [each.number for each in rest.lines] == [40]
    correct(rest, 40, phone="03 20 55 55 01", image_url="/media/x.jpg", unknown="x")
    mended = again(rest)
    assert (mended.creates, mended.refused) == (1, 0)
    assert confirm(mended) == 1
    assert len(everyone()) == 60
    with reading() as session:
        assert session.exec(select(PendingImport)).all() == []
        assert session.exec(select(Member.image_url).where(Member.name == "Membre 38")).one() == ""


def test_a_wrong_line_may_be_left_out(atelier: None) -> None:
    plan = send(csv_of(line(), line("Léa Roux", "lea")))
    with transaction() as session:
        import_corrections.leave_line_out(session, HELENE, plan.id, 3)
    assert [each.number for each in again(plan).lines] == [2]
    with pytest.raises(NotFound), transaction() as session:
        import_corrections.correct_line(session, HELENE, plan.id, 3, {"email": "lea@atelier.example"})


def test_a_column_that_the_file_lacks_may_be_filled_in(atelier: None) -> None:
    plan = send(csv_of(["", "zoe@atelier.example"], headings=("Entreprise", "E-mail")))
    assert [each.name for each in plan.lines[0].fields] == ["name", "email"]
    correct(plan, 2, name="Zoé Lefèbvre")
    assert (again(plan).creates, again(plan).lines[0].name) == (1, "Zoé Lefèbvre")


def test_what_the_form_requires_is_not_required_of_a_file_and_shown_as_incomplete(club: str) -> None:
    plan = send(csv_of(["Zoé Lefèbvre", "zoe@atelier.example"], headings=("Nom", "E-mail")))
    assert (plan.lines[0].outcome, plan.lines[0].incomplete) == ("create", "fonction, entreprise, description")
    confirm(plan)
    brick = send(csv_of(["Brique"], headings=("Nom",)), COMPANIES)
    assert brick.lines[0].incomplete == "domaine d'activité, description"
    with reading() as session:
        assert listing.list_members(session, HELENE).rows[0].missing == "photo, fonction, entreprise, description"
        member_id = session.exec(select(Member.id)).one()
        form = editing.open_form(session, HELENE, member_id)
    with pytest.raises(InvalidForm), transaction() as session:
        editing.save(session, HELENE, form)


def test_companies_that_do_not_exist_are_proposed_and_made_with_their_members(club: str) -> None:
    headings = ("Nom", "E-mail", "Entreprise", "Domaine")
    rows = [
        ["Zoé Lefèbvre", "zoe@atelier.example", "Atelier Neuf", "Bâtiment & Travaux"],
        ["Léa Roux", "lea@atelier.example", "ATELIER neuf", ""],
        ["Paul Petit", "paul", "Jamais Faite", ""],
        ["Ana Roux", "ana@ailleurs.example", "Ailleurs", ""],
    ]
    plan = send(csv_of(*rows, headings=headings))
    assert plan.new_companies == "Atelier Neuf, Ailleurs"
    assert plan.lines[0].details == "Avec une nouvelle entreprise\u00a0: Atelier Neuf."
    confirm(plan)
    with reading() as session:
        made = session.exec(select(Company).where(Company.name == "Atelier Neuf")).one()
        assert made.activity_domain == "Bâtiment & Travaux"
        of_it = session.exec(select(Member.company).where(Member.company_id == made.id)).all()
        assert of_it == ["Atelier Neuf"] * 2


@pytest.mark.parametrize("heading", ["Métier", "Profession", "Fonction", "Activité"])
def test_the_heading_of_a_trade_is_known(club: str, heading: str) -> None:
    assert send(csv_of(["Zoé Lefèbvre", "Plombière"], headings=("Nom", heading))).ignored == ""
    assert send(csv_of(["Brique", "Façades"], headings=("Nom", heading)), COMPANIES).ignored == ""


def test_a_first_name_in_a_column_of_its_own_comes_before_the_name(atelier: None) -> None:
    rows = [["Lefèbvre", "Zoé", "z@x.example"], ["Roux Léa", "Léa", "l@x.example"], ["Petit", "", "p@x.example"]]
    rest = ["Gérante", "Atelier", "Menuiserie."]
    headings = ("NOM", "Prénom", "E-mail", "Rôle", "Entreprise", "Description")
    plan = send(csv_of(*[row + rest for row in rows], ["", "Seul", "s@x.example", *rest], headings=headings))
    assert [each.outcome for each in plan.lines] == ["create", "create", "create", "refuse"]
    assert plan.ignored == ""
    confirm(send(csv_of(*[row + rest for row in rows], headings=headings)))
    assert everyone() == ["Petit", "Roux Léa", "Zoé Lefèbvre"]


def test_a_first_name_of_two_words_is_kept_apart(atelier: None) -> None:
    headings = ("NOM", "Prénom", "E-mail", "Rôle", "Entreprise", "Description")
    rest = ["Gérante", "Atelier", "Menuiserie."]
    confirm(send(csv_of(["Petit", "Marie Claire", "m@x.example", *rest], headings=headings)))
    with reading() as session:
        (member,) = session.exec(select(Member)).all()
    assert (member.name, member.first_name) == ("Marie Claire Petit", "Marie Claire")


def test_a_number_that_a_spreadsheet_took_for_a_sum_has_its_zero_again(atelier: None) -> None:
    row = ["Zoé Lefèbvre", "Gérante", "Atelier", "Menuiserie.", "zoe@atelier.example", 612345678, ""]
    confirm(send(xlsx_of(row)))
    with reading() as session:
        assert session.exec(select(Member.phone)).one() == "06 12 34 56 78"
    assert send(xlsx_of(row)).same == 1


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
    assert (plan.lines[0].outcome, plan.lines[1].details) == ("create", "Même fiche que la ligne 2, Zoé Lefèbvre.")


def test_a_line_with_the_address_of_another_line_never_overwrites_the_record_that_one_made(atelier: None) -> None:
    rows = [line(), line(name="Hélène Dupont")]
    plan = send(csv_of(*rows))
    confirm(plan)
    twice = "Même fiche que la ligne 2, Zoé Lefèbvre."
    (left,) = again(plan).lines
    assert (left.outcome, left.details.endswith(twice)) == ("refuse", True)
    correct(plan, 3, name="Hélène Dupont")
    assert again(plan).refused == 1
    correct(plan, 3, email="helene@atelier.example")
    assert confirm(again(plan)) == 1
    assert everyone() == ["Hélène Dupont", "Zoé Lefèbvre"]
    plan = send(csv_of(*rows, line(name="Un autre", email="autre@atelier.example")))
    confirm(plan)  # the first line changes nothing
    (left,) = again(plan).lines
    assert (left.outcome, left.details.endswith(twice)) == ("refuse", True)


def test_a_line_that_may_be_about_either_of_two_stands_in_nobody_s_way(atelier: None) -> None:
    confirm(send(csv_of(line())))
    with transaction() as session:
        company = session.exec(select(Company)).one()
        add_member(session, "Zoé Lefèbvre", None, company=company.name, company_id=company.id)
    plan = send(csv_of(line(email=""), line()))
    assert [each.outcome for each in plan.lines] == ["refuse", "same"]


def test_sixty_members_are_told_of_as_they_come(atelier: None) -> None:
    plan = send(xlsx_of(*[line(f"Membre {number}", f"m{number}@atelier.example") for number in range(60)]))
    told: list[int] = []
    with transaction() as session:
        assert import_run.run_import(session, HELENE, plan.id, told.append) == 60
    assert told == list(range(1, 61))
    assert len(everyone()) == 60


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


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", spreadsheet_reader.EMPTY),
        (b"Nom complet;Fonction\r\n", spreadsheet_reader.EMPTY),
        (b"%PDF-1.7\n%\xe2\xe3\nNom complet;R\r\nZoe;G\r\n", "C’est un PDF, ce n’est pas un tableau"),
        (b"\x89PNG\r\n\x1a\n\0\0", spreadsheet_reader.UNREADABLE),
        (b"PK\x03\x04 not a workbook", spreadsheet_reader.UNREADABLE),
        (b"x" * (spreadsheet_reader.MOST_BYTES + 1), spreadsheet_reader.TOO_HEAVY),
        (b"Nom complet\r\n" + b"Zoe\r\n" * (spreadsheet_reader.MOST_ROWS + 1), spreadsheet_reader.TOO_LONG),
        (b"Couleur;Taille\r\nbleu;12\r\n", "Aucune colonne n’est reconnue."),
    ],
)
def test_a_file_that_is_no_table_is_refused(club: str, content: bytes, sentence: str) -> None:
    with pytest.raises(Invalid, match=re.escape(sentence[:30])), transaction() as session:
        import_run.store_table(session, HELENE, MEMBERS, spreadsheet_reader.read_sheet(content))
    with reading() as session:
        assert session.exec(select(PendingImport)).all() == []


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-8", "cp1252"])
@pytest.mark.parametrize("delimiter", [";", ",", "\t"])
def test_a_table_is_read_as_spreadsheets_write_it(encoding: str, delimiter: str) -> None:
    text = f'Nom complet{delimiter}Fonction\r\n\r\n"Zoé{delimiter} Élan"{delimiter}\'=Gérante\r\n'
    sheet = spreadsheet_reader.read_sheet(text.encode(encoding))
    assert sheet.rows == ((3, {"Nom complet": f"Zoé{delimiter} Élan", "Fonction": "=Gérante"}),)


def test_titles_above_the_headings_are_passed_over(club: str) -> None:
    rows = (
        ["Mis à jour en mai"],
        ["Nom complet", "Tél. portable", "E-mail *"],
        ["Zoé", "03 20 55 55 01", "z@a.example"],
    )
    plan = send(xlsx_of(*rows, headings=["Membres du club 2026"]))
    assert [(each.number, each.name, each.outcome_label) for each in plan.lines] == [(4, "Zoé", "À créer")]
    assert plan.ignored == ""
    confirm(plan)
    with reading() as session:
        assert session.exec(select(Member.phone, Member.email)).one() == ("03 20 55 55 01", "z@a.example")


def test_cells_of_a_workbook_are_read_as_they_show() -> None:
    sheet = spreadsheet_reader.read_sheet(xlsx_of([327411234.0, True, None, "Élan"], headings=list("abcd")))
    assert sheet.rows[0][1] == {"a": "327411234", "b": "oui", "c": "", "d": "Élan"}


def test_a_record_that_lacks_something_is_left_alone_by_a_line_that_says_the_same(club: str) -> None:
    with transaction() as session:
        add_member(session, "Zoé Lefèbvre", "zoe@atelier.example", role="Gérante")
    told = send(csv_of(line(company="", description=""))).lines[0]
    assert told.outcome == "same"
    assert send(csv_of(line(company="", description="", role="Présidente"))).lines[0].outcome == "update"
