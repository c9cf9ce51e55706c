"""Guests who are named, wishes for the meal, and who arrived."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("event_reservations", sa.Column("meal_wish", sa.String(), nullable=False, server_default=""))
    op.create_table(
        "event_guests",
        sa.Column("id", sa.String(36), nullable=False),
        sa.Column("event_id", sa.String(), nullable=False),
        sa.Column("reservation_id", sa.String(), nullable=True),
        sa.Column("position", sa.Integer(), nullable=True),
        sa.Column("name", sa.String(), nullable=False, server_default=""),
        sa.Column("company", sa.String(), nullable=False, server_default=""),
        sa.Column("email", sa.String(), nullable=False, server_default=""),
        sa.Column("with_lunch", sa.Boolean(), nullable=True),
        sa.Column("meal_wish", sa.String(), nullable=False, server_default=""),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("position BETWEEN 1 AND 5", name=op.f("ck_event_guests_position")),
        sa.CheckConstraint(
            "(reservation_id IS NULL) = (position IS NULL)", name=op.f("ck_event_guests_of_someone")
        ),
        sa.ForeignKeyConstraint(["event_id"], ["events.id"], name=op.f("fk_event_guests_event_id"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(
            ["reservation_id"],
            ["event_reservations.id"],
            name=op.f("fk_event_guests_reservation_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_event_guests")),
        sa.UniqueConstraint("reservation_id", "position", name=op.f("uq_event_guests_position")),
    )
    op.create_index(op.f("ix_event_guests_event_id"), "event_guests", ["event_id"], unique=False)
    op.create_table(
        "arrivals",
        sa.Column("id", sa.String(36), nullable=False),
        sa.Column("event_id", sa.String(), nullable=False),
        sa.Column("person", sa.String(80), nullable=False),
        sa.Column("arrived_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("recorded_by", sa.String(), nullable=False, server_default=""),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["event_id"], ["events.id"], name=op.f("fk_arrivals_event_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_arrivals")),
    )
    op.create_index(op.f("uq_arrivals_person"), "arrivals", ["event_id", "person"], unique=True)


def downgrade() -> None:
    op.drop_table("arrivals")
    op.drop_table("event_guests")
    op.drop_column("event_reservations", "meal_wish")
