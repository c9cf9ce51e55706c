"""Whether a member's sign-in leads to their meetings rather than to their profile."""

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("members", sa.Column("opens_meetings", sa.Boolean(), nullable=False, server_default=sa.false()))


def downgrade() -> None:
    op.drop_column("members", "opens_meetings")
