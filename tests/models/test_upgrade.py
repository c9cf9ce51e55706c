"""A database of the first schema, with rows in it, is brought to the newest and back without losing any."""

import pytest
from sqlalchemy import text

from alembic import command
from clubapp import migrations
from clubapp.database import transaction
from tests.conftest import forget_settings

FIRST = "0001"
ROWS = (
    "INSERT INTO members VALUES ('m1', 'Élise d''Haëne', 'Gérante', 'Atelier', NULL, '', '', 'elise@club.example', '',"
    " '', '', '', '[]', '[]', TRUE, NULL, '2026-01-01 10:00:00+00:00', '2026-01-01 10:00:00+00:00')",
    "INSERT INTO events (id, title, date, month, location, has_lunch, status, invitation_sent, created_by, created_at,"
    " updated_at) VALUES ('e1', 'Matinale', '2026-12-10 11:00:00+00:00', '2026-12', 'Lens', TRUE, 'confirmed', TRUE,"
    " 'helene@club.example', '2026-01-01 10:00:00+00:00', '2026-01-01 10:00:00+00:00')",
    "INSERT INTO event_reservations (id, event_id, member_id, response_token, will_attend, with_lunch, guest_count,"
    " created_at, updated_at) VALUES ('r1', 'e1', 'm1', 'hash', TRUE, TRUE, 2, '2026-01-01 10:00:00+00:00',"
    " '2026-01-01 10:00:00+00:00')",
    "INSERT INTO email_reminder_settings VALUES ('s1', 'event_reminder_1', 14, TRUE, 'À bientôt', '')",
)


def move(to: str) -> None:
    made = migrations.config()
    with transaction() as session:
        made.attributes["connection"] = session.connection()
        (command.downgrade if to == FIRST else command.upgrade)(made, to)


def test_rows_of_the_first_schema_survive_up_and_down(club: str) -> None:
    if club == "postgres":
        forget_settings()
    move(FIRST)
    with transaction() as session:
        for row in ROWS:
            session.connection().execute(text(row))
    for to in ("head", FIRST, "head"):
        move(to)
        with transaction() as session:
            figures = session.connection().execute(text("SELECT * FROM event_stats")).mappings().one()
            assert (figures["total_attending"], figures["total_with_lunch"], figures["total_guests"]) == (1, 1, 2)
    with transaction() as session:
        row = session.connection().execute(text("SELECT * FROM members")).mappings().one()
        assert (row["name"], bool(row["is_listed"]), row["email_failure"]) == ("Élise d'Haëne", True, "")
        setting = session.connection().execute(text("SELECT to_unanswered FROM email_reminder_settings")).scalar_one()
        assert bool(setting) is True


def test_a_database_newer_than_the_program_is_refused(club: str) -> None:
    with transaction() as session:
        session.connection().execute(text("UPDATE alembic_version SET version_num = '9999'"))
    try:
        with pytest.raises(migrations.NewerDatabase, match="plus récente"):
            migrations.migrate()
    finally:
        with transaction() as session:
            session.connection().execute(text("UPDATE alembic_version SET version_num = '0002'"))
