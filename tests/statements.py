"""What is asked of the database."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import event

from clubapp import database


@contextmanager
def counted() -> Iterator[list[str]]:
    """The statements that reach the database."""
    seen: list[str] = []

    def note(_connection: Any, _cursor: Any, statement: str, *_rest: Any) -> None:
        seen.append(statement)

    event.listen(database.engine(), "before_cursor_execute", note)
    try:
        yield seen
    finally:
        event.remove(database.engine(), "before_cursor_execute", note)
