"""Export of members and companies as tables, with columns that the import reads."""

from collections.abc import Sequence
from typing import Any

from sqlmodel import Session, col, select

from clubapp.models import Company, Member
from clubapp.services.base import table_files
from clubapp.services.base.actors import Actor, require_fresh_admin
from clubapp.services.base.form_fields import join_items
from clubapp.services.base.search import fold
from clubapp.services.base.table_files import Download
from clubapp.services.companies import admin_form as company_form
from clubapp.services.import_export import export_log
from clubapp.services.members import admin_form as member_form
from clubapp.services.members import bulk_acts

_IMAGES = ("image_url", "logo_url")


def export_members_csv(session: Session, actor: Actor) -> Download:
    """Every member, by name, as CSV."""
    headers, rows = _members(session, actor)
    return Download(
        table_files.make_file_name("membres", extension="csv"), table_files.CSV, table_files.write_csv(rows, headers)
    )


def export_chosen_members(session: Session, actor: Actor, ids: Sequence[str]) -> Download:
    """The members of a selection, by name, as CSV; noted in the journal of acts.

    Raises:
        ProofRequired: when the actor's last proof is too old (S13).
        Refusal: when none of them exists, or they are too many.
    """
    require_fresh_admin(actor)
    chosen = bulk_acts.read_selection(session, actor, ids).ids
    headers, rows = _members(session, actor, col(Member.id).in_(chosen))
    name = table_files.make_file_name("membres-choisis", extension="csv")
    export_log.record_export(session, actor, name)
    return Download(name, table_files.CSV, table_files.write_csv(rows, headers))


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


def _members(session: Session, actor: Actor, *which: Any) -> tuple[list[str], list[list[Any]]]:
    return _table(session, actor, Member, member_form.LABELS, {"company_id": "company"}, *which)


def _companies(session: Session, actor: Actor) -> tuple[list[str], list[list[Any]]]:
    return _table(session, actor, Company, company_form.LABELS, {})


def _table(
    session: Session, actor: Actor, kind: Any, labels: dict[str, str], instead: dict[str, str], *which: Any
) -> tuple[list[str], list[list[Any]]]:
    """The headings and rows of a table, of those that `which` selects; `instead` maps a column to its replacement."""
    require_fresh_admin(actor)
    names = [name for name in labels if name not in _IMAGES]
    records = sorted(session.exec(select(kind).where(*which)).all(), key=lambda row: (fold(row.name), row.id))
    rows = [[_cell(getattr(record, instead.get(name, name))) for name in names] for record in records]
    return [labels[name] for name in names], rows


def _cell(value: Any) -> Any:
    return join_items(value) if isinstance(value, list) else value
