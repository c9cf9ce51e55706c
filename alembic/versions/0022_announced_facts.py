"""When and where an event was to be when its numbers were told; nothing for what was told before."""

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("event_announcements", sa.Column("facts", sa.JSON(), nullable=False, server_default="{}"))


def downgrade() -> None:
    op.drop_column("event_announcements", "facts")
