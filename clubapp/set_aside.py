"""What a downgrade takes away: counted before, set aside in tables of its own, and brought back by the return (R8).

The older program neither sees these tables nor writes them. The return fills in what its rows still allow: rows that
refer to a record that was deleted meanwhile stay away.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import (
    Column,
    Connection,
    MetaData,
    String,
    Table,
    and_,
    cast,
    column,
    delete,
    exists,
    func,
    insert,
    inspect,
    literal_column,
    select,
    table,
    text,
    update,
)

from clubapp import clock
from clubapp.database import insert_statement

PREFIX = "set_aside_"
_LOG = f"{PREFIX}log"
_downgrades = table(_LOG, column("came_to"))
_NAME = re.compile(rf"{PREFIX}(?P<revision>\w+?)_(?P<what>rows|values)_(?P<table>\w+)")
# Values that go only with an answer: they are brought back where the older program has not changed it.
_GO_WITH = {"event_reservations": ("will_attend", "guest_count")}
PAUSED_BY = "downgrade"
WENT = "La base est revenue du schéma {before} au schéma {after}."
CAME_BACK = (
    "Un programme plus ancien a servi sur cette base (schéma {after})\u00a0: voyez «\u00a0Envois à venir\u00a0» avant "
    "de reprendre."
)
MAYBE_SENT = "Un programme plus ancien servait à la date de cet envoi\u00a0: il est peut-être déjà parti."


@dataclass(frozen=True)
class Loss:
    """A table or, with `column`, a column that a downgrade removes, and how many rows have something in it."""

    table: str
    column: str
    rows: int

    @property
    def name(self) -> str:
        """As an administrator of databases writes it."""
        return f"{self.table}.{self.column}" if self.column else self.table


def exclude_writers(connection: Connection) -> None:
    """Let nobody write until this transaction ends: a row that came between its copy and its removal would be lost.

    Servers are excluded already; a command may run beside. SQLite has one writer anyway. Tables that refer to others
    come first, as writers take them.
    """
    if connection.dialect.name == "postgresql":
        names = [name for name, _ in reversed(inspect(connection).get_sorted_table_and_fkc_names()) if name]
        connection.execute(text(f"LOCK TABLE {', '.join(names)} IN ACCESS EXCLUSIVE MODE"))


def find_losses(connection: Connection, downgrade: Callable[[], None]) -> tuple[Loss, ...]:
    """What `downgrade` removes, found by running it and rolling it back."""
    before = _read_columns(connection)
    with connection.begin_nested() as trial:
        downgrade()
        after = _read_columns(connection)
        trial.rollback()
    lost = [(name, "") for name in before if name not in after]
    lost += [(name, one) for name in before if name in after for one in before[name] if one not in after[name]]
    return tuple(Loss(*each, _count(connection, *each, before)) for each in lost)


def put_aside(connection: Connection, losses: Sequence[Loss], before: str) -> None:
    """Copy what will be lost; of columns every value, for a migration may fill them otherwise."""
    for name in sorted({loss.table for loss in losses if loss.column or loss.rows}):
        columns = [loss.column for loss in losses if loss.table == name]
        what, kept = "rows", "*"
        if columns != [""]:
            keys = inspect(connection).get_pk_constraint(name)["constrained_columns"]
            what, kept = "values", ", ".join([*keys, *_GO_WITH.get(name, ()), *columns])
        copy = f"{PREFIX}{before}_{what}_{name}"
        connection.execute(text(f"DROP TABLE IF EXISTS {copy}"))
        connection.execute(text(f"CREATE TABLE {copy} AS SELECT {kept} FROM {name}"))  # noqa: S608 - names of our schema


def note_downgrade(connection: Connection, before: str, after: str) -> None:
    """Pause all mail, where the older schema knows a pause, and remember that there was a downgrade."""
    connection.execute(text(f"CREATE TABLE IF NOT EXISTS {_LOG} (came_to VARCHAR NOT NULL)"))
    connection.execute(insert(_downgrades).values(came_to=after))
    _pause(connection, WENT.format(before=before, after=after))


def bring_back(connection: Connection) -> None:
    """After an upgrade: put back what was set aside and has its place again, and pause all mail."""
    if not inspect(connection).has_table(_LOG):
        return
    schema = MetaData()
    schema.reflect(connection)
    came_to = connection.execute(select(func.min(_downgrades.c.came_to))).scalar_one()
    for target in schema.sorted_tables:
        for copy in sorted(name for name in schema.tables if _is_of(name, target.name)):
            if set(schema.tables[copy].columns.keys()) <= set(target.columns.keys()):
                _fill(connection, target, schema.tables[copy])
                connection.execute(text(f"DROP TABLE {copy}"))
    if not any(_NAME.fullmatch(name) for name in inspect(connection).get_table_names()):
        connection.execute(text(f"DROP TABLE {_LOG}"))
    _pause(connection, CAME_BACK.format(after=came_to))


def drop_all(connection: Connection) -> None:
    """Forget what was set aside, of a club that another one replaces."""
    for name in inspect(connection).get_table_names():
        if name == _LOG or _NAME.fullmatch(name):
            connection.execute(text(f"DROP TABLE {name}"))


def _read_columns(connection: Connection) -> dict[str, dict[str, str | None]]:
    """The default of each column of each table."""
    found = inspect(connection).get_multi_columns()
    return {
        name: {one["name"]: one.get("default") for one in columns}
        for (_, name), columns in found.items()
        if not name.startswith(PREFIX)
    }


def _count(connection: Connection, name: str, of: str, known: dict[str, dict[str, str | None]]) -> int:
    counted = select(func.count()).select_from(table(name))
    if of:
        value = cast(column(of), String)
        counted = counted.where(value.is_not(None))
        if default := known[name][of]:
            counted = counted.where(value != cast(literal_column(default), String))
    return connection.execute(counted).scalar_one()


def _is_of(copy: str, name: str) -> bool:
    found = _NAME.fullmatch(copy)
    return found is not None and found["table"] == name


def _fill(connection: Connection, target: Table, copy: Table) -> None:
    found = _NAME.fullmatch(copy.name)
    if found and found["what"] == "rows":
        _put_rows_back(connection, target, copy)
        _settle(connection, target)
    else:
        _put_values_back(connection, target, copy)


def _put_rows_back(connection: Connection, target: Table, copy: Table) -> None:
    names = list(copy.columns.keys())
    refers = [
        copy.c[key.parent.name].is_(None) | exists().where(key.column == copy.c[key.parent.name])
        for key in target.foreign_keys
    ]
    is_there = exists().where(*(one == copy.c[one.name] for one in target.primary_key)).correlate(copy)
    rows = select(*(copy.c[name] for name in names)).where(*refers, ~is_there)
    statement: Any = insert_statement(connection.dialect.name, target)  # pyright: ignore[reportArgumentType]
    connection.execute(statement.from_select(names, rows).on_conflict_do_nothing())


def _put_values_back(connection: Connection, target: Table, copy: Table) -> None:
    keys = {one.name for one in target.primary_key}
    guards = [name for name in _GO_WITH.get(target.name, ()) if name in copy.columns]
    same = and_(
        *(target.c[name] == copy.c[name] for name in keys),
        *(target.c[name].is_not_distinct_from(copy.c[name]) for name in guards),
    )
    values = {
        one.name: select(one).where(same).scalar_subquery()
        for one in copy.columns
        if one.name not in keys and one.name not in guards
    }
    connection.execute(update(target).values(values).where(exists().where(same)))


def _settle(connection: Connection, came_back: Table) -> None:
    """What the time under the older program means for rows that were away."""
    if came_back.name == "planned_mailings":
        is_due = came_back.c["state"] == "planned", came_back.c["due_at"] <= clock.now()
        connection.execute(update(came_back).where(*is_due).values(state="missed", reason=MAYBE_SENT))
    if came_back.name == "acts":  # the downgrade had copied them to where the older program reads them
        connection.execute(text("DELETE FROM audit_entries WHERE id IN (SELECT id FROM acts)"))
    if came_back.name == "act_people":  # those who were erased meanwhile stay as a pseudonym
        of_nobody = came_back.c["member_id"].not_in(select(column("id")).select_from(table("members")))
        connection.execute(update(came_back).where(of_nobody).values(email=None))


def _pause(connection: Connection, reason: str) -> None:
    """Hold the queue until a person ends it. A pause that a person asked for stays as it is."""
    if not inspect(connection).has_table("mail_pause"):
        return
    pause = Table("mail_pause", MetaData(), autoload_with=connection)
    until: Column[Any] = pause.c["until"]
    connection.execute(delete(pause).where(until.is_not(None)))
    if not connection.execute(select(pause.c["id"])).first():
        row = {"id": 1, "since": clock.now(), "until": None, "reason": reason, "by": PAUSED_BY}
        connection.execute(insert(pause).values(row))
