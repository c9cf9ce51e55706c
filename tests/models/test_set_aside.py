"""A way back and the return lose nothing: what goes is named with its rows, set aside, and brought back."""

import threading
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime
from typing import Any

import pytest
from sqlalchemy import JSON, Column, Connection, inspect, text
from sqlalchemy.exc import DBAPIError
from sqlmodel import SQLModel, select

from clubapp import clock, migrations, set_aside
from clubapp.database import reading, transaction
from clubapp.models import Act, MailPause, Member, PlannedMailing, PublicationChoice, ReservationAnswer
from clubapp.services.base import act_chain, audit, former_acts
from clubapp.services.base.actors import SYSTEM, Actor
from clubapp.services.mail_log import queue_pause
from tests.services.backups.club_copies import load_club, rows

HELENE = Actor(email="helene@club.example", is_admin=True)
# The journal is chained, its forerunner is what an older program writes, a pause with an end gives way to one without.
NOT_FILLED = {"mail_pause", "acts", "act_chain", "act_changes", "act_people", "audit_entries"}
ALLOWED = {
    ("broadcast_emails", "status"): "sent",
    ("arrival_touches", "kind"): "arrived",
    ("competition_decisions", "verdict"): "accepted",
    ("mail_outbox", "state"): "failed",
}


@pytest.fixture
def whole_club(club: str, environment: pytest.MonkeyPatch) -> Iterator[dict[str, list[dict[str, Any]]]]:
    """A club with answers and plans, and all its rows. The tests to come find the newest schema."""
    load_club()
    with transaction() as session:
        queue_pause.pause_queue(session, SYSTEM)
        session.execute(text("UPDATE members SET shows_phone = FALSE WHERE id = (SELECT min(id) FROM members)"))
        reservation = session.execute(text("SELECT min(id) FROM event_reservations")).scalar_one()
        waits = "UPDATE event_reservations SET waiting_since = created_at, waiting_rank = 1 WHERE id = :id"
        session.execute(text(waits), {"id": reservation})
        session.execute(text("UPDATE planned_mailings SET state = 'suspended' WHERE state = 'planned'"))
        session.add(ReservationAnswer(reservation_id=reservation, at=clock.now(), will_attend=True))
        entered = session.execute(text("SELECT max(id) FROM members")).scalar_one()
        session.execute(
            text("UPDATE members SET entered_via = 'import', needs_consent = TRUE WHERE id = :id"), {"id": entered}
        )
        session.add(
            PublicationChoice(
                member_id=entered, choice="shows_photo", is_shown=False, wording="Ne pas montrer ma photo", via="link",
                made_by="m@club.example", at=clock.now(),
            )
        )  # fmt: skip
        changes = {"trade": ("Couvreuse", "Charpentière")}
        audit.record(session, HELENE, "member.updated", entered, changes=changes)
        session.flush()
        fill(session.connection())
    yield rows()
    with transaction() as session:
        set_aside.drop_all(session.connection())
    migrations.migrate()


def fill(connection: Connection) -> None:
    """Give every table a row, and every column of at least one row a value that is neither missing nor a default."""
    for table in SQLModel.metadata.sorted_tables:
        if table.name in NOT_FILLED:
            continue
        there = connection.execute(table.select()).mappings().all()
        if not there:
            connection.execute(table.insert().values({column.name: value_of(connection, column) for column in table.c}))
        free = [column for column in table.c if all(row[column.name] in (None, False, "") for row in there)]
        values = {column.name: value_of(connection, column) for column in free if column.name != "position"}
        if there and values:
            one = next((row for row in there if "reservation_id" not in row or row["reservation_id"]), there[0])
            same = (column == one[column.name] for column in table.primary_key)
            connection.execute(table.update().where(*same).values(values))


def value_of(connection: Connection, column: Column[Any]) -> Any:
    """Any value that the column takes."""
    for key in column.foreign_keys:
        return connection.execute(select(key.column)).scalars().first()
    kind = getattr(column.type, "impl", column.type)
    if isinstance(kind, JSON):
        return {"of": [1]}
    kinds: dict[type, Any] = {bool: True, int: 1, datetime: clock.now()}
    text_of = f"{column.table.name}.{column.name}".lower()[: getattr(kind, "length", None) or None]
    return ALLOWED.get((column.table.name, column.name), kinds.get(kind.python_type, text_of))


def names_of_tables() -> set[str]:
    """Every table of the database, ours or set aside."""
    with reading() as session:
        return set(inspect(session.connection()).get_table_names())


def test_a_way_back_and_the_return_change_no_row(whole_club: dict[str, list[dict[str, Any]]]) -> None:
    assert [name for name, held in whole_club.items() if not held] == ["audit_entries"]
    tables = names_of_tables()
    for to in ("0017", "0007", "0003", "0002", "0001"):
        went = migrations.migrate(to, back=True)
        came = migrations.migrate()
        assert went is not None
        assert came is not None
        assert (went.after, came.before) == (to, to)
        assert went.steps == tuple(reversed(came.steps))
        after = rows()
        for name, held in whole_club.items():
            assert after[name] == held, (to, name)
        assert names_of_tables() == tables, to
        with transaction() as session:
            former_acts.adopt_former_acts(session)
            act_chain.verify(session)
            assert len(session.exec(select(Act)).all()) == len(whole_club["acts"])


def test_what_commands_write_meanwhile_is_there_after_the_return(whole_club: dict[str, list[dict[str, Any]]]) -> None:
    """Servers are refused; a command of a timer is not. What it was told is stored outlives every way back."""
    reservation, confirmed, ended = whole_club["event_reservations"][0]["id"], list[str](), threading.Event()

    def write() -> None:
        while not ended.is_set():
            row = ReservationAnswer(reservation_id=reservation, at=clock.now(), will_attend=True)
            with suppress(DBAPIError), transaction() as session:  # its table is away
                session.add(row)
                session.flush()
                number = row.id
                session.commit()
                confirmed.append(number)

    def wait_for_more() -> None:
        goal = len(confirmed) + 10
        while len(confirmed) < goal:
            assert any(writer.is_alive() for writer in writers)
            ended.wait(0.01)

    writers = [threading.Thread(target=write) for _ in range(3)]
    for writer in writers:
        writer.start()
    try:
        for to in ("0003", "0001"):
            wait_for_more()
            migrations.migrate(to, back=True)
            migrations.migrate()
        wait_for_more()
    finally:
        ended.set()
        for writer in writers:
            writer.join()
    after = rows()
    assert not set(confirmed) - {row["id"] for row in after["reservation_answers"]}
    assert {name: after[name] for name in ("members", "event_reservations", "acts")} == {
        name: whole_club[name] for name in ("members", "event_reservations", "acts")
    }


def test_what_goes_is_named_with_its_rows_and_nothing_is_changed(whole_club: dict[str, list[dict[str, Any]]]) -> None:
    with pytest.raises(migrations.OlderSchema) as refused:
        migrations.migrate("0001")
    told = {loss.name: loss.rows for loss in refused.value.losses}
    assert told["mail_pause"] == 1
    assert told["reservation_answers"] == len(whole_club["reservation_answers"])
    assert told["members.shows_phone"] == 1
    assert told["members.shows_email"] == 0
    assert told["event_reservations.waiting_since"] == 1
    assert "members.name" not in told
    assert rows() == whole_club


def test_mail_is_paused_after_the_way_back_and_after_the_return(whole_club: dict[str, list[dict[str, Any]]]) -> None:
    for to in ("0003", "head"):
        with transaction() as session:
            session.execute(text("DELETE FROM mail_pause"))
        migrations.migrate(to, back=True)
        with transaction() as session:
            (held,) = session.exec(select(MailPause))
            assert (held.until, held.by) == (None, set_aside.PAUSED_BY)
            assert "schéma" in held.reason


def test_what_the_older_program_did_meanwhile_stays_done(whole_club: dict[str, list[dict[str, Any]]]) -> None:
    """It deletes a member, changes the answer of someone who waited, and its time passes the date of a mailing."""
    with transaction() as session:
        session.execute(text("UPDATE planned_mailings SET state = 'planned', due_at = '2020-01-01 09:00:00+00:00'"))
        waiting = session.execute(text("SELECT id FROM event_reservations WHERE waiting_rank = 1")).scalar_one()
    migrations.migrate("0001", back=True)
    with transaction() as session:
        session.execute(text("UPDATE event_reservations SET will_attend = FALSE WHERE id = :id"), {"id": waiting})
        keeps = "SELECT member_id FROM event_reservations WHERE id = :id"
        gone = text(f"DELETE FROM members WHERE id = (SELECT max(id) FROM members WHERE id <> ({keeps}))")
        session.execute(gone, {"id": waiting})
    migrations.migrate()
    with reading() as session:
        assert len(session.exec(select(Member)).all()) == len(whole_club["members"]) - 1
        rank = session.execute(text("SELECT waiting_rank FROM event_reservations WHERE id = :id"), {"id": waiting})
        assert rank.scalar_one() is None
        mailings = session.exec(select(PlannedMailing)).all()
        assert {(one.state, one.reason) for one in mailings} == {("missed", set_aside.MAYBE_SENT)}
        assert mailings
