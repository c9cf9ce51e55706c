"""Members and companies from a table: first what each line would do, then, once confirmed, all of it or nothing.

What is carried out is what was shown: when another administrator's change makes it something else, nothing is written.

A line is about the record of the same e-mail address, or else of the same name (and company): it updates that one, or
creates one. An empty cell says nothing: what the record holds stays. The rules are those of the forms.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from sqlmodel import Session, col, delete

from clubapp import clock
from clubapp.models import PendingImport
from clubapp.refusals import Conflict, Invalid, NotFound
from clubapp.services.base import audit, upload_quota
from clubapp.services.base.actors import Actor, require_admin
from clubapp.services.base.edit_conflicts import RecordChanged
from clubapp.services.base.form_fields import FormCheck
from clubapp.services.import_export.import_matching import KINDS, MEMBERS, Book, Kind, with_whole_name
from clubapp.services.import_export.spreadsheet_reader import Sheet

CREATE, UPDATE, SAME, REFUSE = "create", "update", "same", "refuse"
OUTCOMES = {CREATE: "À créer", UPDATE: "À mettre à jour", SAME: "Inchangé", REFUSE: "Refusé"}

GONE = "Cet import n'est plus disponible\u00a0: choisissez le fichier à nouveau."
REFUSED = "Rien n'a été importé\u00a0: la ligne {line} est refusée. {reason}"
CHANGED = (
    "Rien n'a été importé\u00a0: des fiches ont changé depuis l'aperçu. Vérifiez le nouvel aperçu, puis confirmez."
)
NO_COLUMN = "Aucune colonne n'est reconnue. Les titres attendus sont par exemple\u00a0: {names}."
TWICE = "Même fiche que la ligne {line}."


@dataclass(frozen=True)
class Line:
    """What one line of the file does. `details` says what changes, or why it is refused."""

    number: int
    name: str
    outcome: str
    outcome_label: str
    details: str


@dataclass(frozen=True)
class Plan:
    """What an import would do, line by line, with how many lines of each outcome.

    `id` is the import's, a dot, and the fingerprint of what is shown: confirming it confirms that and nothing else.
    `ignored` are the headings that are unknown, or fill what one before them fills.
    """

    id: str = ""
    kind: str = MEMBERS
    lines: tuple[Line, ...] = ()
    creates: int = 0
    updates: int = 0
    same: int = 0
    refused: int = 0
    ignored: str = ""

    @property
    def changes(self) -> int:
        """How many records would be written."""
        return self.creates + self.updates


@dataclass(frozen=True)
class _Decided:
    """A line and, when it writes, the form to save and its columns that change: what each holds, and will hold."""

    line: Line
    form: Any | None = None
    changes: dict[str, tuple[Any, Any]] = field(default_factory=dict)


def admit(session: Session, actor: Actor, kind: str) -> None:
    """Let an administrator send one table more.

    Raises:
        NotFound: for something else than members or companies.
        TooMany: when they have sent many files lately.
    """
    require_admin(actor)
    if kind not in KINDS:
        raise NotFound
    upload_quota.count(session, actor, kind)


def receive(session: Session, actor: Actor, kind: str, sheet: Sheet) -> str:
    """Keep the table of a file to be looked at. Nothing of it is a member or a company yet.

    The file is read before, outside of any transaction: a large one takes seconds, and others write meanwhile.

    Returns:
        The import's id.

    Raises:
        Invalid: when it holds no known column.
        NotFound: for something else than members or companies.
    """
    require_admin(actor)
    if kind not in KINDS:
        raise NotFound
    if not KINDS[kind].fields_of(list(sheet.headings)):
        raise Invalid(NO_COLUMN.format(names=", ".join(list(KINDS[kind].labels.values())[:6])))
    rows = [{"line": number, "cells": cells} for number, cells in sheet.rows]
    made = PendingImport(
        kind=kind, sent_by=actor.email, headings=list(sheet.headings), rows=rows, created_at=clock.now()
    )
    session.add(made)
    session.flush()
    return made.id


def plan(session: Session, actor: Actor, import_id: str) -> Plan:
    """What an import would do now. Changes nothing. A plan's `id` will do for the import's, here and in `give_up`.

    Raises:
        NotFound: when it was confirmed, given up or forgotten, or is someone else's.
    """
    require_admin(actor)
    pending = _find(session, actor, import_id)
    decided = _decide(session, pending)
    counts = Counter(each.line.outcome for each in decided)
    known = KINDS[pending.kind].fields_of(pending.headings)
    return Plan(
        id=f"{pending.id}.{_fingerprint(decided)}",
        kind=pending.kind,
        lines=tuple(each.line for each in decided),
        creates=counts[CREATE],
        updates=counts[UPDATE],
        same=counts[SAME],
        refused=counts[REFUSE],
        ignored=", ".join(heading for heading in pending.headings if heading and heading not in known),
    )


def carry_out(session: Session, actor: Actor, plan_id: str, told: Callable[[int], None] = lambda _: None) -> int:
    """Do what the plan that was shown says, and only that; `told` hears of the lines that are done.

    Returns:
        How many records were created or changed.

    Raises:
        Conflict: when records changed so that a line would do something else, or a line is refused; nothing is
            written then.
        NotFound: as `plan`.
    """
    require_admin(actor)
    pending = _find(session, actor, plan_id, lock=True)
    decided = _decide(session, pending)
    if plan_id != f"{pending.id}.{_fingerprint(decided)}":
        raise Conflict(CHANGED)
    if refused := next((each.line for each in decided if each.line.outcome == REFUSE), None):
        raise Conflict(REFUSED.format(line=refused.number, reason=refused.details))
    wanted = [each for each in decided if each.form is not None]
    for done, each in enumerate(wanted, 1):
        try:
            KINDS[pending.kind].save(session, actor, each.form)
        except Invalid as refusal:
            raise Conflict(REFUSED.format(line=each.line.number, reason=refusal.text)) from None
        except (RecordChanged, NotFound):  # changed or deleted while the lines before it were written
            raise Conflict(CHANGED) from None
        told(done)
    session.delete(pending)
    audit.record(session, actor, f"{pending.kind}.imported", pending.id, lines=len(decided), changed=len(wanted))
    return len(wanted)


def give_up(session: Session, actor: Actor, import_id: str) -> None:
    """Forget a file that is not to be imported."""
    require_admin(actor)
    mine = (col(PendingImport.id) == _bare(import_id), col(PendingImport.sent_by) == actor.email)
    session.connection().execute(delete(PendingImport).where(*mine))


def _find(session: Session, actor: Actor, import_id: str, *, lock: bool = False) -> PendingImport:
    found = session.get(PendingImport, _bare(import_id), with_for_update=lock or None)
    if found is None or found.sent_by != actor.email:
        raise NotFound(GONE)
    return found


def _bare(import_id: str) -> str:
    return import_id.partition(".")[0]


def _fingerprint(decided: list[_Decided]) -> str:
    """It differs as soon as one line would do something else, to another record, or from another value."""
    said = [(each.line.number, each.line.outcome, each.form and each.form.id, each.changes) for each in decided]
    return hashlib.sha256(json.dumps(said).encode()).hexdigest()


def _decide(session: Session, pending: PendingImport) -> list[_Decided]:
    kind = KINDS[pending.kind]
    book = kind.book(session)
    names = kind.fields_of(pending.headings)
    seen: dict[str, int] = {}
    decided = []
    for row in pending.rows:
        values = {names[heading]: cell for heading, cell in row["cells"].items() if heading in names and cell}
        decided.append(_decide_line(kind, book, row["line"], with_whole_name(values), seen))
    return decided


def _decide_line(kind: Kind, book: Book, number: int, values: dict[str, str], seen: dict[str, int]) -> _Decided:
    name = values.get("name", "")
    found = FormCheck()
    before = book.record_of(values, found)
    typed = book.form_of(before, values, found)
    of_the_book = dict(found.errors)
    known = before or book.fresh()
    wanted = kind.columns(found, typed, known)
    if before is not None and typed == book.filled(before):
        found.errors.clear()  # a record that lacks something is not the file's fault
    found.errors |= of_the_book
    key = book.key_of(before, wanted)
    if key in seen:
        found.errors[""] = TWICE.format(line=seen[key])
    if not of_the_book:  # otherwise nobody knows which record the line is about
        seen.setdefault(key, number)
    name = name or (before.name if before else "") or values.get("email", "")
    if found.errors:
        reasons = [f"{kind.labels[about]}\u00a0: {text}" if about else text for about, text in found.errors.items()]
        return _Decided(_line(number, name, REFUSE, " ".join(reasons)))
    changed = {column: value for column, value in wanted.items() if getattr(known, column) != value}
    changes = {column: (getattr(known, column), value) for column, value in changed.items()}
    if before is None:
        return _Decided(_line(number, name, CREATE, ""), typed, changes)
    if not changed:
        return _Decided(_line(number, name, SAME, ""))
    return _Decided(_line(number, name, UPDATE, book.told(kind.labels, before, changed)), typed, changes)


def _line(number: int, name: str, outcome: str, details: str) -> Line:
    return Line(number, name, outcome, OUTCOMES[outcome], details)
