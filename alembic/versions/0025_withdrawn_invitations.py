"""Invitations of members who are made inactive, withdrawn until they are active again."""

import sqlalchemy as sa
from alembic import op

revision = "0025"
down_revision = "0024"
branch_labels = None
depends_on = None

_FIGURES = """
CREATE VIEW event_stats AS
SELECT
    event_id,
    COUNT(*) AS total_invited,
    SUM(CASE WHEN will_attend AND waiting_since IS NULL THEN 1 ELSE 0 END) AS total_attending,
    SUM(CASE WHEN NOT will_attend THEN 1 ELSE 0 END) AS total_not_attending,
    SUM(CASE WHEN will_attend IS NULL THEN 1 ELSE 0 END) AS total_no_response,
    SUM(CASE WHEN will_attend AND waiting_since IS NULL AND with_lunch THEN 1 ELSE 0 END) AS total_with_lunch,
    SUM(CASE WHEN will_attend AND waiting_since IS NULL THEN guest_count ELSE 0 END) AS total_guests,
    SUM(CASE WHEN will_attend AND waiting_since IS NOT NULL THEN 1 ELSE 0 END) AS total_waiting
FROM event_reservations{which}
GROUP BY event_id
"""
_AHEAD = """
    member_id IN (SELECT id FROM members WHERE NOT is_active)
    AND event_id IN (SELECT id FROM events WHERE date > CURRENT_TIMESTAMP)
"""


def upgrade() -> None:
    op.execute("DROP VIEW event_stats")
    op.add_column("event_reservations", sa.Column("withdrawn_at", sa.DateTime(timezone=True), nullable=True))
    op.execute(f"UPDATE event_reservations SET withdrawn_at = CURRENT_TIMESTAMP WHERE {_AHEAD}")
    op.execute(_FIGURES.format(which="\nWHERE withdrawn_at IS NULL"))


def downgrade() -> None:
    """The program before counts who is inactive among those invited."""
    op.execute("DROP VIEW event_stats")
    op.drop_column("event_reservations", "withdrawn_at")
    op.execute(_FIGURES.format(which=""))
