"""The first rows of a long list, in a constant number of queries.

A search reads only the columns it compares of all rows, then the whole rows it shows.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import func
from sqlmodel import Session, col, select

from clubapp.services.base.search import LONGEST_QUERY, find_records

PAGE_SIZE = 50
_MOST_SHOWN = 20_000


@dataclass(frozen=True)
class ListPart:
    """The first matching rows; `count` matching rows in all, out of `total` rows of the table."""

    total: int
    count: int
    rows: Sequence[Any]

    @property
    def more(self) -> int:
        """How many matching rows are not among `rows`."""
        return self.count - len(self.rows)


def read_first_rows(
    session: Session, table: Any, conditions: Sequence[Any], *, text: str, compared: Sequence[Any], shown: int
) -> ListPart:
    """Read at most `shown` rows that meet the conditions: the newest first, or with a `text` the best matches first."""
    shown = max(1, min(shown, _MOST_SHOWN))
    total = session.scalar(select(func.count()).select_from(table)) or 0
    if text.strip():
        ids = _found(session, table, conditions, text, compared)
        rows = {row.id: row for row in session.exec(select(table).where(col(table.id).in_(ids[:shown])))}
        return ListPart(total, len(ids), [rows[one] for one in ids[:shown] if one in rows])
    narrowed = select(func.count()).select_from(table).where(*conditions)
    count = (session.scalar(narrowed) or 0) if conditions else total
    return ListPart(total, count, session.exec(_newest(table, select(table)).where(*conditions).limit(shown)).all())


def _text(value: Any) -> str:
    return " ".join(value) if isinstance(value, list) else value or ""


def _newest(table: Any, query: Any) -> Any:
    return query.order_by(col(table.created_at).desc(), col(table.name), col(table.id))


def _found(
    session: Session, table: Any, conditions: Sequence[Any], text: str, compared: Sequence[Any]
) -> Sequence[str]:
    query: Any = select(table.id, *compared)
    rows = session.exec(_newest(table, query.where(*conditions))).all()
    places = find_records([tuple(map(_text, row[1:])) for row in rows], text[:LONGEST_QUERY])
    return [rows[place][0] for place in places]
