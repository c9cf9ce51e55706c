"""Second factors, the moment of a session's last proof, known browsers, and changes of address that can be undone."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

INSTANT = sa.DateTime(timezone=True)


def upgrade() -> None:
    op.create_table(
        "factors",
        sa.Column("id", sa.String(length=36), nullable=False),
        sa.Column("email", sa.String(), nullable=False),
        sa.Column("factor_type", sa.String(length=16), nullable=False),
        sa.Column("friendly_name", sa.String(), nullable=False),
        sa.Column("secret", sa.String(), nullable=False),
        sa.Column("credential_id", sa.String(), nullable=True),
        sa.Column("sign_count", sa.Integer(), nullable=False),
        sa.Column("last_step", sa.Integer(), nullable=True),
        sa.Column("status", sa.String(length=16), nullable=False),
        sa.Column("created_at", INSTANT, nullable=False),
        sa.Column("last_used_at", INSTANT, nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_factors")),
        sa.UniqueConstraint("credential_id", name=op.f("uq_factors_credential_id")),
    )
    op.create_index(op.f("ix_factors_email"), "factors", ["email"])
    op.create_table(
        "factor_challenges",
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("expires_at", INSTANT, nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_factor_challenges")),
    )
    op.create_index(op.f("ix_factor_challenges_expires_at"), "factor_challenges", ["expires_at"])
    op.create_table(
        "factor_tries",
        sa.Column("email", sa.String(), nullable=False),
        sa.Column("failures", sa.Integer(), nullable=False),
        sa.Column("blocked_until", INSTANT, nullable=True),
        sa.PrimaryKeyConstraint("email", name=op.f("pk_factor_tries")),
    )
    op.create_table(
        "recovery_codes",
        sa.Column("id", sa.String(length=36), nullable=False),
        sa.Column("email", sa.String(), nullable=False),
        sa.Column("code_hash", sa.String(length=64), nullable=False),
        sa.Column("created_at", INSTANT, nullable=False),
        sa.Column("used_at", INSTANT, nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_recovery_codes")),
        sa.UniqueConstraint("code_hash", name=op.f("uq_recovery_codes_code_hash")),
    )
    op.create_index(op.f("ix_recovery_codes_email"), "recovery_codes", ["email"])
    op.create_table(
        "known_browsers",
        sa.Column("id", sa.String(length=36), nullable=False),
        sa.Column("email", sa.String(), nullable=False),
        sa.Column("token_hash", sa.String(length=64), nullable=False),
        sa.Column("user_agent", sa.String(), nullable=False),
        sa.Column("first_seen_at", INSTANT, nullable=False),
        sa.Column("last_seen_at", INSTANT, nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_known_browsers")),
        sa.UniqueConstraint("email", "token_hash", name=op.f("uq_known_browsers_email")),
    )
    op.create_index(op.f("ix_known_browsers_email"), "known_browsers", ["email"])
    op.create_index(op.f("ix_known_browsers_last_seen_at"), "known_browsers", ["last_seen_at"])
    op.add_column("sessions", sa.Column("is_half_open", sa.Boolean(), server_default=sa.false(), nullable=False))
    op.add_column("sessions", sa.Column("proved_at", INSTANT, nullable=True))
    op.add_column("email_changes", sa.Column("old_email", sa.String(), server_default="", nullable=False))
    op.add_column("email_changes", sa.Column("undone_at", INSTANT, nullable=True))


def downgrade() -> None:
    op.drop_column("email_changes", "undone_at")
    op.drop_column("email_changes", "old_email")
    op.drop_column("sessions", "proved_at")
    op.drop_column("sessions", "is_half_open")
    for name in ("known_browsers", "recovery_codes", "factor_tries", "factor_challenges", "factors"):
        op.drop_table(name)
