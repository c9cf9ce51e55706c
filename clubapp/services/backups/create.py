"""Backup of a running club: the rows of one instant and every picture they name."""

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, MetaData, Table, select
from sqlmodel import SQLModel

import clubapp.models  # noqa: F401 - fills the metadata
from clubapp import clock, migrations, tokens
from clubapp.database import snapshot
from clubapp.infra import image_store
from clubapp.refusals import Conflict, NotFound
from clubapp.services.backups import archive
from clubapp.services.backups.archive import ArchiveContents, ArchiveWriter
from clubapp.settings import settings

NO_SCHEMA = (
    "La base n’a pas de schéma\u00a0: il n’y a rien à sauvegarder. Lancez «\u00a0python -m clubapp migrate\u00a0»."
)
KEY_PURPOSE = "backup"
_TOGETHER = 500
# Rows of several megabytes are read one by one.
_ONE_BY_ONE = {"mail_attachments"}


def make_backup(file: Path, *, with_key: bool = False) -> ArchiveContents:
    """Write database and pictures into one archive while the site runs. An existing file is replaced at the end.

    The signing key is included only `with_key` (decision 0011).

    Raises:
        Conflict: when the database has no schema.
        OSError: when the file cannot be written.
    """
    file = file.expanduser().resolve()
    with archive.write_archive(file, clock.to_local(clock.now())) as writer:
        # Pictures are read before the rows, so that one removed meanwhile is still in the archive if the rows name it.
        # Those added meanwhile are read afterwards. Pictures never change.
        pictures = _write_pictures(writer, set())
        begun = clock.now()
        with snapshot() as session:
            connection = session.connection()
            schema = migrations.read_revision(connection)
            if schema is None:
                raise Conflict(NO_SCHEMA)
            rows = {table.name: _write_table(connection, table, writer) for table in _tables(connection)}
        pictures |= _write_pictures(writer, pictures)
        if with_key:
            writer.add(archive.KEY, [",".join(settings().keys).encode()])
        key = tokens.fingerprint(tokens.derive(KEY_PURPOSE, ""))
        contents = ArchiveContents(schema, begun, key, rows, len(pictures))
        writer.seal(contents)
    return replace(contents, bytes=file.stat().st_size)


def _tables(connection: Connection) -> list[Table]:
    """Our tables as the database has them now, whatever its revision; those that others refer to come first."""
    found = MetaData()
    found.reflect(connection, only=lambda name, _: name in SQLModel.metadata.tables)
    return found.sorted_tables


def _write_table(connection: Connection, table: Table, writer: ArchiveWriter) -> int:
    count = 0

    def lines() -> Iterator[bytes]:
        nonlocal count
        query = select(table).order_by(*table.primary_key.columns)
        together = 1 if table.name in _ONE_BY_ONE else _TOGETHER
        for row in connection.execution_options(yield_per=together).execute(query).mappings():
            count += 1
            yield json.dumps(dict(row), default=_plain, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"

    writer.add(f"tables/{table.name}.jsonl", lines())
    return count


def _plain(value: Any) -> str:
    """An instant as ISO 8601 in UTC; SQLite returns UTC without a zone."""
    if not isinstance(value, datetime):
        raise TypeError(f"{type(value).__name__} has no form in a backup")
    return (value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)).isoformat()


def _write_pictures(writer: ArchiveWriter, known: set[str]) -> set[str]:
    """Write the pictures that are not `known`; return their paths."""
    stored = {one.path for bucket in image_store.BUCKETS for one in image_store.list_images(bucket)}
    return {path for path in sorted(stored - known) if _write_picture(writer, path)}


def _write_picture(writer: ArchiveWriter, path: str) -> bool:
    """False when the picture was removed meanwhile."""
    try:
        content = image_store.read(path)
    except NotFound:
        return False
    writer.add(f"media/{path}", [content], packed=False)
    return True
