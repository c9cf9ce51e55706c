"""The way back from a backup, onto either engine: everything, or nothing; and nothing is sent again (R8)."""

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, DateTime, MetaData, Table, insert, inspect, select, update
from sqlmodel import Session, SQLModel, col

from clubapp import clock, migrations, tokens
from clubapp.database import transaction
from clubapp.infra import image_store
from clubapp.mail.queue import after_restore
from clubapp.models import EmailChange, EmailReminderSetting, PlannedMailing, PlannedState, SignInLink, UserSession
from clubapp.refusals import Conflict, Invalid, NotFound
from clubapp.services.backups import archive
from clubapp.services.backups.archive import Contents, Reader
from clubapp.services.backups.create import KEY_PURPOSE
from clubapp.services.events import mailing_schedule
from clubapp.settings import settings

NOT_EMPTY = "La base contient déjà un club : rien n'a été restauré. « --force » le remplace par celui de la sauvegarde."
NEWER = "La sauvegarde vient d'un programme plus récent (schéma {schema}) : mettez celui-ci à jour."
MAYBE_SENT = "Le club a été restauré après la date de cet envoi : il est peut-être déjà parti."
# What a first start writes by itself does not make a club.
_STARTING = {EmailReminderSetting.__tablename__}
_TOGETHER = 500


@dataclass(frozen=True)
class Restored:
    """What came back. `has_key` says whether the links the club had mailed can be written again here."""

    contents: Contents
    has_key: bool
    missed_mailings: int
    waiting_mails: int


def restore(file: Path, *, force: bool = False) -> Restored:
    """Put a backup in the place of an empty club; of any club with `force`. All mail is held until somebody resumes it.

    Raises:
        Invalid: when the archive is damaged, none of ours, or of a later program. Nothing was written.
        Conflict: when there is a club already. Nothing was written.
        NewerDatabase: when the database here is of a later program.
    """
    with archive.read(file) as kept:
        if not migrations.knows(kept.contents.schema):
            raise Invalid(NEWER.format(schema=kept.contents.schema))
        migrations.begin()
        with _removed_on_failure() as added, transaction() as session:
            if not force and _holds_a_club(session):
                raise Conflict(NOT_EMPTY)
            _put_pictures_back(kept, added)
            _put_rows_back(session.connection(), kept)
            missed = _calm(session, kept.contents)
            waiting = after_restore.count_doubtful(session)
        _put_key_back(kept.keys())
        has_key = tokens.rebuild(KEY_PURPOSE, "", kept.contents.key) is not None
        return Restored(kept.contents, has_key, missed, waiting)


def _holds_a_club(session: Session) -> bool:
    connection = session.connection()
    there = set(inspect(connection).get_table_names()) - _STARTING
    ours = [table for table in SQLModel.metadata.sorted_tables if table.name in there]
    return any(connection.execute(select(*table.primary_key.columns).limit(1)).first() for table in ours)


@contextmanager
def _removed_on_failure() -> Iterator[list[str]]:
    """Pictures that are removed again when the rows that show them could not be restored."""
    added: list[str] = []
    try:
        yield added
    except BaseException:
        for path in added:
            image_store.delete(path)
        raise


def _put_pictures_back(kept: Reader, added: list[str]) -> None:
    """Every picture under its own path; one that is there and differs was damaged, for pictures never change."""
    for path, content in kept.pictures():
        try:
            if image_store.read(path) == content:
                continue
            image_store.delete(path)
        except NotFound:
            added.append(path)
        image_store.put_back(path, content)


def _put_rows_back(connection: Connection, kept: Reader) -> None:
    """Empty the database, take it to the schema of the backup, fill it, and bring it up to date from there."""
    migrations.bring(connection, migrations.NOTHING)
    migrations.bring(connection, kept.contents.schema)
    schema = MetaData()
    schema.reflect(connection, only=lambda name, _: name in kept.contents.rows)
    for table in schema.sorted_tables:
        _fill(connection, table, kept.rows(table.name))
    migrations.bring(connection, migrations.NEWEST)


def _fill(connection: Connection, table: Table, rows: Iterable[dict[str, Any]]) -> None:
    instants = [column.name for column in table.columns if isinstance(column.type, DateTime)]
    ready = (row | {name: datetime.fromisoformat(row[name]) for name in instants if row[name]} for row in rows)
    while some := list(islice(ready, _TOGETHER)):
        connection.execute(insert(table), some)


def _calm(session: Session, contents: Contents) -> int:
    """Nobody comes in by what was open then, and nothing leaves by itself that may have left since.

    Returns:
        How many automatic mailings are held to have been missed.
    """
    now = clock.now()
    session.execute(update(UserSession).where(col(UserSession.ended_at).is_(None)).values(ended_at=now))
    for door in (SignInLink, EmailChange):
        session.execute(update(door).where(col(door.voided_at).is_(None)).values(voided_at=now))
    after_restore.hold_queue(session, contents.made_at)
    if PlannedMailing.__tablename__ not in contents.rows:
        mailing_schedule.plan_all_mailings(
            session, late=True
        )  # a first schema had none: they are made now, to be held as missed
    due = update(PlannedMailing).where(
        col(PlannedMailing.state) == PlannedState.PLANNED, col(PlannedMailing.due_at) <= now
    )
    fate = {"state": PlannedState.MISSED, "reason": MAYBE_SENT, "settled_at": now, "updated_at": now}
    return len(session.execute(due.values(**fate).returning(col(PlannedMailing.id))).all())


def _put_key_back(keys: str) -> None:
    """The keys of an archive that holds them, where nothing else says which keys to use."""
    file = settings().key_file
    if keys and not settings().secret_key and not file.exists():
        file.parent.mkdir(parents=True, exist_ok=True)
        with os.fdopen(os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "w") as opened:
            opened.write(keys)
