"""Members in and out of a spreadsheet, and the neighbours in trade shown while a member is typed."""

import csv
import re
from io import BytesIO, StringIO
from pathlib import Path

import pytest
from openpyxl import Workbook, load_workbook
from playwright.sync_api import Page, expect
from sqlmodel import col, delete, func, select

from clubapp.database import transaction
from clubapp.models import Company, CompetitionDecision, Member, PendingImport
from clubapp.services.base.actors import SYSTEM
from clubapp.services.demo import ADMIN_EMAIL
from clubapp.services.members import competition
from clubapp.services.members.admin_form import MemberForm
from tests.e2e.conftest import sign_in
from tests.e2e.invitation_steps import database_of, fits, has_no_barrier
from tests.e2e.site import Site
from tests.factories import add_member

HEADINGS = ["Nom complet", "Fonction", "Entreprise", "Description", "E-mail"]


@pytest.fixture
def admin(page: Page, site: Site) -> Page:
    with database_of(site), transaction() as session:
        session.connection().execute(delete(PendingImport))
    return sign_in(page, site, ADMIN_EMAIL)


def workbook(folder: Path, company: str, *, broken: int = 0, marker: str = "Import", count: int = 25) -> Path:
    book = Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.append(HEADINGS)
    for number in range(2, count + 2):
        email = "sans arobase" if number == broken else f"{marker}-{number}@table.example".lower()
        sheet.append([f"{marker} {number:03}", "Gérante", company, "Une fiche.", email])
    path = folder / "membres.xlsx"
    book.save(path)
    return path


def a_company(site: Site) -> str:
    with database_of(site), transaction() as session:
        found = session.exec(select(Member.company).where(Member.company_id.is_not(None))).first()  # type: ignore[union-attr]
    assert found
    return found


def imported(site: Site, marker: str = "Import") -> int:
    with database_of(site), transaction() as session:
        return session.exec(select(func.count()).where(Member.name.startswith(marker))).one()  # type: ignore[attr-defined]


def test_good_lines_come_in_at_once_and_a_wrong_one_is_corrected_on_the_screen(
    admin: Page, site: Site, tmp_path: Path
) -> None:
    admin.goto("/admin/members?q=personne")
    admin.get_by_role("link", name="Importer").click()
    expect(admin.get_by_role("heading", name="Importer des membres")).to_be_visible()
    choose = admin.locator("input[type=file]")
    choose.set_input_files(workbook(tmp_path, a_company(site), broken=20))
    expect(admin.get_by_text("24 à créer, 0 à mettre à jour, 0 sans changement, 1 refusée.")).to_be_visible()
    wrong = admin.get_by_role("row").nth(1)
    expect(wrong).to_contain_text("E-mail\u00a0: «\u00a0sans arobase\u00a0». Indiquez une adresse e-mail valide")
    has_no_barrier(admin)
    assert imported(site) == 0
    others = admin.get_by_text("Les autres peuvent être importées sans les attendre.")
    expect(others).to_be_visible()
    go = admin.get_by_role("button", name="Importer 24 fiches")
    go.dblclick()
    expect(admin.get_by_text("24 fiches importées.")).to_be_visible(timeout=20_000)
    assert imported(site) == 24
    expect(admin.get_by_text("0 à créer, 0 à mettre à jour, 0 sans changement, 1 refusée.")).to_be_visible()
    expect(others).to_have_count(0)
    expect(admin.get_by_role("button", name="Rien à importer")).to_be_disabled()
    wrong.get_by_label("E-mail").focus()
    wrong.get_by_role("button", name="Corriger").focus()  # leaving a field that was left as it is keeps nothing
    wrong.get_by_label("E-mail").fill("import-20@")
    wrong.get_by_role("button", name="Corriger").focus()
    expect(admin.get_by_text("L’import ci-dessous vous attend")).to_be_visible()
    expect(admin.get_by_text("0 fiche importée.")).to_have_count(0)
    for outcome in ("Inchangées", "Refusées"):
        admin.get_by_role("button", name=outcome, exact=True).click()
    expect(wrong.get_by_label("E-mail")).to_have_value("import-20@")
    admin.reload()
    expect(wrong.get_by_label("E-mail")).to_have_value("import-20@")
    wrong.get_by_label("E-mail").fill("import-20@table.example")  # counted as it is typed
    expect(admin.get_by_role("button", name="Importer 1 fiche")).to_be_enabled()
    for typed in ("import-20@table", "import-20@table.example"):  # refused again, then corrected at once
        wrong.get_by_label("E-mail").fill(typed)
        wrong.get_by_role("button", name="Corriger").click()
    expect(admin.get_by_role("group", name="Lignes montrées").get_by_role("button").last).to_be_focused()
    admin.get_by_role("button", name="Importer 1 fiche").click()
    expect(admin.get_by_text("1 fiche importée.")).to_be_visible()
    assert imported(site) == 25
    choose.set_input_files(workbook(tmp_path, a_company(site)))
    expect(admin.get_by_text("0 à créer, 0 à mettre à jour, 25 sans changement, 0 refusée.")).to_be_visible()
    expect(admin.get_by_role("button", name="Abandonner")).to_be_in_viewport()  # before the lines, however many
    admin.set_viewport_size({"width": 320, "height": 640})
    fits(admin)
    admin.get_by_role("button", name="Abandonner").click()
    expect(admin.get_by_role("heading", name="Ce que l’import fera")).to_be_hidden()
    choose.set_input_files(workbook(tmp_path, a_company(site), marker="Seule", broken=2, count=1))
    admin.get_by_role("button", name="Ne pas importer").click()  # the last line: nothing waits any more
    expect(admin.get_by_role("heading", name="Ce que l’import fera")).to_have_count(0)
    expect(choose).to_have_count(1)
    with database_of(site), transaction() as session:
        for member in session.exec(select(Member).where(Member.name.startswith("Import"))):  # type: ignore[attr-defined]
            session.delete(member)


def test_what_is_typed_and_chosen_in_a_line_is_kept_and_what_changed_since_is_not_overwritten(
    admin: Page, site: Site, tmp_path: Path
) -> None:
    """A name without an end stays in its table; of a namesake one says who it is, and goes on from there."""
    with database_of(site), transaction() as session:
        for name in ("Homonyme Alpha", "Homonyme Bravo"):
            add_member(session, name, f"{name[-5:].lower()}@ancien.example", company="Ancienne Maison")
    company, endless = a_company(site), "Anticonstitutionnellement" * 9
    table = tmp_path / "table.csv"
    table.write_text(
        "Nom;E-mail;Fonction\n;x@@x4;Gérante\nHomonyme Alpha;alpha@neuf.example;\nHomonyme Bravo;bravo@neuf.example;\n"
    )
    admin.goto("/admin/import/membres")
    choose = admin.locator("input[type=file]")
    choose.set_input_files(workbook(tmp_path, company, marker=endless, count=1))
    for width in (1440, 320):
        admin.set_viewport_size({"width": width, "height": 800})
        expect(admin.get_by_role("cell").filter(has_text=endless)).to_be_visible()
        fits(admin)
    choose.set_input_files(table)
    numbers = [admin.get_by_role("cell", name=re.compile(f"^(Ligne )?{number}$")) for number in "234"]
    line, first, second = (admin.get_by_role("row").filter(has=number) for number in numbers)
    expect(first).to_contain_text("Du même nom\u00a0: Homonyme Alpha, Ancienne Maison, alpha@ancien.example")
    has_no_barrier(admin)
    fits(admin)
    admin.set_viewport_size({"width": 1280, "height": 720})

    line.get_by_label("Nom complet").press_sequentially("Nina Deux")
    admin.keyboard.press("Tab")
    admin.keyboard.type("nina@deux.example")
    expect(admin.get_by_role("button", name="Importer 1 fiche")).to_be_enabled()
    expect(line).to_contain_text("À créer")
    expect(line).not_to_contain_text("Indiquez")
    expect(line.get_by_label("E-mail")).to_be_focused()
    first.get_by_role("button", name="Autre personne").press("Enter")
    expect(admin.get_by_text("2 à créer, 0 à mettre à jour, 0 sans changement, 1 refusée.")).to_be_visible()
    same = second.get_by_role("button", name="Même personne")
    expect(same).to_be_focused()
    same.press("Enter")
    expect(admin.get_by_text("2 à créer, 1 à mettre à jour, 0 sans changement, 0 refusée.")).to_be_visible()
    expect(second).to_contain_text("bravo@ancien.example → bravo@neuf.example")
    admin.reload()
    expect(second).to_contain_text("bravo@ancien.example → bravo@neuf.example")
    expect(line).to_contain_text("Nina Deux")
    expect(admin.get_by_text("ou abandonnez-le pour choisir un autre fichier")).to_be_visible()
    expect(choose).to_have_count(0)
    admin.get_by_role("button", name="Abandonner").press("Enter")
    question = admin.get_by_role("alertdialog", name="Abandonner cet import")
    expect(question.get_by_role("button", name="Annuler")).to_be_focused()
    has_no_barrier(admin)
    question.get_by_role("button", name="Abandonner").click()
    expect(second).to_have_count(0)
    expect(choose).to_have_count(1)

    choose.set_input_files(workbook(tmp_path, company, marker="Course", count=2))
    go = admin.get_by_role("button", name="Importer 2 fiches")
    expect(go).to_be_enabled()
    with database_of(site), transaction() as session:
        add_member(session, "Course 002", "course-2@table.example", role="Associée")
    go.click()
    expect(admin.get_by_text("Rien n’a été importé\u00a0: des fiches ou des lignes ont changé")).to_be_visible()
    expect(admin.get_by_text("Associée → Gérante")).to_be_visible()
    assert imported(site, "Course") == 1
    go.click()
    expect(admin.locator(".toast-success")).to_contain_text("2 fiches importées.")
    assert imported(site, "Course") == 2


@pytest.mark.console_errors("422")
def test_what_is_exported_can_be_imported_again_and_what_is_no_table_is_refused_in_words(
    admin: Page, tmp_path: Path
) -> None:
    admin.goto("/admin/companies")
    taken = {}
    for kind in ("XLSX", "CSV"):
        with admin.expect_download() as download:
            admin.get_by_role("link", name=f"Exporter en {kind}").click()
        taken[kind] = download.value.path().read_bytes()
    count = load_workbook(BytesIO(taken["XLSX"])).worksheets[0].max_row - 1
    assert len(list(csv.reader(StringIO(taken["CSV"].decode("utf-8-sig")), delimiter=";"))) == count + 1
    admin.get_by_role("link", name="Importer").click()
    expect(admin.get_by_role("heading", name="Importer des entreprises")).to_be_visible()
    table, choose = tmp_path / "table.xlsx", admin.locator("input[type=file]")
    table.write_bytes(b"PK\x03\x04 no workbook")
    with admin.expect_response("**/imports/companies"):
        choose.set_input_files(table)
    expect(admin.get_by_role("alert").get_by_text("Ce fichier n’a pas pu être lu")).to_be_visible()
    table.write_bytes(taken["XLSX"])
    choose.set_input_files(table)
    expect(admin.get_by_text(f"0 à créer, 0 à mettre à jour, {count} sans changement, 0 refusée.")).to_be_visible()


def test_the_neighbours_in_trade_are_shown_while_one_types_and_the_decision_is_kept(admin: Page, site: Site) -> None:
    """What waits to be decided stands above the list, and leads to the question."""
    with database_of(site), transaction() as session:
        one = session.exec(select(Member).where(Member.activity_domain == "Sécurité & Qualité")).first()
        assert one is not None
        term = (one.services or one.expertise)[0]
        trade = {"activity_domain": "Formation & Conseil", "services": ["Vigie"]}
        add_member(session, "Voisine Aînée", None, **trade)
        other = MemberForm(
            name="Voisine Cadette", role="Gérante", company_id=session.exec(select(Company.id)).first() or "",
            activity_domain="Formation & Conseil", description="Une voisine.", services="Vigie",
        )  # fmt: skip
        competition.save_member(session, SYSTEM, other, ())
    admin.goto("/admin/members?q=voisine")
    admin.get_by_role("button", name="Nouveau membre").click()
    form = admin.locator(".record-form form")
    expect(form.get_by_text("Aucun membre n’exerce une activité proche de celle-ci.")).to_be_visible()
    for name, value in {"name": "Voisine Neuve", "role": "Gérante", "description": "Une voisine."}.items():
        form.locator(f"[name={name}]").fill(value)
    form.locator("[name=company_id]").select_option(label="Pixel du Beffroi")
    form.locator("[name=activity_domain]").select_option("Sécurité & Qualité")
    form.locator("[name=services]").fill(term.upper())
    rival = form.locator(".rival").filter(has_text=one.name)
    expect(rival).to_contain_text("Même domaine")
    expect(rival).to_contain_text(term)
    rival.get_by_label(f"Décision pour {one.name}").select_option("accepted")
    form.get_by_role("button", name="Créer").click()
    reason = rival.get_by_label(f"Raison pour {one.name}")
    expect(reason).to_be_focused()
    expect(reason).to_have_attribute("aria-invalid", "true")
    expect(reason).to_have_accessible_description("Indiquez pourquoi cette concurrence est acceptée.")
    expect(admin.locator(".toast-error")).to_contain_text("Indiquez pourquoi cette concurrence est acceptée.")
    has_no_barrier(admin)
    reason.fill("Clientèles différentes")
    form.get_by_role("button", name="Créer").click()
    expect(admin.get_by_text("Membre créé avec succès !")).to_be_visible()
    admin.locator("[data-record-id]").filter(has_text="Voisine Neuve").locator("[data-row]").click()
    expect(rival).to_contain_text(f"Concurrence acceptée, décidé par {ADMIN_EMAIL}")
    decision = rival.get_by_label(f"Décision pour {one.name}")
    expect(decision).to_have_value("accepted")
    form.locator("[name=services]").fill("Une autre activité")
    expect(rival).to_contain_text("à revoir")
    expect(decision).to_have_value("undecided")
    form.locator(".rivals-summary").click()
    decision.select_option("compatible")
    rival.get_by_label(f"Raison pour {one.name}").fill("Autre ville")
    form.locator("[name=services]").fill(term.upper())
    expect(rival.locator("mark")).to_have_count(1)  # drawn anew among the near ones, with what was decided here
    expect(decision).to_have_value("compatible")
    expect(rival.get_by_label(f"Raison pour {one.name}")).to_have_value("Autre ville")
    form.locator("[name=services]").fill(f"{term}, autre chose")
    decision.focus()
    decision.select_option("accepted")
    reason.fill("")
    reason.press_sequentially("Clientèles différentes", delay=60)  # longer than the list takes to be drawn anew
    expect(reason).to_have_value("Clientèles différentes")
    form.locator("[name=services]").fill(term.upper())
    form.locator("[name=description]").fill("Une voisine de longue date.")
    form.get_by_role("button", name="Mettre à jour").click()
    expect(admin.get_by_text("Membre mis à jour avec succès !")).to_be_visible()
    with database_of(site), transaction() as session:
        kept = session.exec(select(CompetitionDecision)).one()
        assert (kept.other_id, kept.reason) == (one.id, "Clientèles différentes")

    admin.set_viewport_size({"width": 390, "height": 844})
    expect(admin.get_by_role("region", name="Concurrence à décider").get_by_role("listitem").first).to_be_visible()
    if (others := admin.get_by_text(re.compile(r"^\d+ autres?$"))).count():
        others.click()
    admin.get_by_role("button", name=re.compile("Voisine (Aînée|Cadette).*Voisine (Aînée|Cadette)")).click()
    expect(admin.locator(".record-form legend", has_text="Concurrence")).to_be_focused()
    expect(admin.get_by_label(re.compile("Décision pour Voisine (Aînée|Cadette)"))).to_be_in_viewport()
    admin.get_by_role("button", name="Annuler").click()
    admin.locator("[data-row]").first.click()
    expect(admin.get_by_role("heading", name="Modifier")).to_be_focused()
    with database_of(site), transaction() as session:
        for row in session.exec(select(Member).where(col(Member.name).startswith("Voisine "))):
            session.delete(row)
