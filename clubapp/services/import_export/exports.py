"""Export of members and companies as tables, with columns that the import reads."""

from typing import Any

from sqlmodel import Session, select

from clubapp.models import Company, Member
from clubapp.services.base import table_files
from clubapp.services.base.actors import Actor, require_fresh_admin
from clubapp.services.base.form_fields import join_items
from clubapp.services.base.search import fold
from clubapp.services.base.table_files import Download
from clubapp.services.companies import admin_form as company_form
from clubapp.services.members import admin_form as member_form

_IMAGES = ("image_url", "logo_url")


def export_members_csv(session: Session, actor: Actor) -> Download:
    """Every member, by name, as CSV."""
    headers, rows = _members(session, actor)
    return Download(
        table_files.make_file_name("membres", extension="csv"), table_files.CSV, table_files.write_csv(rows, headers)
    )


def export_members_xlsx(session: Session, actor: Actor) -> Download:
    """Every member, by name, as XLSX."""
    headers, rows = _members(session, actor)
    return Download(
        table_files.make_file_name("membres", extension="xlsx"),
        table_files.XLSX,
        table_files.write_xlsx(rows, headers, "Membres"),
    )


def export_companies_csv(session: Session, actor: Actor) -> Download:
    """Every company, by name, as CSV."""
    headers, rows = _companies(session, actor)
    return Download(
        table_files.make_file_name("entreprises", extension="csv"),
        table_files.CSV,
        table_files.write_csv(rows, headers),
    )


def export_companies_xlsx(session: Session, actor: Actor) -> Download:
    """Every company, by name, as XLSX."""
    headers, rows = _companies(session, actor)
    content = table_files.write_xlsx(rows, headers, "Entreprises")
    return Download(table_files.make_file_name("entreprises", extension="xlsx"), table_files.XLSX, content)


def _members(session: Session, actor: Actor) -> tuple[list[str], list[list[Any]]]:
    return _table(session, actor, Member, member_form.LABELS, {"company_id": "company"})


def _companies(session: Session, actor: Actor) -> tuple[list[str], list[list[Any]]]:
    return _table(session, actor, Company, company_form.LABELS, {})


def _table(
    session: Session, actor: Actor, kind: Any, labels: dict[str, str], instead: dict[str, str]
) -> tuple[list[str], list[list[Any]]]:
    """The headings and rows of a table; `instead` maps a column to the one that replaces it."""
    require_fresh_admin(actor)
    names = [name for name in labels if name not in _IMAGES]
    records = sorted(session.exec(select(kind)).all(), key=lambda row: (fold(row.name), row.id))
    rows = [[_cell(getattr(record, instead.get(name, name))) for name in names] for record in records]
    return [labels[name] for name in names], rows


def _cell(value: Any) -> Any:
    return join_items(value) if isinstance(value, list) else value
