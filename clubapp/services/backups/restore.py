"""Restoring a backup onto either database engine: all of it or nothing, and no mail is sent twice (R8)."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, DateTime, MetaData, Table, insert, inspect, select, update
from sqlalchemy.exc import OperationalError, StatementError
from sqlmodel import Session, SQLModel, col
from sqlmodel import select as select_rows

from clubapp import clock, migrations, set_aside, tokens
from clubapp.database import transaction
from clubapp.infra import image_store
from clubapp.mail.queue import after_restore
from clubapp.models import (
    Act,
    ActChain,
    ActChanges,
    ActPerson,
    EmailChange,
    EmailReminderSetting,
    ErasedPerson,
    Event,
    EventGuest,
    FormerAuditEntry,
    Member,
    PlannedMailing,
    PlannedState,
    RequestOutcome,
    RightsRequest,
    SignInLink,
    UserSession,
)
from clubapp.refusals import Conflict, Invalid, NotFound
from clubapp.services.answers import guests
from clubapp.services.backups import archive
from clubapp.services.backups.archive import ArchiveContents, ArchiveReader
from clubapp.services.backups.create import KEY_PURPOSE
from clubapp.services.base import seen_acts
from clubapp.services.base.actors import SYSTEM
from clubapp.services.events import mailing_schedule
from clubapp.services.members import editing
from clubapp.services.privacy import erased_people
from clubapp.services.privacy.erased_people import Erased
from clubapp.settings import settings

NOT_EMPTY = (
    "La base contient déjà un club\u00a0: rien n’a été restauré. «\u00a0--force\u00a0» le remplace par celui de la "
    "sauvegarde."
)
NEWER = "La sauvegarde vient d’un programme plus récent (schéma {schema})\u00a0: mettez celui-ci à jour."
MAYBE_SENT = "Le club a été restauré après la date de cet envoi\u00a0: il est peut-être déjà parti."
# Rows that the first start inserts, and what it notes in the journal, do not count as a club.
_STARTING = {
    table.__tablename__
    for table in (EmailReminderSetting, Act, ActChain, ActChanges, ActPerson, FormerAuditEntry, ErasedPerson)
}
_TOGETHER = 500


@dataclass(frozen=True)
class Restored:
    """The result of a restore. `has_key` says whether this installation can still make the links already mailed.

    `erased_again` are the members and guests erased since the backup was made, and now once more. `unread_lines` are
    lines of the lists of erased people that name nobody.
    """

    contents: ArchiveContents
    has_key: bool
    missed_mailings: int
    waiting_mails: int
    erased_again: int
    unread_lines: int


def restore(file: Path, *, force: bool = False, keep_deleted: bool = False, as_it_was: bool = False) -> Restored:
    """Replace an empty club, or with `force` any club, by a backup. The mail queue is paused until someone resumes it.

    Who was erased since the backup was made is erased again; with `keep_deleted` only those who had asked for it,
    `as_it_was` nobody.

    Raises:
        Invalid: when the archive is damaged, not a backup, or of a later version. Nothing was written.
        Conflict: when there is already a club. Nothing was written.
        NewerDatabase: when the present database is of a later version.
    """
    with archive.read_archive(file) as kept:
        if not migrations.is_known(kept.contents.schema):
            raise Invalid(NEWER.format(schema=kept.contents.schema))
        migrations.create_schema()
        with _removed_on_failure() as added, transaction() as session:
            if not force and _holds_a_club(session):
                raise Conflict(NOT_EMPTY)
            beside = file.expanduser().resolve().parent
            known, unread = erased_people.read_known(session, beside), erased_people.count_unread_lines(beside)
            _put_pictures_back(kept, added)
            _put_rows_back(session.connection(), kept, file)
            erased_people.add_missing(session, known.values())
            erased = 0 if as_it_was else _erase_again(session, known, kept.contents.made_at, keep_deleted=keep_deleted)
            missed = _hold_open_work(session, kept.contents)
            waiting = after_restore.count_doubtful(session)
        seen_acts.forget_end()
        _put_key_back(kept.keys())
        has_key = tokens.rebuild(KEY_PURPOSE, "", kept.contents.key) is not None
        return Restored(kept.contents, has_key, missed, waiting, erased, unread)


def _holds_a_club(session: Session) -> bool:
    connection = session.connection()
    there = set(inspect(connection).get_table_names()) - _STARTING
    ours = [table for table in SQLModel.metadata.sorted_tables if table.name in there]
    return any(connection.execute(select(*table.primary_key.columns).limit(1)).first() for table in ours)


@contextmanager
def _removed_on_failure() -> Iterator[list[str]]:
    """Collects added pictures, which are removed again if restoring the rows fails."""
    added: list[str] = []
    try:
        yield added
    except BaseException:
        for path in added:
            image_store.delete(path)
        raise


def _put_pictures_back(kept: ArchiveReader, added: list[str]) -> None:
    """Write every picture under its path. An existing one that differs is damaged, as pictures never change."""
    for path, content in kept.pictures():
        try:
            if image_store.read(path) == content:
                continue
            image_store.delete(path)
        except NotFound:
            added.append(path)
        image_store.restore_image(path, content)


def _put_rows_back(connection: Connection, kept: ArchiveReader, file: Path) -> None:
    """Empty the database, migrate it to the schema of the backup, fill it, and migrate it to the latest schema.

    Raises:
        Invalid: when the archive lacks a table of its schema, or rows, or when one is none.
    """
    migrations.migrate_connection(connection, migrations.NOTHING)
    set_aside.drop_all(connection)
    migrations.migrate_connection(connection, kept.contents.schema)
    rows, there = kept.contents.rows, set(inspect(connection).get_table_names())
    if not there & set(SQLModel.metadata.tables) <= set(rows) <= there:
        raise Invalid(archive.DAMAGED.format(file=file, part=archive.ABOUT))
    schema = MetaData()
    schema.reflect(connection, only=lambda name, _: name in rows)
    for table in schema.sorted_tables:
        if _fill(connection, table, kept) != rows[table.name]:
            raise Invalid(archive.DAMAGED.format(file=file, part=f"tables/{table.name}.jsonl"))
    migrations.migrate_connection(connection, migrations.NEWEST)


def _fill(connection: Connection, table: Table, kept: ArchiveReader) -> int:
    """Insert the rows of a table; return how many, up to one that the table does not take."""
    instants = [column.name for column in table.columns if isinstance(column.type, DateTime)]
    rows: Iterator[dict[str, Any]] = kept.rows(table.name)
    ready = (row | {name: datetime.fromisoformat(row[name]) for name in instants if row[name]} for row in rows)
    count = 0
    try:
        while some := list(islice(ready, _TOGETHER)):
            connection.execute(insert(table), some)
            count += len(some)
    except OperationalError:  # a full disk, a database that is away
        raise
    except (StatementError, ValueError, TypeError, KeyError):
        return -1
    return count


def _erase_again(session: Session, known: Erased, made_at: datetime, *, keep_deleted: bool) -> int:
    """Erase who was erased after the backup was made, without a word to them: they were told then."""
    since = {
        digest for digest, one in known.items() if one.erased_at >= made_at and (one.was_asked or not keep_deleted)
    }
    if not since:
        return 0
    count, now = 0, clock.now()
    for member_id in session.exec(select_rows(Member.id)).all():
        if erased_people.digest_of(member_id) in since:
            waits = col(RightsRequest.member_id) == member_id, col(RightsRequest.answered_at).is_(None)
            session.execute(update(RightsRequest).where(*waits).values(outcome=RequestOutcome.DONE, answered_at=now))
            editing.delete(session, SYSTEM, member_id)
            count += 1
    for guest in session.exec(select_rows(EventGuest)).all():
        if erased_people.digest_of(guest.id) in since:
            guests.erase_guest(session, guest)
            count += 1
    return count


def _hold_open_work(session: Session, contents: ArchiveContents) -> int:
    """End sessions and void links of the backup, and hold mail that may have been sent since it was made.

    Returns:
        How many automatic mailings were marked as missed.
    """
    now = clock.now()
    session.execute(update(UserSession).where(col(UserSession.ended_at).is_(None)).values(ended_at=now))
    for door in (SignInLink, EmailChange):
        session.execute(update(door).where(col(door.voided_at).is_(None)).values(voided_at=now))
    session.execute(update(Event).values(helper_token=""))  # a helpers' link may have been withdrawn since
    after_restore.hold_queue(session, contents.made_at)
    if PlannedMailing.__tablename__ not in contents.rows:
        mailing_schedule.plan_all_mailings(
            session, late=True
        )  # the first schema had none: create them, to be marked as missed
    due = update(PlannedMailing).where(
        col(PlannedMailing.state) == PlannedState.PLANNED, col(PlannedMailing.due_at) <= now
    )
    fate = {"state": PlannedState.MISSED, "reason": MAYBE_SENT, "settled_at": now, "updated_at": now}
    return len(session.execute(due.values(**fate).returning(col(PlannedMailing.id))).all())


def _put_key_back(keys: str) -> None:
    """Store the keys of the archive, if it holds them and no others are configured."""
    file = settings().key_file
    if keys and not settings().secret_key and not file.exists():
        file.parent.mkdir(parents=True, exist_ok=True)
        with os.fdopen(os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "w") as opened:
            opened.write(keys)
