"""Shared by all tables: metadata and column types."""

from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

from sqlalchemy import JSON, DateTime, MetaData, false, true
from sqlalchemy.types import TypeDecorator
from sqlmodel import Field, SQLModel

SQLModel.metadata = MetaData(
    naming_convention={
        "ix": "ix_%(column_0_label)s",
        "uq": "uq_%(table_name)s_%(column_0_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "pk": "pk_%(table_name)s",
    }
)


class UtcDateTime(TypeDecorator[datetime]):
    """An aware instant, stored in UTC on every engine."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Any) -> datetime | None:  # noqa: ARG002 - SQLAlchemy's signature
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("a time without its zone cannot be stored")
        return value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Any) -> datetime | None:  # noqa: ARG002 - SQLAlchemy's signature
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


def new_id() -> str:
    """An opaque identifier (E1)."""
    return str(uuid4())


def id_column() -> Any:
    """The primary key column of a table with opaque identifiers."""
    return Field(default_factory=new_id, primary_key=True, max_length=36)


def instant_column(*, nullable: bool = False, index: bool = False, default: datetime | None = None) -> Any:
    """A column that holds an instant."""
    if nullable:
        return Field(default=default, nullable=True, index=index, sa_type=UtcDateTime)
    return Field(nullable=False, index=index, sa_type=UtcDateTime)


def flag_column(*, default: bool) -> Any:
    """A boolean column with a server default, for adding to a table that holds rows."""
    return Field(default=default, nullable=False, sa_column_kwargs={"server_default": true() if default else false()})


def number_column(*, default: int = 0) -> Any:
    """An integer column with a server default, for adding to a table that holds rows."""
    return Field(default=default, nullable=False, sa_column_kwargs={"server_default": str(default)})


def text_column(*, default: str = "") -> Any:
    """A text column with a server default, for adding to a table that holds rows."""
    return Field(default=default, nullable=False, sa_column_kwargs={"server_default": default})


def _no_items() -> list[Any]:
    """An empty list. What `list` itself takes would be looked up for each new row, which takes longer than all else."""
    return []


def list_column() -> Any:
    """A JSON column for a list."""
    return Field(default_factory=_no_items, nullable=False, sa_type=JSON)
