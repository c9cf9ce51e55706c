"""The first rows of a long list, in a constant number of queries.

A search or an order reads only the columns it compares of all rows, then the whole rows it shows.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import func
from sqlmodel import Session, col, select

from clubapp.services.base.search import LONGEST_QUERY, find_records
from clubapp.text.collation import fold

PAGE_SIZE = 50
MOST_CHOSEN = 300  # records on which one act is done at once
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


@dataclass(frozen=True)
class Order:
    """By what the rows are sorted: the value made of `columns`, a text or a moment. Rows without one come last."""

    columns: Sequence[Any]
    is_descending: bool = False
    value: Callable[..., Any] = lambda first, *_: first


def parse_order(orders: Mapping[str, Order], typed: str) -> Order | None:
    """The order of a name in an address, '-' before it for a descending one; None for an unknown name."""
    order = orders.get(typed.removeprefix("-"))
    return replace(order, is_descending=typed.startswith("-")) if order else None


def read_first_rows(
    session: Session,
    table: Any,
    conditions: Sequence[Any],
    *,
    text: str,
    compared: Sequence[Any],
    shown: int,
    order: Order | None = None,
) -> ListPart:
    """Read at most `shown` rows that meet the conditions, in an `order`. Without one the best matches of a `text` come
    first, and without a text the newest.
    """
    shown = max(1, min(shown, _MOST_SHOWN))
    total = session.scalar(select(func.count()).select_from(table)) or 0
    if text.strip() or order:
        ids = find_ids(session, table, conditions, text=text, compared=compared, order=order)
        rows = {row.id: row for row in session.exec(select(table).where(col(table.id).in_(ids[:shown])))}
        return ListPart(total, len(ids), [rows[one] for one in ids[:shown] if one in rows])
    narrowed = select(func.count()).select_from(table).where(*conditions)
    count = (session.scalar(narrowed) or 0) if conditions else total
    return ListPart(total, count, session.exec(_newest(table, select(table)).where(*conditions).limit(shown)).all())


def find_ids(
    session: Session,
    table: Any,
    conditions: Sequence[Any],
    *,
    text: str,
    compared: Sequence[Any],
    order: Order | None = None,
) -> Sequence[str]:
    """The identifiers of all rows that meet the conditions, in the order of `read_first_rows`."""
    if text.strip():
        found = _found(session, table, conditions, text, compared)
        return _sorted(session, table, conditions, order, set(found)) if order else found
    if order:
        return _sorted(session, table, conditions, order)
    return session.exec(_newest(table, select(table.id)).where(*conditions)).all()


def _sorted(
    session: Session, table: Any, conditions: Sequence[Any], order: Order, found: set[str] | None = None
) -> Sequence[str]:
    query: Any = select(table.id, table.name, *order.columns)
    rows = session.exec(query.where(*conditions)).all()
    valued = [(row[0], fold(row[1]), _comparable(order.value(*row[2:]))) for row in rows]
    if found is not None:
        valued = [row for row in valued if row[0] in found]
    valued.sort(key=lambda row: row[1:2] + row[:1])
    known = sorted((row for row in valued if row[2]), key=lambda row: row[2], reverse=order.is_descending)
    return [row[0] for row in [*known, *(row for row in valued if not row[2])]]


def _comparable(value: Any) -> Any:
    return fold(value) if isinstance(value, str) else value


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
