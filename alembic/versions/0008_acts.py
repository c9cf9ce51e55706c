"""The journal of acts: entries chained by hashes that the database itself keeps from being changed."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

# The database refuses to delete an act for a year but a day: its clock and the program's may differ.
KEPT_DAYS = 364

SQLITE = (
    "CREATE TRIGGER acts_no_update BEFORE UPDATE ON acts WHEN OLD.number IS NOT NULL"
    " BEGIN SELECT RAISE(ABORT, 'an act is never changed'); END",
    f"CREATE TRIGGER acts_no_delete BEFORE DELETE ON acts WHEN OLD.at > datetime('now', '-{KEPT_DAYS} days')"
    " BEGIN SELECT RAISE(ABORT, 'an act is never deleted'); END",
    # REPLACE deletes without calling the trigger above.
    "CREATE TRIGGER acts_no_replace BEFORE INSERT ON acts"
    " WHEN EXISTS (SELECT 1 FROM acts WHERE id = NEW.id OR number = NEW.number)"
    " BEGIN SELECT RAISE(ABORT, 'an act is never replaced'); END",
    "CREATE TRIGGER act_changes_no_update BEFORE UPDATE ON act_changes"
    " BEGIN SELECT RAISE(ABORT, 'an act is never changed'); END",
    "CREATE TRIGGER act_changes_no_replace BEFORE INSERT ON act_changes"
    " WHEN EXISTS (SELECT 1 FROM act_changes WHERE act_id = NEW.act_id)"
    " BEGIN SELECT RAISE(ABORT, 'an act is never replaced'); END",
    "CREATE TRIGGER act_changes_no_delete BEFORE DELETE ON act_changes WHEN EXISTS ("
    f"SELECT 1 FROM acts WHERE acts.id = OLD.act_id AND acts.at > datetime('now', '-{KEPT_DAYS} days')"
    " AND (acts.subject_kind <> 'member' OR EXISTS (SELECT 1 FROM members WHERE members.id = acts.subject)))"
    " BEGIN SELECT RAISE(ABORT, 'an act is never deleted'); END",
)
POSTGRESQL = (
    "CREATE FUNCTION refuse_act_change() RETURNS trigger AS $$"
    " BEGIN RAISE EXCEPTION 'an act is never changed or deleted'; END $$ LANGUAGE plpgsql",
    "CREATE FUNCTION keep_act_changes() RETURNS trigger AS $$ BEGIN"
    " IF EXISTS (SELECT 1 FROM acts WHERE acts.id = OLD.act_id"
    f" AND acts.at > now() - interval '{KEPT_DAYS} days' AND (acts.subject_kind <> 'member'"
    " OR EXISTS (SELECT 1 FROM members WHERE members.id = acts.subject)))"
    " THEN RAISE EXCEPTION 'an act is never changed or deleted'; END IF; RETURN OLD; END $$ LANGUAGE plpgsql",
    "CREATE TRIGGER acts_no_update BEFORE UPDATE ON acts FOR EACH ROW WHEN (OLD.number IS NOT NULL)"
    " EXECUTE FUNCTION refuse_act_change()",
    "CREATE TRIGGER acts_no_delete BEFORE DELETE ON acts FOR EACH ROW"
    f" WHEN (OLD.at > now() - interval '{KEPT_DAYS} days') EXECUTE FUNCTION refuse_act_change()",
    "CREATE TRIGGER acts_no_truncate BEFORE TRUNCATE ON acts EXECUTE FUNCTION refuse_act_change()",
    "CREATE TRIGGER act_changes_no_update BEFORE UPDATE ON act_changes FOR EACH ROW"
    " EXECUTE FUNCTION refuse_act_change()",
    "CREATE TRIGGER act_changes_no_delete BEFORE DELETE ON act_changes FOR EACH ROW EXECUTE FUNCTION keep_act_changes()",
    "CREATE TRIGGER act_changes_no_truncate BEFORE TRUNCATE ON act_changes EXECUTE FUNCTION refuse_act_change()",
)


def upgrade() -> None:
    op.create_table(
        "act_people",
        sa.Column("id", sa.String(36), nullable=False),
        sa.Column("email", sa.String(), nullable=True),
        sa.Column("member_id", sa.String(36), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_act_people")),
        sa.UniqueConstraint("email", name=op.f("uq_act_people_email")),
    )
    op.create_index(op.f("ix_act_people_member_id"), "act_people", ["member_id"], unique=False)
    op.create_table(
        "acts",
        sa.Column("id", sa.String(36), nullable=False),
        sa.Column("number", sa.Integer(), nullable=True),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("actor_kind", sa.String(), nullable=False),
        sa.Column("actor_id", sa.String(), nullable=False),
        sa.Column("operator", sa.String(), nullable=False),
        sa.Column("session_id", sa.String(), nullable=False),
        sa.Column("action", sa.String(), nullable=False),
        sa.Column("subject_kind", sa.String(), nullable=False),
        sa.Column("subject", sa.String(), nullable=False),
        sa.Column("detail", sa.JSON(), nullable=False),
        sa.Column("changes_hash", sa.String(64), nullable=False),
        sa.Column("previous_hash", sa.String(64), nullable=False),
        sa.Column("entry_hash", sa.String(64), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_acts")),
        sa.UniqueConstraint("number", name=op.f("uq_acts_number")),
    )
    for name in ("at", "actor_id", "subject"):
        op.create_index(op.f(f"ix_acts_{name}"), "acts", [name], unique=False)
    op.create_table(
        "act_changes",
        sa.Column("act_id", sa.String(), nullable=False),
        sa.Column("salt", sa.String(), nullable=False),
        sa.Column("content", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["act_id"], ["acts.id"], name=op.f("fk_act_changes_act_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("act_id", name=op.f("pk_act_changes")),
    )
    op.create_table(
        "act_chain",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("kept_from", sa.Integer(), nullable=False),
        sa.Column("kept_after", sa.String(64), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("entry_hash", sa.String(64), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_act_chain")),
    )
    for statement in SQLITE if op.get_bind().dialect.name == "sqlite" else POSTGRESQL:
        op.execute(statement)


def downgrade() -> None:
    # Acts go back to the table that the version before reads; without their changes, which it does not know.
    op.execute(
        "INSERT INTO audit_entries (id, at, actor, action, subject, detail)"
        " SELECT acts.id, acts.at, COALESCE(act_people.email, acts.actor_kind), acts.action, acts.subject, acts.detail"
        " FROM acts LEFT JOIN act_people ON act_people.id = acts.actor_id"
    )
    op.drop_table("act_chain")
    op.drop_table("act_changes")
    op.drop_table("acts")
    op.drop_table("act_people")
    if op.get_bind().dialect.name == "postgresql":
        op.execute("DROP FUNCTION keep_act_changes()")
        op.execute("DROP FUNCTION refuse_act_change()")
