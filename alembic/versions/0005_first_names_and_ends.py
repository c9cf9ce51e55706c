"""A member's first name, the end of an event, and whom a broadcast is for."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("members", sa.Column("first_name", sa.String(), server_default="", nullable=False))
    op.add_column("events", sa.Column("ends_at", sa.DateTime(timezone=True), nullable=True))
    op.add_column("broadcast_emails", sa.Column("audience", sa.String(), server_default="", nullable=False))


def downgrade() -> None:
    op.drop_column("broadcast_emails", "audience")
    op.drop_column("events", "ends_at")
    op.drop_column("members", "first_name")
