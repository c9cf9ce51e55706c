"""Tables of members as people make them, and what the screen of imports does with them."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from io import BytesIO

from openpyxl import Workbook
from sqlmodel import select

from clubapp.database import reading, transaction
from clubapp.models import Member
from clubapp.services.base.actors import Actor
from clubapp.services.import_export import import_corrections, import_run, spreadsheet_reader
from clubapp.services.import_export.import_matching import MEMBERS
from clubapp.services.import_export.import_run import ImportPlan
from clubapp.services.members import editing

HELENE = Actor("helene@beffroi.example", is_admin=True, session_id="s")
HEADINGS = ("Nom complet", "Fonction", "Entreprise", "Description", "E-mail", "Téléphone", "Services proposés")


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


def send(content: bytes, kind: str = MEMBERS) -> ImportPlan:
    sheet = spreadsheet_reader.read_sheet(content, partial(import_run.are_headings, kind))
    with transaction() as session:
        made = import_run.store_table(session, HELENE, kind, sheet)
    with reading() as session:
        return import_run.build_plan(session, HELENE, made)


def confirm(plan: ImportPlan) -> int:
    with transaction() as session:
        return import_run.run_import(session, HELENE, plan.id)


def again(plan: ImportPlan) -> ImportPlan:
    """The plan of the same import, as it is now."""
    with reading() as session:
        return import_run.build_plan(session, HELENE, plan.id)


def correct(plan: ImportPlan, number: int, **typed: str) -> None:
    """Correct a line on the screen."""
    with transaction() as session:
        import_corrections.correct_line(session, HELENE, plan.id, number, typed)


def choose(plan: ImportPlan, number: int, person: str) -> None:
    """Say on the screen whom a line is about."""
    with transaction() as session:
        import_corrections.choose_person(session, HELENE, plan.id, number, person)


def change_the_member(email: str = "zoe@atelier.example", **values: str) -> None:
    """Another administrator saves the form of a member."""
    with transaction() as session:
        member = session.exec(select(Member).where(Member.email == email)).one()
        form = replace(editing.open_form(session, HELENE, member.id), **values)
        editing.save(session, HELENE, form)


def everyone() -> list[str]:
    with reading() as session:
        return sorted(session.exec(select(Member.name)).all())
