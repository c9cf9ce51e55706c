"""What a member shows to members beside what the site shows: nothing more, until somebody chooses so."""

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"
branch_labels = None
depends_on = None

FLAGS = ("is_listed_to_members", "shows_email_to_members", "shows_phone_to_members", "shows_photo_to_members")


def upgrade() -> None:
    for flag in FLAGS:
        op.add_column("members", sa.Column(flag, sa.Boolean(), server_default=sa.false(), nullable=False))


def downgrade() -> None:
    for flag in reversed(FLAGS):
        op.drop_column("members", flag)
