"""The tables of a lunch, and who sits where."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "event_tables",
        sa.Column("id", sa.String(36), nullable=False),
        sa.Column("event_id", sa.String(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(), nullable=False, server_default=""),
        sa.Column("seats", sa.Integer(), nullable=False),
        sa.CheckConstraint("seats >= 1", name=op.f("ck_event_tables_seats")),
        sa.ForeignKeyConstraint(["event_id"], ["events.id"], name=op.f("fk_event_tables_event_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_event_tables")),
        sa.UniqueConstraint("event_id", "position", name=op.f("uq_event_tables_position")),
    )
    op.create_table(
        "seats",
        sa.Column("id", sa.String(36), nullable=False),
        sa.Column("event_id", sa.String(), nullable=False),
        sa.Column("person", sa.String(80), nullable=False),
        sa.Column("table_position", sa.Integer(), nullable=False),
        sa.Column("is_locked", sa.Boolean(), nullable=False, server_default=sa.false()),
        sa.ForeignKeyConstraint(["event_id"], ["events.id"], name=op.f("fk_seats_event_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_seats")),
        sa.UniqueConstraint("event_id", "person", name=op.f("uq_seats_person")),
    )


def downgrade() -> None:
    op.drop_table("seats")
    op.drop_table("event_tables")
