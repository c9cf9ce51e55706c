"""Who was erased, so that a restored backup does not bring them back (P2; R8).

A person is noted by the SHA-256 of their random identifier, which tells nobody who it was and depends on no key. A
file beside the data and one beside the backups repeat the table, which is lost with the database.
"""

import logging
import os
import re
import tempfile
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy import event, inspect
from sqlmodel import Session, select

from clubapp import clock, tokens
from clubapp.database import insert_statement, reading
from clubapp.infra.error_causes import describe_cause
from clubapp.models import ErasedPerson
from clubapp.settings import settings

log = logging.getLogger(__name__)

FILE = "erased-people.txt"
# This line of the log is French: on the command line a restoration shows it to whoever runs it.
NOT_COPIED = "La liste des personnes effacées n’a pas été copiée (%s)\u00a0; le site réessaie à chaque heure."
ASKED, DELETED = "asked", "deleted"
_CHANGED = "erased_people_changed"
_LINE = re.compile(rf"(?P<at>\S{{19,40}}) (?P<how>{ASKED}|{DELETED}) (?P<digest>[0-9a-f]{{64}})")
Erased = dict[str, ErasedPerson]


def note(session: Session, identifier: str, *, was_asked: bool) -> None:
    """Note that the member or guest of an identifier is erased; the files follow the commit."""
    person = ErasedPerson(digest=digest_of(identifier), erased_at=clock.now(), was_asked=was_asked)
    add_missing(session, [person])
    session.info[_CHANGED] = True


def is_known(session: Session, identifier: str) -> bool:
    """Whether the member or guest of an identifier was erased."""
    return session.get(ErasedPerson, digest_of(identifier)) is not None


def digest_of(identifier: str) -> str:
    """By what a person is known here."""
    return tokens.fingerprint(identifier)


def add_missing(session: Session, people: Iterable[ErasedPerson]) -> None:
    """Add those that the table does not hold."""
    insert = insert_statement(session.get_bind().dialect.name, ErasedPerson)
    for person in people:
        values = insert.values(person.model_dump())
        session.execute(values.on_conflict_do_nothing(index_elements=["digest"]))


def read_known(session: Session, *folders: Path) -> Erased:
    """Who is known to be erased, from the table and from the files, those in `folders` included."""
    found: Erased = {}
    for folder in (*_folders(), *folders):
        found |= {person.digest: person for person in _read_file(folder / FILE)}
    if inspect(session.connection()).has_table(str(ErasedPerson.__tablename__)):
        found |= {person.digest: person for person in session.exec(select(ErasedPerson))}
    return found


def count_unread_lines(*folders: Path) -> int:
    """The lines of the files, those in `folders` included, that name nobody: who was meant may be missed."""
    files = {folder / FILE for folder in (*_folders(), *folders)}
    return sum(_count_unread(_read_lines(file)) for file in files)


def copy_beside() -> None:
    """Bring the files up to the table. People whom only a file names stay, a line that names nobody goes.

    Raises:
        OSError: when a file cannot be written.
    """
    with reading() as session:
        rows = session.exec(select(ErasedPerson)).all()
    for folder in _folders():
        known = {person.digest: person for person in (*_read_file(folder / FILE), *rows)}
        lines, kept = sorted(_line(person) for person in known.values()), _read_lines(folder / FILE)
        if unread := _count_unread(kept):
            log.info("%s: lines that name nobody, and go: %d", folder / FILE, unread)  # a restoration tells it itself
        if lines != kept:
            _write(folder / FILE, lines)


def _folders() -> list[Path]:
    chosen = settings()
    return [chosen.data_dir, *([chosen.backup_dir] if chosen.backup_dir else [])]


def _line(person: ErasedPerson) -> str:
    return f"{person.erased_at.isoformat()} {ASKED if person.was_asked else DELETED} {person.digest}"


def _read_lines(file: Path) -> list[str]:
    try:
        return file.read_text(errors="replace").splitlines()
    except FileNotFoundError:
        return []


def _count_unread(lines: list[str]) -> int:
    return sum(_parse(line) is None for line in lines)


def _read_file(file: Path) -> list[ErasedPerson]:
    """The people of a file; a line that is not one of ours is passed over."""
    return [person for person in map(_parse, _read_lines(file)) if person is not None]


def _parse(line: str) -> ErasedPerson | None:
    """The person of a line as `_line` writes it; None for any other."""
    if (found := _LINE.fullmatch(line)) is None:
        return None
    try:
        at = datetime.fromisoformat(found["at"])
        if at.tzinfo is None:
            return None
        return ErasedPerson(digest=found["digest"], erased_at=at.astimezone(UTC), was_asked=found["how"] == ASKED)
    except (ValueError, OverflowError):
        return None


def _write(file: Path, lines: list[str]) -> None:
    """Replace the file at once, readable by its owner only."""
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(prefix=f".{FILE}.", dir=file.parent)
    with os.fdopen(handle, "w") as opened:
        opened.write("".join(f"{line}\n" for line in lines))
        opened.flush()
        os.fsync(opened.fileno())
    os.replace(name, file)


@event.listens_for(Session, "after_commit")
def _copy_once_committed(session: Session) -> None:
    if session.in_nested_transaction() or not session.info.pop(_CHANGED, False):
        return
    try:
        copy_beside()
    except Exception as error:  # whatever it is, the erasure is committed; the job of each hour writes the files again
        log.warning(NOT_COPIED, describe_cause(error))
