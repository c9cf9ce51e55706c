"""A pending import that is taken up again, and corrections on the screen to its lines."""

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from sqlmodel import Session, col, select

from clubapp.models import PendingImport
from clubapp.refusals import NotFound
from clubapp.services.base.actors import Actor, require_admin
from clubapp.services.base.form_fields import clean_block
from clubapp.services.import_export.import_matching import KINDS, join_names, read_cells
from clubapp.services.import_export.import_run import find_pending

LINE_GONE = "Cette ligne n’est plus dans l’import."


def find_unfinished(session: Session, actor: Actor, kind: str) -> str:
    """The id of the administrator's own pending import of a kind, empty without one."""
    require_admin(actor)
    mine = select(PendingImport.id).where(PendingImport.sent_by == actor.email, PendingImport.kind == kind)
    return session.exec(mine.order_by(col(PendingImport.created_at).desc()).limit(1)).first() or ""


def discard_import(session: Session, actor: Actor, import_id: str) -> None:
    """Delete a pending import; nothing happens when it is gone already.

    Accepts the `id` of a plan as well.
    """
    require_admin(actor)
    with suppress(NotFound):
        session.delete(find_pending(session, actor, import_id))


def correct_line(session: Session, actor: Actor, import_id: str, number: int, typed: Mapping[str, str]) -> None:
    """Replace cells of a line of a pending import: `typed` maps columns to texts; unknown columns are ignored.

    Raises:
        NotFound: as `import_run.build_plan`, or when the import has no such line.
    """
    require_admin(actor)
    pending = find_pending(session, actor, import_id, lock=True)
    labels = KINDS[pending.kind].labels
    fields = KINDS[pending.kind].fields_of(pending.headings)
    headings = {column: heading for heading, column in fields.items()}
    cells = {heading: "" for heading, column in fields.items() if column in typed}  # several may make up a column
    cells |= {headings.get(name, labels[name]): clean_block(text) for name, text in typed.items() if name in labels}
    row = _find_row(pending, number)
    kept = {name: value for name, value in row.items() if name != "chosen"}
    _replace_row(pending, number, kept | {"cells": row["cells"] | cells})
    pending.headings = list(dict.fromkeys((*pending.headings, *cells)))


def keep_text(session: Session, actor: Actor, import_id: str, number: int, typed: Mapping[str, str]) -> bool:
    """Store what is being typed into a line, as `correct_line`; whether it is another text than before.

    Raises:
        NotFound: as `correct_line`.
    """
    require_admin(actor)
    pending = find_pending(session, actor, import_id, lock=True)
    cells = read_cells(KINDS[pending.kind].fields_of(pending.headings), _find_row(pending, number)["cells"])
    shown = join_names(cells)
    if all(shown.get(name, "") == clean_block(text) for name, text in typed.items()):
        return False
    correct_line(session, actor, import_id, number, typed)
    return True


def choose_person(session: Session, actor: Actor, import_id: str, number: int, chosen: str) -> None:
    """Say whom a line is about: the id of a namesake, or `ANOTHER`. A correction of the line undoes it.

    Raises:
        NotFound: as `correct_line`.
    """
    require_admin(actor)
    pending = find_pending(session, actor, import_id, lock=True)
    _replace_row(pending, number, _find_row(pending, number) | {"chosen": chosen})


def leave_line_out(session: Session, actor: Actor, import_id: str, number: int) -> None:
    """Remove a line from a pending import.

    Raises:
        NotFound: as `correct_line`.
    """
    require_admin(actor)
    pending = find_pending(session, actor, import_id, lock=True)
    _find_row(pending, number)
    pending.rows = [row for row in pending.rows if row["line"] != number]


def _find_row(pending: PendingImport, number: int) -> dict[str, Any]:
    for row in pending.rows:
        if row["line"] == number:
            return row
    raise NotFound(LINE_GONE)


def _replace_row(pending: PendingImport, number: int, row: dict[str, Any]) -> None:
    """A new list, since the column is JSON."""
    pending.rows = [row if each["line"] == number else each for each in pending.rows]
