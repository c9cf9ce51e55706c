"""How a member was entered, whether they are asked before being shown, and each choice of what is shown of them."""

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("members", sa.Column("entered_via", sa.String(), nullable=False, server_default=""))
    op.add_column("members", sa.Column("needs_consent", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.create_table(
        "publication_choices",
        sa.Column("id", sa.String(36), nullable=False),
        sa.Column("member_id", sa.String(), nullable=False),
        sa.Column("choice", sa.String(), nullable=False),
        sa.Column("is_shown", sa.Boolean(), nullable=False),
        sa.Column("wording", sa.String(), nullable=False),
        sa.Column("via", sa.String(), nullable=False),
        sa.Column("made_by", sa.String(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint(
            "via IN ('member', 'link', 'consent', 'administrator', 'import')",
            name=op.f("ck_publication_choices_via"),
        ),
        sa.ForeignKeyConstraint(
            ["member_id"], ["members.id"], name=op.f("fk_publication_choices_member_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_publication_choices")),
    )
    op.create_index("ix_publication_choices_member", "publication_choices", ["member_id", "choice", "at"])


def downgrade() -> None:
    op.drop_table("publication_choices")
    op.drop_column("members", "needs_consent")
    op.drop_column("members", "entered_via")
