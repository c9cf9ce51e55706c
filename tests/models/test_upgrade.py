"""A database of an earlier schema, with rows in it, is brought to the newest and back without losing any."""

import subprocess
import sys
from collections.abc import Iterator
from itertools import islice
from typing import Any

import pytest
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, MetaData, Table, delete, insert, inspect, select, text
from sqlmodel import select as select_rows

from clubapp import migrations, tokens
from clubapp.database import transaction
from clubapp.mail.messages import mail_kinds
from clubapp.mail.queue import pause
from clubapp.mail.transport.delivery import deliver
from clubapp.migrations import NOTHING
from clubapp.models import OutboxMail, directory_place
from clubapp.services import demo
from clubapp.set_aside import PREFIX
from tests.architecture.sources import ROOT
from tests.mail.mailings import fates

FIRST = "0001"
NEWEST, PREVIOUS = (
    script.revision for script in islice(ScriptDirectory.from_config(migrations.config()).walk_revisions(), 2)
)
THEN = "'2026-01-01 10:00:00.000000'"
ROWS = (
    "INSERT INTO members VALUES ('m1', 'Élise d''Haëne', 'Gérante', 'Atelier', NULL, '', '', 'elise@club.example', '',"
    f" '', '', '', '[]', '[]', TRUE, NULL, {THEN}, {THEN})",
    "INSERT INTO events (id, title, date, month, location, has_lunch, status, invitation_sent, created_by, created_at,"
    " updated_at) VALUES ('e1', 'Matinale', '2126-12-10 11:00:00.000000', '2126-12', 'Lens', TRUE, 'confirmed', TRUE,"
    f" 'helene@club.example', {THEN}, {THEN})",
    "INSERT INTO event_reservations (id, event_id, member_id, response_token, will_attend, with_lunch, guest_count,"
    f" created_at, updated_at) VALUES ('r1', 'e1', 'm1', :token, TRUE, TRUE, 2, {THEN}, {THEN})",
    "INSERT INTO email_reminder_settings VALUES ('s1', 'event_reminder_1', 14, TRUE, 'À bientôt', '')",
    *(
        "INSERT INTO mail_outbox (id, key, kind, recipient, member_id, event_id, reservation_id, context, message_id,"
        " priority, state, reason, attempts, available_at, lease_owner, relay_answer, created_at, updated_at) VALUES"
        f" ('o-{state}', 'k-{state}', 'invitation', '{state}@club.example', 'm1', 'e1', 'r1', '{{}}',"
        f" '<{state}@club.example>', 5, '{state}', '', 0, {THEN}, '', '', {THEN}, {THEN})"
        for state in ("pending", "sent", "uncertain")
    ),
)
_TEXTS = "role, company, activity_domain, description, phone, linkedin, website, image_url"
_EMPTY = ", ".join(["''"] * 8)
MIGRATE_IN_FOUR = """
from multiprocessing import get_context
from clubapp import migrations
running = [get_context("fork").Process(target=migrations.migrate) for _ in range(4)]
for process in running:
    process.start()
for process in running:
    process.join()
print([process.exitcode for process in running])
"""


@pytest.fixture
def any_schema(club: str) -> Iterator[str]:
    """A database for any schema. The tests to come find the newest, whatever becomes of this one."""
    yield club
    migrations.migrate()


def queue_of(kind: str) -> Any:
    """The mails of a kind."""
    return select_rows(OutboxMail).where(OutboxMail.kind == kind)


def test_the_files_of_the_revisions_are_numbered_so_that_the_last_is_the_newest() -> None:
    assert migrations.newest_revision() == NEWEST


def test_rows_of_the_first_schema_survive_up_and_down_and_its_queue_leaves_once(any_schema: str) -> None:
    migrations.migrate(FIRST, back=True)
    token = tokens.fingerprint(tokens.derive("answer", "r1"))
    with transaction() as session:
        for row in ROWS:
            session.connection().execute(text(row), {"token": token} if ":token" in row else {})
    for to in ("head", FIRST, "head"):
        migrations.migrate(to, back=True)
        with transaction() as session:
            figures = session.connection().execute(text("SELECT * FROM event_stats")).mappings().one()
            assert (figures["total_attending"], figures["total_with_lunch"], figures["total_guests"]) == (1, 1, 2)
    with transaction() as session:
        row = session.connection().execute(text("SELECT * FROM members")).mappings().one()
        assert (row["name"], bool(row["is_listed"]), row["email_failure"]) == ("Élise d'Haëne", True, "")
        assert row["directory_place"] == directory_place("Atelier", "Élise d'Haëne")
        setting = session.connection().execute(text("SELECT to_unanswered FROM email_reminder_settings")).scalar_one()
        assert bool(setting) is True
    assert deliver().sent == 0, "after a return all mail is paused"
    with transaction() as session:
        pause.end_pause(session)
    assert (deliver().sent, deliver().sent) == (1, 0)
    assert fates() == {
        "pending@club.example": "sent",
        "sent@club.example": "sent",
        "uncertain@club.example": "uncertain",
    }


@pytest.mark.parametrize("wording", [0, -1], ids=["newest", "oldest"])
def test_texts_that_the_club_never_changed_follow_the_built_in_ones_from_now_on(any_schema: str, wording: int) -> None:
    """Subject and content each by itself; the club's own words stay."""
    migrations.migrate("0003", back=True)
    shipped = ScriptDirectory.from_config(migrations.config()).get_revision("0004").module.SHIPPED
    own = {("event_reminder_1", "template_subject"): "Venez", ("event_reminder_2", "unanswered_content"): "Alors ?"}
    was = {key: texts[wording] for key, texts in shipped.items()} | own
    names = ("template_subject", "template_content", "unanswered_subject", "unanswered_content")
    row = text(
        "INSERT INTO email_reminder_settings (id, reminder_type, days_before, is_active, to_unanswered, "
        f"{', '.join(names)}) VALUES (:kind, :kind, 3, TRUE, TRUE, :{', :'.join(names)})"
    )
    with transaction() as session:
        for kind in dict.fromkeys(kind for kind, _ in was):
            session.connection().execute(row, {"kind": kind, **{name: was.get((kind, name), "") for name in names}})
    for to in ("head", "0003", "head"):
        migrations.migrate(to, back=True)
        with transaction() as session:
            kept = session.connection().execute(text("SELECT * FROM email_reminder_settings")).mappings().all()
        assert {(row["reminder_type"], name): row[name] for row in kept for name in names if row[name]} == own


def test_a_program_one_version_older_goes_on_working_on_the_newest_schema(any_schema: str) -> None:
    """Fails when a migration drops or renames what the version before reads, or adds what it does not know to fill."""
    migrations.migrate(PREVIOUS, back=True)
    before = MetaData()
    with transaction() as session:
        before.reflect(session.connection(), only=_is_of_the_schema, views=True)
    migrations.migrate()
    with transaction() as session:
        demo.load_club(session, members=4, companies=3, events=4)
        connection = session.connection()
        now = inspect(connection)
        for table in before.sorted_tables:
            known = {column.name for column in table.columns}
            there = {column["name"]: column for column in now.get_columns(table.name)}
            assert known <= set(there), table.name
            unknown = [column for name, column in there.items() if name not in known]
            if table.name != "event_stats":
                assert [column["name"] for column in unknown if not column["nullable"] and not column["default"]] == []
            row = connection.execute(select(table)).mappings().first()
            if row and table.primary_key:
                with connection.begin_nested() as tried:
                    _write_again(connection, table, dict(row))
                    tried.rollback()


def _is_of_the_schema(name: str, _: object) -> bool:
    return name != "alembic_version" and not name.startswith(PREFIX)


def _write_again(connection: Connection, table: Table, row: dict[str, object]) -> None:
    """Remove a row, and write it as the older program does."""
    which = [column == row[column.name] for column in table.primary_key.columns]
    connection.execute(delete(table).where(*which))
    connection.execute(insert(table).values(row))


def test_processes_that_migrate_at_once_all_succeed(any_schema: str) -> None:
    """Fails without the lock: the second to come finds tables that the first has just made."""
    with transaction() as session:
        migrations.migrate_connection(session.connection(), NOTHING)
    done = subprocess.run([sys.executable, "-c", MIGRATE_IN_FOUR], cwd=ROOT, capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("[0, 0, 0, 0]\n", "")
    assert migrations.describe_pending() == ""


def test_a_database_newer_than_the_program_is_refused(any_schema: str) -> None:
    with transaction() as session:
        session.connection().execute(text("UPDATE alembic_version SET version_num = '9999'"))
    try:
        for look in (migrations.migrate, migrations.describe_pending):
            with pytest.raises(migrations.NewerDatabase, match=rf"9999, plus récente que ce programme \({NEWEST}\)"):
                look()
    finally:
        with transaction() as session:
            session.connection().execute(text(f"UPDATE alembic_version SET version_num = '{NEWEST}'"))


def test_an_older_schema_is_refused_unless_it_is_asked_for(any_schema: str) -> None:
    with pytest.raises(migrations.OlderSchema, match=f"du schéma {NEWEST} au schéma {FIRST}") as refused:
        migrations.migrate(FIRST)
    assert (refused.value.before, migrations.describe_pending()) == (NEWEST, "")
    migrations.migrate(FIRST, back=True)
    with transaction() as session:
        assert migrations.read_revision(session.connection()) == FIRST
    migrations.migrate(PREVIOUS)  # forwards
    with transaction() as session:
        assert migrations.read_revision(session.connection()) == PREVIOUS


@pytest.mark.parametrize("back", [False, True])
def test_the_whole_schema_is_never_removed(any_schema: str, back: bool) -> None:
    with pytest.raises(migrations.WholeSchema):
        migrations.migrate(NOTHING, back=back)
    assert migrations.describe_pending() == ""


def test_a_schema_that_does_not_exist_is_refused(any_schema: str) -> None:
    with pytest.raises(migrations.UnknownRevision, match=f"connus\u00a0: {NEWEST}"):
        migrations.migrate("9998")
    assert migrations.describe_pending() == ""


def test_requests_for_erasure_in_the_journal_become_rows_and_their_mails_go_on(any_schema: str) -> None:
    """The latest of each member who is still there; what was answered meanwhile stays so after a way back and up."""
    migrations.migrate("0017", back=True)
    act = (
        "INSERT INTO acts (id, at, actor_kind, actor_id, operator, session_id, action, subject_kind, subject, detail,"
        f" changes_hash, previous_hash, entry_hash) VALUES (:id, {THEN}, 'member', '', '', '', 'erasure.asked',"
        " 'member', :member, '{}', '', '', '')"
    )
    with transaction() as session:
        run = session.connection().execute
        columns = f"id, name, email, is_active, created_at, updated_at, {_TEXTS}, expertise, services"
        values = f"'m1', 'Élise d''Haëne', 'elise@club.example', TRUE, {THEN}, {THEN}, {_EMPTY}, '[]', '[]'"
        run(text(f"INSERT INTO members ({columns}) VALUES ({values})"))
        for identifier, member in (("a1", "m1"), ("a2", "gone")):
            run(text(act), {"id": identifier, "member": member})
        mail = ROWS[4].replace("'invitation'", "'erasure_asked'")
        mail = mail.replace("'m1', 'e1', 'r1', '{}'", "NULL, NULL, NULL, :c")
        run(text(mail), {"c": '{"asking_id": "m1"}'})
    migrations.migrate()
    with transaction() as session:
        run = session.connection().execute
        (row,) = run(text("SELECT * FROM rights_requests")).mappings()
        assert (row["id"], row["kind"], row["member_id"], row["name"]) == ("a1", "erasure", "m1", "Élise d'Haëne")
        assert str(row["due_at"])[:10] == "2026-02-01"
        (queued,) = session.exec(queue_of("rights_asked"))
        assert queued.context == {"request_id": "a1"}
        assert "Haëne" in mail_kinds.compose(session, queued).context["name"]
        run(text(f"UPDATE rights_requests SET outcome = 'refused', answered_at = {THEN}"))
    for to in ("0017", "head"):
        migrations.migrate(to, back=True)
    with transaction() as session:
        (row,) = session.connection().execute(text("SELECT * FROM rights_requests")).mappings()
        assert row["outcome"] == "refused"
        assert len(session.exec(queue_of("rights_asked")).all()) == 1
