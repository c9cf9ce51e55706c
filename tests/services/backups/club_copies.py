"""A club of pictures, people and plans, and what is in it: to see whether a copy holds the same."""

import hashlib
from collections.abc import Callable
from typing import Any

from sqlalchemy import select
from sqlmodel import SQLModel

from clubapp import migrations
from clubapp.database import reading, transaction
from clubapp.infra import image_store
from clubapp.jobs import schedule
from clubapp.services import demo
from tests.factories import settle_due_mailings

ENGINES = ("sqlite", "postgres")
Move = Callable[[str], None]


def rows() -> dict[str, list[dict[str, Any]]]:
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


def load_club() -> None:
    """The fictional club, its pictures, what is planned."""
    migrations.migrate()
    with transaction() as session:
        demo.load_club(session, members=8, companies=5, events=6)
    schedule.plan_mailings()
    with transaction() as session:
        settle_due_mailings(session)
    image_store.save("avatars", b"\xff\xd8 a face")
    image_store.save("logos", b"\xff\xd8 a logo")
