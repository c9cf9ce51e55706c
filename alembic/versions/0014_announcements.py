"""The host and the caterer of an event, and the numbers they were told."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None

COLUMNS = ("host", "host_email", "caterer_email")


def upgrade() -> None:
    for name in COLUMNS:
        op.add_column("events", sa.Column(name, sa.String(), nullable=False, server_default=""))
    op.create_table(
        "event_announcements",
        sa.Column("id", sa.String(36), nullable=False),
        sa.Column("event_id", sa.String(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("announced_by", sa.String(), nullable=False, server_default=""),
        sa.Column("present", sa.Integer(), nullable=False),
        sa.Column("guests", sa.Integer(), nullable=False),
        sa.Column("meals", sa.Integer(), nullable=False),
        sa.Column("wishes", sa.JSON(), nullable=False),
        sa.Column("people", sa.JSON(), nullable=False),
        sa.Column("host_email", sa.String(), nullable=False, server_default=""),
        sa.Column("caterer_email", sa.String(), nullable=False, server_default=""),
        sa.ForeignKeyConstraint(
            ["event_id"], ["events.id"], name=op.f("fk_event_announcements_event_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_event_announcements")),
        sa.UniqueConstraint("event_id", "number", name=op.f("uq_event_announcements_number")),
    )


def downgrade() -> None:
    op.drop_table("event_announcements")
    for name in reversed(COLUMNS):
        op.drop_column("events", name)
