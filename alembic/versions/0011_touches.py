"""What was pressed at the door of an event, and the link of its helpers."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "arrival_touches",
        sa.Column("id", sa.String(36), nullable=False),
        sa.Column("event_id", sa.String(), nullable=False),
        sa.Column("person", sa.String(80), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("recorded_by", sa.String(), nullable=False, server_default=""),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("kind IN ('arrived', 'undone')", name=op.f("ck_arrival_touches_kind")),
        sa.ForeignKeyConstraint(
            ["event_id"], ["events.id"], name=op.f("fk_arrival_touches_event_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_arrival_touches")),
    )
    op.create_index("ix_arrival_touches_person", "arrival_touches", ["event_id", "person"], unique=False)
    op.add_column("events", sa.Column("helper_serial", sa.Integer(), nullable=False, server_default="0"))
    op.add_column("events", sa.Column("helper_token", sa.String(), nullable=False, server_default=""))


def downgrade() -> None:
    op.drop_column("events", "helper_token")
    op.drop_column("events", "helper_serial")
    op.drop_table("arrival_touches")
