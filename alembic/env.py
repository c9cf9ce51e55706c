"""Runs the migrations on the connection that `clubapp.migrations` opened."""

from sqlmodel import SQLModel
from sqlmodel.sql.sqltypes import AutoString

import clubapp.models  # noqa: F401 - fills the metadata
from alembic import context
from clubapp.database import engine
from clubapp.models.base import UtcDateTime


def render_item(kind: str, item: object, _context: object) -> str | bool:
    """Write our own column types as the plain ones below them: a migration outlives the models."""
    if kind == "type" and isinstance(item, UtcDateTime):
        return "sa.DateTime(timezone=True)"
    if kind == "type" and isinstance(item, AutoString):
        return f"sa.String({item.length or ''})"
    return False


def run(connection: object) -> None:
    """Run every pending step in one transaction."""
    context.configure(
        connection=connection,
        target_metadata=SQLModel.metadata,
        render_as_batch=True,
        render_item=render_item,
        transaction_per_migration=False,
    )
    with context.begin_transaction():
        context.run_migrations()


given = context.config.attributes.get("connection")
if given is not None:
    run(given)
else:
    with engine().connect() as opened:
        run(opened)
