"""Files of broadcasts, people taken off one by hand, and guests who want no more of them."""

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "mail_attachments",
        sa.Column("id", sa.String(36), nullable=False),
        sa.Column("broadcast_id", sa.String(36), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("media_type", sa.String(), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("content", sa.String(), nullable=False),
        sa.Column("sent_by", sa.String(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("position BETWEEN 1 AND 10", name=op.f("ck_mail_attachments_position")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_mail_attachments")),
        sa.UniqueConstraint("broadcast_id", "position", name=op.f("uq_mail_attachments_position")),
    )
    op.create_index(op.f("ix_mail_attachments_created_at"), "mail_attachments", ["created_at"], unique=False)
    op.add_column("broadcast_emails", sa.Column("left_off", sa.String(), nullable=False, server_default=""))
    op.add_column("event_guests", sa.Column("opted_out_at", sa.DateTime(timezone=True), nullable=True))


def downgrade() -> None:
    op.drop_column("event_guests", "opted_out_at")
    op.drop_column("broadcast_emails", "left_off")
    op.drop_table("mail_attachments")
