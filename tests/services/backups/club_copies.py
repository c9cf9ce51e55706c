"""A club of pictures, people and plans, and what is in it: to see whether a copy holds the same."""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from sqlalchemy import insert, select
from sqlmodel import SQLModel

from clubapp import migrations
from clubapp.database import engine, reading, transaction
from clubapp.infra import image_store
from clubapp.jobs import schedule
from clubapp.services import demo
from clubapp.settings import settings
from tests.factories import settle_due_mailings

ENGINES = ("sqlite", "postgres")
Move = Callable[[str], None]
Rows = dict[str, list[dict[str, Any]]]


def rows() -> Rows:
    """Every row of every table."""
    with reading() as session:
        return {
            table.name: [
                dict(row) for row in session.connection().execute(select(table).order_by(*table.primary_key)).mappings()
            ]
            for table in SQLModel.metadata.sorted_tables
        }


def pictures() -> dict[str, str]:
    """The checksum of every picture."""
    paths = [stored.path for bucket in image_store.BUCKETS for stored in image_store.list_images(bucket)]
    return {path: hashlib.sha256(image_store.read(path)).hexdigest() for path in paths}


@dataclass(frozen=True)
class _Made:
    """A club that was made once by a process."""

    rows: Rows
    pictures: dict[str, bytes]


def make_schema() -> None:
    """The newest schema in an empty place, which on SQLite is that of the first time."""
    if settings().uses_sqlite and not _file().stat().st_size:
        engine().dispose()
        _file().write_bytes(_empty_file())
    migrations.migrate()


def load_club() -> None:
    """The fictional club, its pictures, what is planned: written again where it was made before with the same key."""
    make_schema()
    made = _make_club(settings().keys[0])
    there = rows()
    with transaction() as session:
        for table in SQLModel.metadata.sorted_tables:
            if missing := [row for row in made.rows[table.name] if row not in there[table.name]]:
                session.connection().execute(insert(table), missing)
    for path in made.pictures.keys() - pictures().keys():
        image_store.restore_image(path, made.pictures[path])


@cache
def _make_club(_key: str) -> _Made:
    """In the database of the test that comes first."""
    with transaction() as session:
        demo.load_club(session, members=8, companies=5, events=6)
    schedule.plan_mailings()
    with transaction() as session:
        settle_due_mailings(session)
    image_store.save("avatars", b"\xff\xd8 a face")
    image_store.save("logos", b"\xff\xd8 a logo")
    return _Made(rows(), {path: image_store.read(path) for path in pictures()})


@cache
def _empty_file() -> bytes:
    """What the migrations make of an empty SQLite file, in that of the test that comes first."""
    migrations.migrate()
    engine().dispose()  # the last connection brings everything into the file
    return _file().read_bytes()


def _file() -> Path:
    return Path(settings().database_url.removeprefix("sqlite:///"))
