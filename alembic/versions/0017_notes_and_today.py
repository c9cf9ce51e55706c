"""Notes on members, and what each administrator chose and saw of the page of the day."""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "member_notes",
        sa.Column("id", sa.String(36), nullable=False),
        sa.Column("member_id", sa.String(), nullable=False),
        sa.Column("text", sa.String(), nullable=False),
        sa.Column("written_by", sa.String(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["member_id"], ["members.id"], name=op.f("fk_member_notes_member_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_member_notes")),
    )
    op.create_index(op.f("ix_member_notes_member_id"), "member_notes", ["member_id"], unique=False)
    op.add_column("admins", sa.Column("opens_today", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.add_column("admins", sa.Column("today_seen_at", sa.DateTime(timezone=True), nullable=True))
    op.add_column("admins", sa.Column("today_left_at", sa.DateTime(timezone=True), nullable=True))


def downgrade() -> None:
    op.drop_column("admins", "today_left_at")
    op.drop_column("admins", "today_seen_at")
    op.drop_column("admins", "opens_today")
    op.drop_table("member_notes")
