"""Pairs of members with near trades on whom a decision is still to be made."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "competition_tasks",
        sa.Column("member_id", sa.String(), nullable=False),
        sa.Column("other_id", sa.String(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["member_id"], ["members.id"], name=op.f("fk_competition_tasks_member_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["other_id"], ["members.id"], name=op.f("fk_competition_tasks_other_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("member_id", "other_id", name=op.f("pk_competition_tasks")),
    )
    op.create_index(op.f("ix_competition_tasks_other_id"), "competition_tasks", ["other_id"], unique=False)


def downgrade() -> None:
    op.drop_index(op.f("ix_competition_tasks_other_id"), table_name="competition_tasks")
    op.drop_table("competition_tasks")
