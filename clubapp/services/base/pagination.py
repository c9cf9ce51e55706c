"""One page of a long list: the same few queries however long it is.

A page is read whole; a search reads only the columns it compares.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import func
from sqlmodel import Session, col, select

from clubapp.services.base.search import LONGEST_QUERY, find

PAGE = 50
_MOST_SHOWN = 20_000


@dataclass(frozen=True)
class Part:
    """The first rows of those that answer, how many answer, and how many there are in all."""

    total: int
    count: int
    rows: Sequence[Any]

    @property
    def more(self) -> int:
        """How many of those that answer stay unread."""
        return self.count - len(self.rows)


def first(
    session: Session, table: Any, conditions: Sequence[Any], *, text: str, compared: Sequence[Any], shown: int
) -> Part:
    """The newest rows of a table that meet the conditions; with a `text`, the nearest of those it finds."""
    shown = max(1, min(shown, _MOST_SHOWN))
    total = session.scalar(select(func.count()).select_from(table)) or 0
    if text.strip():
        ids = _found(session, table, conditions, text, compared)
        rows = {row.id: row for row in session.exec(select(table).where(col(table.id).in_(ids[:shown])))}
        return Part(total, len(ids), [rows[one] for one in ids[:shown] if one in rows])
    narrowed = select(func.count()).select_from(table).where(*conditions)
    count = (session.scalar(narrowed) or 0) if conditions else total
    return Part(total, count, session.exec(_newest(table, select(table)).where(*conditions).limit(shown)).all())


def _newest(table: Any, query: Any) -> Any:
    return query.order_by(col(table.created_at).desc(), col(table.name), col(table.id))


def _found(
    session: Session, table: Any, conditions: Sequence[Any], text: str, compared: Sequence[Any]
) -> Sequence[str]:
    query: Any = select(table.id, *compared)
    rows = session.exec(_newest(table, query.where(*conditions))).all()
    places = find([tuple(value or "" for value in row[1:]) for row in rows], text[:LONGEST_QUERY])
    return [rows[place][0] for place in places]
