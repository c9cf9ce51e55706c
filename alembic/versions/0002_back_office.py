"""The back office: changes of address, competition decisions, history of answers, waiting list, planned mailings."""

import sqlalchemy as sa
from alembic import op

revision = '0002'
down_revision = '0001'
branch_labels = None
depends_on = None

# Columns are added and dropped one by one: recreating a table, as batch operations do, would delete on SQLite what
# refers to it.
_FIGURES = """
CREATE VIEW event_stats AS
SELECT
    event_id,
    COUNT(*) AS total_invited,
    SUM(CASE WHEN {coming} THEN 1 ELSE 0 END) AS total_attending,
    SUM(CASE WHEN NOT will_attend THEN 1 ELSE 0 END) AS total_not_attending,
    SUM(CASE WHEN will_attend IS NULL THEN 1 ELSE 0 END) AS total_no_response,
    SUM(CASE WHEN {coming} AND with_lunch THEN 1 ELSE 0 END) AS total_with_lunch,
    SUM(CASE WHEN {coming} THEN guest_count ELSE 0 END) AS total_guests{more}
FROM event_reservations
GROUP BY event_id
"""
_WAITING = ",\n    SUM(CASE WHEN will_attend AND waiting_since IS NOT NULL THEN 1 ELSE 0 END) AS total_waiting"
EVENT_STATS = _FIGURES.format(coming="will_attend AND waiting_since IS NULL", more=_WAITING)
EVENT_STATS_BEFORE = _FIGURES.format(coming="will_attend", more="")


def upgrade() -> None:
    op.execute('DROP VIEW event_stats')
    op.create_table('mail_pause',
    sa.Column('id', sa.Integer(), nullable=False),
    sa.Column('since', sa.DateTime(timezone=True), nullable=False),
    sa.Column('until', sa.DateTime(timezone=True), nullable=True),
    sa.Column('reason', sa.String(), nullable=False),
    sa.Column('by', sa.String(), nullable=False),
    sa.PrimaryKeyConstraint('id', name=op.f('pk_mail_pause'))
    )
    op.create_table('planned_mailings',
    sa.Column('id', sa.String(36), nullable=False),
    sa.Column('event_id', sa.String(), nullable=False),
    sa.Column('reminder_type', sa.String(), nullable=False),
    sa.Column('due_at', sa.DateTime(timezone=True), nullable=False),
    sa.Column('state', sa.String(), nullable=False),
    sa.Column('reason', sa.String(), nullable=False),
    sa.Column('queued_count', sa.Integer(), nullable=False),
    sa.Column('settled_at', sa.DateTime(timezone=True), nullable=True),
    sa.Column('updated_at', sa.DateTime(timezone=True), nullable=False),
    sa.CheckConstraint("state IN ('planned', 'suspended', 'done', 'missed', 'dropped')", name=op.f('ck_planned_mailings_state')),
    sa.ForeignKeyConstraint(['event_id'], ['events.id'], name=op.f('fk_planned_mailings_event_id'), ondelete='CASCADE'),
    sa.PrimaryKeyConstraint('id', name=op.f('pk_planned_mailings')),
    sa.UniqueConstraint('event_id', 'reminder_type', name='uq_planned_mailings_event')
    )
    op.create_index('ix_planned_mailings_due', 'planned_mailings', ['state', 'due_at'], unique=False)

    op.create_table('pending_imports',
    sa.Column('id', sa.String(36), nullable=False),
    sa.Column('kind', sa.String(), nullable=False),
    sa.Column('sent_by', sa.String(), nullable=False),
    sa.Column('headings', sa.JSON(), nullable=False),
    sa.Column('rows', sa.JSON(), nullable=False),
    sa.Column('created_at', sa.DateTime(timezone=True), nullable=False),
    sa.PrimaryKeyConstraint('id', name=op.f('pk_pending_imports'))
    )
    op.create_index(op.f('ix_pending_imports_created_at'), 'pending_imports', ['created_at'], unique=False)

    op.create_table('competition_decisions',
    sa.Column('id', sa.String(36), nullable=False),
    sa.Column('member_id', sa.String(), nullable=False),
    sa.Column('other_id', sa.String(), nullable=False),
    sa.Column('verdict', sa.String(), nullable=False),
    sa.Column('reason', sa.String(), nullable=False),
    sa.Column('trade', sa.String(), nullable=False),
    sa.Column('decided_by', sa.String(), nullable=False),
    sa.Column('decided_at', sa.DateTime(timezone=True), nullable=False),
    sa.CheckConstraint("verdict IN ('compatible', 'accepted')", name=op.f('ck_competition_decisions_verdict')),
    sa.ForeignKeyConstraint(['member_id'], ['members.id'], name=op.f('fk_competition_decisions_member_id'), ondelete='CASCADE'),
    sa.ForeignKeyConstraint(['other_id'], ['members.id'], name=op.f('fk_competition_decisions_other_id'), ondelete='CASCADE'),
    sa.PrimaryKeyConstraint('id', name=op.f('pk_competition_decisions'))
    )
    op.create_index(op.f('ix_competition_decisions_member_id'), 'competition_decisions', ['member_id'], unique=False)
    op.create_index(op.f('ix_competition_decisions_other_id'), 'competition_decisions', ['other_id'], unique=False)

    op.create_table('email_changes',
    sa.Column('id', sa.String(36), nullable=False),
    sa.Column('member_id', sa.String(), nullable=False),
    sa.Column('new_email', sa.String(), nullable=False),
    sa.Column('token_hash', sa.String(64), nullable=False),
    sa.Column('created_at', sa.DateTime(timezone=True), nullable=False),
    sa.Column('expires_at', sa.DateTime(timezone=True), nullable=False),
    sa.Column('confirmed_at', sa.DateTime(timezone=True), nullable=True),
    sa.Column('voided_at', sa.DateTime(timezone=True), nullable=True),
    sa.ForeignKeyConstraint(['member_id'], ['members.id'], name=op.f('fk_email_changes_member_id'), ondelete='CASCADE'),
    sa.PrimaryKeyConstraint('id', name=op.f('pk_email_changes')),
    sa.UniqueConstraint('token_hash', name=op.f('uq_email_changes_token_hash'))
    )
    op.create_index(op.f('ix_email_changes_member_id'), 'email_changes', ['member_id'], unique=False)

    op.create_table('reservation_answers',
    sa.Column('id', sa.String(36), nullable=False),
    sa.Column('reservation_id', sa.String(), nullable=False),
    sa.Column('at', sa.DateTime(timezone=True), nullable=False),
    sa.Column('will_attend', sa.Boolean(), nullable=True),
    sa.Column('with_lunch', sa.Boolean(), nullable=True),
    sa.Column('guest_count', sa.Integer(), nullable=False),
    sa.Column('is_waiting', sa.Boolean(), nullable=False),
    sa.Column('via', sa.String(), nullable=False),
    sa.Column('recorded_by', sa.String(), nullable=False),
    sa.ForeignKeyConstraint(['reservation_id'], ['event_reservations.id'], name=op.f('fk_reservation_answers_reservation_id'), ondelete='CASCADE'),
    sa.PrimaryKeyConstraint('id', name=op.f('pk_reservation_answers'))
    )
    op.create_index(op.f('ix_reservation_answers_reservation_id'), 'reservation_answers', ['reservation_id'], unique=False)

    op.add_column('broadcast_emails', sa.Column('paused_at', sa.DateTime(timezone=True), nullable=True))
    op.add_column('broadcast_emails', sa.Column('stopped_at', sa.DateTime(timezone=True), nullable=True))

    op.add_column('email_reminder_settings', sa.Column('to_unanswered', sa.Boolean(), server_default=sa.false(), nullable=False))
    op.add_column('email_reminder_settings', sa.Column('unanswered_subject', sa.String(), server_default='', nullable=False))
    op.add_column('email_reminder_settings', sa.Column('unanswered_content', sa.String(), server_default='', nullable=False))

    op.add_column('event_reservations', sa.Column('answered_via', sa.String(), server_default='', nullable=False))
    op.add_column('event_reservations', sa.Column('recorded_by', sa.String(), server_default='', nullable=False))
    op.add_column('event_reservations', sa.Column('waiting_since', sa.DateTime(timezone=True), nullable=True))
    op.add_column('event_reservations', sa.Column('waiting_rank', sa.Integer(), nullable=True))
    op.add_column('event_reservations', sa.Column('offer_until', sa.DateTime(timezone=True), nullable=True))

    op.add_column('events', sa.Column('sequence', sa.Integer(), server_default='0', nullable=False))
    op.add_column('events', sa.Column('answers_until', sa.DateTime(timezone=True), nullable=True))

    op.add_column('members', sa.Column('is_listed', sa.Boolean(), server_default=sa.true(), nullable=False))
    op.add_column('members', sa.Column('shows_email', sa.Boolean(), server_default=sa.true(), nullable=False))
    op.add_column('members', sa.Column('shows_phone', sa.Boolean(), server_default=sa.true(), nullable=False))
    op.add_column('members', sa.Column('shows_photo', sa.Boolean(), server_default=sa.true(), nullable=False))
    op.add_column('members', sa.Column('email_failed_at', sa.DateTime(timezone=True), nullable=True))
    op.add_column('members', sa.Column('email_failure', sa.String(), server_default='', nullable=False))

    op.execute("UPDATE email_reminder_settings SET to_unanswered = TRUE WHERE reminder_type = 'event_reminder_1'")
    op.execute(EVENT_STATS)


def downgrade() -> None:
    op.execute('DROP VIEW event_stats')
    op.drop_column('members', 'email_failure')
    op.drop_column('members', 'email_failed_at')
    op.drop_column('members', 'shows_photo')
    op.drop_column('members', 'shows_phone')
    op.drop_column('members', 'shows_email')
    op.drop_column('members', 'is_listed')

    op.drop_column('events', 'answers_until')
    op.drop_column('events', 'sequence')

    op.drop_column('event_reservations', 'offer_until')
    op.drop_column('event_reservations', 'waiting_rank')
    op.drop_column('event_reservations', 'waiting_since')
    op.drop_column('event_reservations', 'recorded_by')
    op.drop_column('event_reservations', 'answered_via')

    op.drop_column('email_reminder_settings', 'unanswered_content')
    op.drop_column('email_reminder_settings', 'unanswered_subject')
    op.drop_column('email_reminder_settings', 'to_unanswered')

    op.drop_column('broadcast_emails', 'stopped_at')
    op.drop_column('broadcast_emails', 'paused_at')

    op.drop_index(op.f('ix_reservation_answers_reservation_id'), table_name='reservation_answers')

    op.drop_table('reservation_answers')
    op.drop_index(op.f('ix_email_changes_member_id'), table_name='email_changes')

    op.drop_table('email_changes')
    op.drop_index(op.f('ix_competition_decisions_other_id'), table_name='competition_decisions')
    op.drop_index(op.f('ix_competition_decisions_member_id'), table_name='competition_decisions')

    op.drop_table('competition_decisions')
    op.drop_index('ix_planned_mailings_due', table_name='planned_mailings')

    op.drop_table('planned_mailings')
    op.drop_index(op.f('ix_pending_imports_created_at'), table_name='pending_imports')
    op.drop_table('pending_imports')
    op.drop_table('mail_pause')
    op.execute(EVENT_STATS_BEFORE)
