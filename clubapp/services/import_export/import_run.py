"""Import of members and companies: a plan of what each line does, then, once confirmed, all its good lines or none.

Only the plan that was shown is carried out: when another change makes it differ, nothing is written. Refused lines
stay in the import, where they are corrected or left out one by one.

A line updates the record with the same e-mail address, or else the same name (and company), or creates one. Where the
name alone says who it is, the line shows whom it means, and one may choose; a namesake with another address is asked
about. An empty cell leaves the stored value. Values are checked by the rules of the forms, but a new record may lack
what the form requires: it is to be completed. Companies that members name and that do not exist are made with them.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from sqlmodel import Session, col, delete

from clubapp import clock
from clubapp.models import ChoiceSource, PendingImport
from clubapp.refusals import Conflict, Invalid, NotFound
from clubapp.services.base import audit, upload_quota
from clubapp.services.base.actors import Actor, require_admin, require_fresh_admin
from clubapp.services.base.edit_conflicts import RecordChanged
from clubapp.services.base.form_fields import FormCheck
from clubapp.services.import_export.import_matching import (
    BY_NAME,
    KINDS,
    MEMBERS,
    ExistingRecords,
    ImportKind,
    Namesake,
    describe_new_company,
    join_names,
    new_company_name,
    read_cells,
    shorten,
)
from clubapp.services.import_export.spreadsheet_reader import Sheet
from clubapp.services.privacy import visibility, welcome_mailing
from clubapp.text.collation import fold

CREATE, UPDATE, SAME, REFUSE = "create", "update", "same", "refuse"
OUTCOMES = {CREATE: "À créer", UPDATE: "À mettre à jour", SAME: "Inchangée", REFUSE: "Refusée"}

GONE = "Cet import n’est plus disponible\u00a0: choisissez le fichier à nouveau."
REFUSED = "Rien n’a été importé\u00a0: la ligne {line} est refusée. {reason}"
CHANGED = (
    "Rien n’a été importé\u00a0: des fiches ou des lignes ont changé depuis l’aperçu. Vérifiez le nouvel aperçu, "
    "puis confirmez."
)
NO_COLUMN = "Aucune colonne n’est reconnue. Les titres attendus sont par exemple\u00a0: {names}."
TWICE = "Même fiche que la ligne {}, {}."


@dataclass(frozen=True)
class LineField:
    """A column of a refused line, with its text and why it is refused."""

    name: str
    label: str
    value: str
    error: str


@dataclass(frozen=True)
class ImportLine:
    """What one line of the file would do. `details` says what changes, or why it is refused.

    `incomplete` lists what a new record lacks. `fields` are what may be corrected of a refused line. `namesakes` are
    existing records of its name when no address says who it is; `may_be_another` is false once it is somebody else.
    """

    number: int
    name: str
    outcome: str
    outcome_label: str
    details: str
    incomplete: str = ""
    fields: tuple[LineField, ...] = ()
    namesakes: tuple[Namesake, ...] = ()
    may_be_another: bool = False


@dataclass(frozen=True)
class ImportPlan:
    """What an import would do, by line, with the number of lines of each outcome.

    `id` is the import's id, a dot, and a fingerprint of the plan, so that confirming it confirms exactly this plan.
    `renamed` says which columns have another heading in the file, `ignored` lists the headings that are unknown or name
    a column a second time, `new_companies` the companies that are made with their members; `welcome_text` says how many
    people will be written to, and how many not (P5).
    """

    id: str = ""
    kind: str = MEMBERS
    lines: tuple[ImportLine, ...] = ()
    creates: int = 0
    updates: int = 0
    same: int = 0
    refused: int = 0
    renamed: str = ""
    ignored: str = ""
    new_companies: str = ""
    welcome_text: str = ""

    @property
    def changes(self) -> int:
        """How many records would be written."""
        return self.creates + self.updates


@dataclass(frozen=True)
class _LineDecision:
    """A line, the key of its record and, when it writes, the form to save and its changed columns as (old, new)."""

    line: ImportLine
    key: str
    form: Any | None = None
    changes: dict[str, tuple[Any, Any]] = field(default_factory=dict)


@dataclass(frozen=True)
class _Row:
    """The values of a line, the existing record it is about, and why that is unclear."""

    number: int
    values: dict[str, str]
    found: FormCheck
    before: Any


def admit_import(session: Session, actor: Actor, kind: str) -> None:
    """Check the right to send a table, and count it.

    Raises:
        NotFound: when `kind` is unknown.
        TooMany: over the limit of uploads.
    """
    require_admin(actor)
    if kind not in KINDS:
        raise NotFound
    upload_quota.count_upload(session, actor, kind)


def are_headings(kind: str, cells: list[str]) -> bool:
    """Whether a line of a table names at least one column of a kind."""
    return bool(KINDS[kind].fields_of(cells))


def store_table(session: Session, actor: Actor, kind: str, sheet: Sheet) -> str:
    """Store the table of a file as a pending import, instead of the administrator's earlier one of the kind.

    The file is parsed before, outside of a transaction, since a large one takes seconds.

    Returns:
        The import's id.

    Raises:
        Invalid: when no column is known.
        NotFound: when `kind` is unknown.
    """
    require_admin(actor)
    if kind not in KINDS:
        raise NotFound
    if not are_headings(kind, list(sheet.headings)):
        raise Invalid(NO_COLUMN.format(names=", ".join(list(KINDS[kind].labels.values())[:6])))
    rows = [{"line": number, "cells": cells} for number, cells in sheet.rows]
    made = PendingImport(
        kind=kind, sent_by=actor.email, headings=list(sheet.headings), rows=rows, created_at=clock.now()
    )
    earlier = col(PendingImport.sent_by) == actor.email, col(PendingImport.kind) == kind
    session.connection().execute(delete(PendingImport).where(*earlier))
    session.add(made)
    session.flush()
    return made.id


def build_plan(session: Session, actor: Actor, import_id: str) -> ImportPlan:
    """What an import would do now. Changes nothing. Accepts the `id` of a plan as well.

    Raises:
        NotFound: when it was confirmed, discarded or has expired, or is another administrator's.
    """
    require_admin(actor)
    pending = find_pending(session, actor, import_id)
    decided = _decide(session, pending)
    counts = Counter(each.line.outcome for each in decided)
    kind = KINDS[pending.kind]
    known = kind.fields_of(pending.headings)
    return ImportPlan(
        id=f"{pending.id}.{_fingerprint(decided)}",
        kind=pending.kind,
        lines=tuple(each.line for each in decided),
        creates=counts[CREATE],
        updates=counts[UPDATE],
        same=counts[SAME],
        refused=counts[REFUSE],
        renamed=kind.describe_renamed(known),
        ignored=", ".join(heading for heading in pending.headings if heading and heading not in known),
        new_companies=", ".join(_new_companies(decided).values()),
        welcome_text=_describe_welcome(actor, decided) if pending.kind == MEMBERS else "",
    )


def run_import(session: Session, actor: Actor, plan_id: str, told: Callable[[int], None] = lambda _: None) -> int:
    """Carry out the plan that was shown; `told` is called with the number of records done.

    The lines that are refused stay in the import; without any, it is deleted.

    Returns:
        How many records were created or changed.

    Raises:
        Conflict: when the plan has changed, or a line is refused meanwhile; the caller rolls back.
        NotFound: as `build_plan`.
    """
    require_fresh_admin(actor)
    pending = find_pending(session, actor, plan_id, lock=True)
    kind, decided = KINDS[pending.kind], _decide(session, pending)
    if plan_id != f"{pending.id}.{_fingerprint(decided)}":
        raise Conflict(CHANGED)
    wanted = [each for each in decided if each.form is not None]
    saved: dict[str, str] = {}
    for done, each in enumerate(wanted, 1):
        try:
            saved[each.key] = kind.save(session, actor, each.form, kind.may_lack)
        except Invalid as refusal:
            raise Conflict(REFUSED.format(line=each.line.number, reason=refusal.text)) from None
        except (RecordChanged, NotFound):  # changed or deleted meanwhile
            raise Conflict(CHANGED) from None
        told(done)
    _keep_refused(session, pending, decided, saved)
    audit.record(session, actor, f"{pending.kind}.imported", pending.id, lines=len(decided), changed=len(wanted))
    return len(wanted)


def find_pending(session: Session, actor: Actor, import_id: str, *, lock: bool = False) -> PendingImport:
    """An administrator's own pending import.

    Raises:
        NotFound: as `build_plan`.
    """
    found = session.get(PendingImport, _bare(import_id), with_for_update=lock or None)
    if found is None or found.sent_by != actor.email:
        raise NotFound(GONE)
    return found


def _bare(import_id: str) -> str:
    return import_id.partition(".")[0]


def _keep_refused(
    session: Session, pending: PendingImport, decided: list[_LineDecision], saved: Mapping[str, str]
) -> None:
    """Keep the refused lines; one about the record of a line that goes in remembers it, or it would overwrite it."""
    done = {
        each.key: [saved.get(each.key, each.key), each.line.number, each.line.name]
        for each in decided
        if each.line.outcome != REFUSE
    }
    refused = {each.line.number: each.key for each in decided if each.line.outcome == REFUSE}
    pending.rows = [
        row | {"repeats": done[key]} if (key := refused[row["line"]]) in done else row
        for row in pending.rows
        if row["line"] in refused
    ]
    pending.created_at = clock.now()
    if not refused:
        session.delete(pending)


def _describe_welcome(actor: Actor, decided: list[_LineDecision]) -> str:
    """How many new active members are written to at once, and how many have no address; empty without any."""
    new = [each.changes for each in decided if each.line.outcome == CREATE]
    addresses = [changes["email"][1] if "email" in changes else "" for changes in new if "is_active" not in changes]
    told = sum(bool(address) and address != actor.email for address in addresses)
    untold = addresses.count("")
    parts = []
    if told:
        whom = f"{told} personnes reçoivent" if told > 1 else "1 personne reçoit"
        parts.append(f"Dès l’import, {whom} un message de bienvenue\u00a0: {welcome_mailing.SAYS}.")
    if untold:
        whom = f"{untold} personnes n’ont pas d’adresse e-mail" if untold > 1 else "1 personne n’a pas d’adresse e-mail"
        parts.append(f"{whom}\u00a0: à prévenir autrement.")
    if addresses and visibility.asks_before(ChoiceSource.IMPORT):
        parts.append(welcome_mailing.WAIT)
    return " ".join(parts)


def _new_companies(decided: list[_LineDecision]) -> dict[str, str]:
    """The names of the companies to make, as the file first writes them and in its order, by their folded form."""
    found: dict[str, str] = {}
    for each in decided:
        if each.form is not None and (name := new_company_name(each.form)):
            found.setdefault(fold(name), name)
    return found


def _fingerprint(decided: list[_LineDecision]) -> str:
    """A digest of what the lines do, to which records, and from which values."""
    said = [(each.line.number, each.line.outcome, each.form and each.form.id, each.changes) for each in decided]
    return hashlib.sha256(json.dumps(said).encode()).hexdigest()


def _decide(session: Session, pending: PendingImport) -> list[_LineDecision]:
    kind = KINDS[pending.kind]
    records = kind.read_records(session)
    names = kind.fields_of(pending.headings)
    seen: dict[str, tuple[int, str]] = {}
    for row in pending.rows:
        if repeats := row.get("repeats"):
            seen[repeats[0]] = (repeats[1], repeats[2])
    decided = []
    for row in pending.rows:
        values = read_cells(names, row["cells"])
        found = FormCheck(optional=kind.may_lack)
        before = records.find_record(join_names(values), found, row.get("chosen", ""))
        decided.append(_decide_line(kind, records, _Row(row["line"], join_names(values), found, before), seen))
    return decided


def _decide_line(
    kind: ImportKind, records: ExistingRecords, row: _Row, seen: dict[str, tuple[int, str]]
) -> _LineDecision:
    is_unclear = "name" in row.found.errors
    decision = _decide_columns(kind, records, row, seen)
    line = decision.line
    if line.outcome == SAME:
        return decision
    namesakes = records.list_namesakes(row.values, row.before)
    is_known = any(each.is_record for each in namesakes) and not is_unclear
    details = f"{BY_NAME} {line.details}" if is_known and line.outcome == UPDATE else line.details
    may_be_another = bool(namesakes) and (is_known or is_unclear)
    return replace(decision, line=replace(line, details=details, namesakes=namesakes, may_be_another=may_be_another))


def _decide_columns(
    kind: ImportKind, records: ExistingRecords, row: _Row, seen: dict[str, tuple[int, str]]
) -> _LineDecision:
    number, values, found, before = row.number, row.values, row.found, row.before
    name = values.get("name", "")
    typed = records.build_form(before, values, found)
    about_record = dict(found.errors)
    known = before or records.new_record()
    wanted = kind.columns(found, typed, known)
    if before is not None and typed == records.fill_form(before):
        found.errors.clear()  # faults of an unchanged record are not the file's
    found.errors |= about_record
    key = records.build_key(before, wanted)
    if key in seen:
        found.errors[""] = TWICE.format(*seen[key])
    name = name or (before.name if before else "") or values.get("email", "")
    if not about_record:  # otherwise the record of the line is unknown
        seen.setdefault(key, (number, name))
    if found.errors:
        reasons = [_describe_error(kind, about, values.get(about, ""), text) for about, text in found.errors.items()]
        line = _line(number, name, REFUSE, " ".join(reasons))
        return _LineDecision(replace(line, fields=_fields(kind, values, found.errors)), key)
    changed = {column: value for column, value in wanted.items() if getattr(known, column) != value}
    changes = {column: (getattr(known, column), value) for column, value in changed.items()}
    if before is None:
        lacks = [
            kind.labels[column].lower() for column in kind.labels if column in kind.may_lack and not wanted[column]
        ]
        line = _line(number, name, CREATE, describe_new_company(typed))
        return _LineDecision(replace(line, incomplete=", ".join(lacks)), key, typed, changes)
    if not changed:
        return _LineDecision(_line(number, name, SAME, ""), key)
    details = f"{records.describe_changes(kind.labels, before, changed)} {describe_new_company(typed)}".strip()
    return _LineDecision(_line(number, name, UPDATE, details), key, typed, changes)


def _describe_error(kind: ImportKind, column: str, value: str, text: str) -> str:
    """Why a line is refused, with the value that is; the name stands in the line already."""
    if not column:
        return text
    refused = f" «\u00a0{shorten(value)}\u00a0»." if value and column != "name" else ""
    return f"{kind.labels[column]}\u00a0:{refused} {text}"


def _fields(kind: ImportKind, values: Mapping[str, str], errors: Mapping[str, str]) -> tuple[LineField, ...]:
    """The wrong columns of a line, and those by which its record is recognised when it is unclear which."""
    unclear = {"name", "email"} if {"", "name"} & set(errors) else set()
    return tuple(
        LineField(name, label, values.get(name, ""), errors.get(name, ""))
        for name, label in kind.labels.items()
        if name in errors or name in unclear
    )


def _line(number: int, name: str, outcome: str, details: str) -> ImportLine:
    return ImportLine(number, name, outcome, OUTCOMES[outcome], details)
