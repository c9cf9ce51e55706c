"""Calls before an event that reached nobody."""

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0023"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "call_attempts",
        sa.Column("id", sa.String(36), nullable=False),
        sa.Column("event_id", sa.String(), nullable=False),
        sa.Column("member_id", sa.String(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("recorded_by", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(
            ["event_id"], ["events.id"], name=op.f("fk_call_attempts_event_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["member_id"], ["members.id"], name=op.f("fk_call_attempts_member_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_call_attempts")),
    )
    for column in ("event_id", "member_id"):
        op.create_index(op.f(f"ix_call_attempts_{column}"), "call_attempts", [column], unique=False)


def downgrade() -> None:
    """A record of calls has no place in the schema before: the acts that were written with it stay."""
    op.drop_table("call_attempts")
