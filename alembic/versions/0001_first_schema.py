"""first schema"""

import sqlalchemy as sa
from alembic import op

revision = '0001'
down_revision = None
branch_labels = None
depends_on = None

EVENT_STATS = """
CREATE VIEW event_stats AS
SELECT
    event_id,
    COUNT(*) AS total_invited,
    SUM(CASE WHEN will_attend THEN 1 ELSE 0 END) AS total_attending,
    SUM(CASE WHEN NOT will_attend THEN 1 ELSE 0 END) AS total_not_attending,
    SUM(CASE WHEN will_attend IS NULL THEN 1 ELSE 0 END) AS total_no_response,
    SUM(CASE WHEN will_attend AND with_lunch THEN 1 ELSE 0 END) AS total_with_lunch,
    SUM(CASE WHEN will_attend THEN guest_count ELSE 0 END) AS total_guests
FROM event_reservations
GROUP BY event_id
"""


def upgrade() -> None:
    op.create_table('admins',
    sa.Column('email', sa.String(), nullable=False),
    sa.Column('created_at', sa.DateTime(timezone=True), nullable=False),
    sa.CheckConstraint('email = lower(email)', name=op.f('ck_admins_email_normalised')),
    sa.PrimaryKeyConstraint('email', name=op.f('pk_admins'))
    )
    op.create_table('audit_entries',
    sa.Column('id', sa.String(36), nullable=False),
    sa.Column('at', sa.DateTime(timezone=True), nullable=False),
    sa.Column('actor', sa.String(), nullable=False),
    sa.Column('action', sa.String(), nullable=False),
    sa.Column('subject', sa.String(), nullable=False),
    sa.Column('detail', sa.JSON(), nullable=False),
    sa.PrimaryKeyConstraint('id', name=op.f('pk_audit_entries'))
    )
    with op.batch_alter_table('audit_entries', schema=None) as batch_op:
        batch_op.create_index(batch_op.f('ix_audit_entries_at'), ['at'], unique=False)
        batch_op.create_index(batch_op.f('ix_audit_entries_subject'), ['subject'], unique=False)

    op.create_table('broadcast_emails',
    sa.Column('id', sa.String(36), nullable=False),
    sa.Column('subject', sa.String(), nullable=False),
    sa.Column('content', sa.String(), nullable=False),
    sa.Column('sent_by', sa.String(), nullable=False),
    sa.Column('created_at', sa.DateTime(timezone=True), nullable=False),
    sa.Column('sent_at', sa.DateTime(timezone=True), nullable=True),
    sa.Column('sent_count', sa.Integer(), nullable=False),
    sa.Column('status', sa.String(), nullable=False),
    sa.CheckConstraint("status IN ('draft', 'sent')", name=op.f('ck_broadcast_emails_status')),
    sa.PrimaryKeyConstraint('id', name=op.f('pk_broadcast_emails'))
    )
    op.create_table('companies',
    sa.Column('id', sa.String(36), nullable=False),
    sa.Column('name', sa.String(), nullable=False),
    sa.Column('activity_domain', sa.String(), nullable=False),
    sa.Column('description', sa.String(), nullable=False),
    sa.Column('address', sa.String(), nullable=False),
    sa.Column('city', sa.String(), nullable=False),
    sa.Column('postal_code', sa.String(), nullable=False),
    sa.Column('phone', sa.String(), nullable=False),
    sa.Column('email', sa.String(), nullable=False),
    sa.Column('website', sa.String(), nullable=False),
    sa.Column('logo_url', sa.String(), nullable=False),
    sa.Column('founded_year', sa.Integer(), nullable=True),
    sa.Column('employee_count', sa.String(), nullable=False),
    sa.Column('services', sa.JSON(), nullable=False),
    sa.Column('certifications', sa.JSON(), nullable=False),
    sa.Column('created_at', sa.DateTime(timezone=True), nullable=False),
    sa.Column('updated_at', sa.DateTime(timezone=True), nullable=False),
    sa.PrimaryKeyConstraint('id', name=op.f('pk_companies'))
    )
    op.create_table('email_reminder_settings',
    sa.Column('id', sa.String(36), nullable=False),
    sa.Column('reminder_type', sa.String(), nullable=False),
    sa.Column('days_before', sa.Integer(), nullable=False),
    sa.Column('is_active', sa.Boolean(), nullable=False),
    sa.Column('template_subject', sa.String(), nullable=False),
    sa.Column('template_content', sa.String(), nullable=False),
    sa.CheckConstraint("reminder_type IN ('event_invitation', 'event_reminder_1', 'event_reminder_2')", name=op.f('ck_email_reminder_settings_reminder_type')),
    sa.CheckConstraint('days_before BETWEEN 0 AND 365', name=op.f('ck_email_reminder_settings_days_before')),
    sa.PrimaryKeyConstraint('id', name=op.f('pk_email_reminder_settings')),
    sa.UniqueConstraint('reminder_type', name=op.f('uq_email_reminder_settings_reminder_type'))
    )
    op.create_table('email_signature',
    sa.Column('id', sa.String(36), nullable=False),
    sa.Column('sender_name', sa.String(), nullable=False),
    sa.Column('sender_role', sa.String(), nullable=False),
    sa.Column('company_name', sa.String(), nullable=False),
    sa.Column('phone', sa.String(), nullable=False),
    sa.Column('mobile', sa.String(), nullable=False),
    sa.Column('address', sa.String(), nullable=False),
    sa.Column('website', sa.String(), nullable=False),
    sa.Column('logo_url', sa.String(), nullable=False),
    sa.Column('custom_html', sa.String(), nullable=False),
    sa.Column('updated_by', sa.String(), nullable=False),
    sa.Column('updated_at', sa.DateTime(timezone=True), nullable=False),
    sa.PrimaryKeyConstraint('id', name=op.f('pk_email_signature'))
    )
    op.create_table('events',
    sa.Column('id', sa.String(36), nullable=False),
    sa.Column('title', sa.String(), nullable=False),
    sa.Column('date', sa.DateTime(timezone=True), nullable=False),
    sa.Column('month', sa.String(7), nullable=False),
    sa.Column('location', sa.String(), nullable=False),
    sa.Column('address', sa.String(), nullable=True),
    sa.Column('description', sa.String(), nullable=True),
    sa.Column('has_lunch', sa.Boolean(), nullable=False),
    sa.Column('max_participants', sa.Integer(), nullable=True),
    sa.Column('status', sa.String(), nullable=False),
    sa.Column('invitation_sent', sa.Boolean(), nullable=False),
    sa.Column('created_by', sa.String(), nullable=False),
    sa.Column('created_at', sa.DateTime(timezone=True), nullable=False),
    sa.Column('updated_at', sa.DateTime(timezone=True), nullable=False),
    sa.Column('email_subject', sa.String(), nullable=True),
    sa.Column('email_template', sa.String(), nullable=True),
    sa.Column('reminder_1_subject', sa.String(), nullable=True),
    sa.Column('reminder_1_template', sa.String(), nullable=True),
    sa.Column('reminder_2_subject', sa.String(), nullable=True),
    sa.Column('reminder_2_template', sa.String(), nullable=True),
    sa.CheckConstraint("status IN ('draft', 'confirmed', 'completed', 'cancelled')", name=op.f('ck_events_status')),
    sa.CheckConstraint('max_participants >= 1', name=op.f('ck_events_max_participants')),
    sa.PrimaryKeyConstraint('id', name=op.f('pk_events'))
    )
    with op.batch_alter_table('events', schema=None) as batch_op:
        batch_op.create_index(batch_op.f('ix_events_date'), ['date'], unique=False)
        batch_op.create_index('uq_events_month', ['month'], unique=True, sqlite_where=sa.text("status <> 'cancelled'"), postgresql_where=sa.text("status <> 'cancelled'"))

    op.create_table('sessions',
    sa.Column('id', sa.String(36), nullable=False),
    sa.Column('email', sa.String(), nullable=False),
    sa.Column('secret_hash', sa.String(64), nullable=False),
    sa.Column('previous_hash', sa.String(64), nullable=True),
    sa.Column('secret_seen_at', sa.DateTime(timezone=True), nullable=True),
    sa.Column('user_agent', sa.String(), nullable=False),
    sa.Column('created_at', sa.DateTime(timezone=True), nullable=False),
    sa.Column('expires_at', sa.DateTime(timezone=True), nullable=False),
    sa.Column('ended_at', sa.DateTime(timezone=True), nullable=True),
    sa.PrimaryKeyConstraint('id', name=op.f('pk_sessions'))
    )
    with op.batch_alter_table('sessions', schema=None) as batch_op:
        batch_op.create_index(batch_op.f('ix_sessions_email'), ['email'], unique=False)
        batch_op.create_index(batch_op.f('ix_sessions_expires_at'), ['expires_at'], unique=False)

    op.create_table('sign_in_links',
    sa.Column('id', sa.String(36), nullable=False),
    sa.Column('email', sa.String(), nullable=False),
    sa.Column('access_hash', sa.String(64), nullable=False),
    sa.Column('refresh_hash', sa.String(64), nullable=False),
    sa.Column('nonce_hash', sa.String(64), nullable=False),
    sa.Column('code_tries', sa.Integer(), nullable=False),
    sa.Column('requester', sa.String(), nullable=False),
    sa.Column('created_at', sa.DateTime(timezone=True), nullable=False),
    sa.Column('expires_at', sa.DateTime(timezone=True), nullable=False),
    sa.Column('redeemed_at', sa.DateTime(timezone=True), nullable=True),
    sa.Column('voided_at', sa.DateTime(timezone=True), nullable=True),
    sa.PrimaryKeyConstraint('id', name=op.f('pk_sign_in_links')),
    sa.UniqueConstraint('access_hash', name=op.f('uq_sign_in_links_access_hash')),
    sa.UniqueConstraint('nonce_hash', name=op.f('uq_sign_in_links_nonce_hash'))
    )
    with op.batch_alter_table('sign_in_links', schema=None) as batch_op:
        batch_op.create_index(batch_op.f('ix_sign_in_links_created_at'), ['created_at'], unique=False)
        batch_op.create_index(batch_op.f('ix_sign_in_links_email'), ['email'], unique=False)
        batch_op.create_index(batch_op.f('ix_sign_in_links_requester'), ['requester'], unique=False)

    op.create_table('event_speakers',
    sa.Column('id', sa.String(36), nullable=False),
    sa.Column('event_id', sa.String(), nullable=False),
    sa.Column('name', sa.String(), nullable=False),
    sa.Column('company', sa.String(), nullable=True),
    sa.Column('role', sa.String(), nullable=True),
    sa.Column('bio', sa.String(), nullable=True),
    sa.Column('display_order', sa.Integer(), nullable=False),
    sa.ForeignKeyConstraint(['event_id'], ['events.id'], name=op.f('fk_event_speakers_event_id'), ondelete='CASCADE'),
    sa.PrimaryKeyConstraint('id', name=op.f('pk_event_speakers'))
    )
    with op.batch_alter_table('event_speakers', schema=None) as batch_op:
        batch_op.create_index(batch_op.f('ix_event_speakers_event_id'), ['event_id'], unique=False)

    op.create_table('members',
    sa.Column('id', sa.String(36), nullable=False),
    sa.Column('name', sa.String(), nullable=False),
    sa.Column('role', sa.String(), nullable=False),
    sa.Column('company', sa.String(), nullable=False),
    sa.Column('company_id', sa.String(), nullable=True),
    sa.Column('activity_domain', sa.String(), nullable=False),
    sa.Column('description', sa.String(), nullable=False),
    sa.Column('email', sa.String(), nullable=True),
    sa.Column('phone', sa.String(), nullable=False),
    sa.Column('linkedin', sa.String(), nullable=False),
    sa.Column('website', sa.String(), nullable=False),
    sa.Column('image_url', sa.String(), nullable=False),
    sa.Column('expertise', sa.JSON(), nullable=False),
    sa.Column('services', sa.JSON(), nullable=False),
    sa.Column('is_active', sa.Boolean(), nullable=False),
    sa.Column('opted_out_at', sa.DateTime(timezone=True), nullable=True),
    sa.Column('created_at', sa.DateTime(timezone=True), nullable=False),
    sa.Column('updated_at', sa.DateTime(timezone=True), nullable=False),
    sa.CheckConstraint('email = lower(email)', name=op.f('ck_members_email_normalised')),
    sa.ForeignKeyConstraint(['company_id'], ['companies.id'], name=op.f('fk_members_company_id'), ondelete='SET NULL'),
    sa.PrimaryKeyConstraint('id', name=op.f('pk_members')),
    sa.UniqueConstraint('email', name=op.f('uq_members_email'))
    )
    with op.batch_alter_table('members', schema=None) as batch_op:
        batch_op.create_index(batch_op.f('ix_members_company_id'), ['company_id'], unique=False)
        batch_op.create_index(batch_op.f('ix_members_created_at'), ['created_at'], unique=False)

    op.create_table('event_reservations',
    sa.Column('id', sa.String(36), nullable=False),
    sa.Column('event_id', sa.String(), nullable=False),
    sa.Column('member_id', sa.String(), nullable=True),
    sa.Column('response_token', sa.String(64), nullable=False),
    sa.Column('will_attend', sa.Boolean(), nullable=True),
    sa.Column('with_lunch', sa.Boolean(), nullable=True),
    sa.Column('guest_count', sa.Integer(), nullable=False),
    sa.Column('responded_at', sa.DateTime(timezone=True), nullable=True),
    sa.Column('created_at', sa.DateTime(timezone=True), nullable=False),
    sa.Column('updated_at', sa.DateTime(timezone=True), nullable=False),
    sa.CheckConstraint('guest_count BETWEEN 0 AND 5', name=op.f('ck_event_reservations_guest_count')),
    sa.ForeignKeyConstraint(['event_id'], ['events.id'], name=op.f('fk_event_reservations_event_id'), ondelete='CASCADE'),
    sa.ForeignKeyConstraint(['member_id'], ['members.id'], name=op.f('fk_event_reservations_member_id'), ondelete='SET NULL'),
    sa.PrimaryKeyConstraint('id', name=op.f('pk_event_reservations')),
    sa.UniqueConstraint('event_id', 'member_id', name='uq_event_reservations_person'),
    sa.UniqueConstraint('response_token', name=op.f('uq_event_reservations_response_token'))
    )
    with op.batch_alter_table('event_reservations', schema=None) as batch_op:
        batch_op.create_index(batch_op.f('ix_event_reservations_member_id'), ['member_id'], unique=False)
        batch_op.create_index(batch_op.f('ix_event_reservations_updated_at'), ['updated_at'], unique=False)

    op.create_table('mail_outbox',
    sa.Column('id', sa.String(36), nullable=False),
    sa.Column('key', sa.String(), nullable=False),
    sa.Column('kind', sa.String(), nullable=False),
    sa.Column('recipient', sa.String(), nullable=False),
    sa.Column('member_id', sa.String(), nullable=True),
    sa.Column('event_id', sa.String(), nullable=True),
    sa.Column('reservation_id', sa.String(), nullable=True),
    sa.Column('broadcast_id', sa.String(), nullable=True),
    sa.Column('context', sa.JSON(), nullable=False),
    sa.Column('message_id', sa.String(), nullable=False),
    sa.Column('priority', sa.Integer(), nullable=False),
    sa.Column('state', sa.String(), nullable=False),
    sa.Column('reason', sa.String(), nullable=False),
    sa.Column('attempts', sa.Integer(), nullable=False),
    sa.Column('available_at', sa.DateTime(timezone=True), nullable=False),
    sa.Column('lease_owner', sa.String(), nullable=False),
    sa.Column('lease_until', sa.DateTime(timezone=True), nullable=True),
    sa.Column('relay_answer', sa.String(), nullable=False),
    sa.Column('created_at', sa.DateTime(timezone=True), nullable=False),
    sa.Column('updated_at', sa.DateTime(timezone=True), nullable=False),
    sa.Column('sent_at', sa.DateTime(timezone=True), nullable=True),
    sa.CheckConstraint("state IN ('pending', 'claimed', 'handing_over', 'sent', 'failed', 'uncertain', 'excluded', 'withdrawn')", name=op.f('ck_mail_outbox_state')),
    sa.ForeignKeyConstraint(['broadcast_id'], ['broadcast_emails.id'], name=op.f('fk_mail_outbox_broadcast_id'), ondelete='SET NULL'),
    sa.ForeignKeyConstraint(['event_id'], ['events.id'], name=op.f('fk_mail_outbox_event_id'), ondelete='SET NULL'),
    sa.ForeignKeyConstraint(['member_id'], ['members.id'], name=op.f('fk_mail_outbox_member_id'), ondelete='SET NULL'),
    sa.ForeignKeyConstraint(['reservation_id'], ['event_reservations.id'], name=op.f('fk_mail_outbox_reservation_id'), ondelete='SET NULL'),
    sa.PrimaryKeyConstraint('id', name=op.f('pk_mail_outbox')),
    sa.UniqueConstraint('key', name=op.f('uq_mail_outbox_key'))
    )
    with op.batch_alter_table('mail_outbox', schema=None) as batch_op:
        batch_op.create_index(batch_op.f('ix_mail_outbox_broadcast_id'), ['broadcast_id'], unique=False)
        batch_op.create_index(batch_op.f('ix_mail_outbox_event_id'), ['event_id'], unique=False)
        batch_op.create_index(batch_op.f('ix_mail_outbox_member_id'), ['member_id'], unique=False)
        batch_op.create_index('ix_mail_outbox_queue', ['state', 'priority', 'available_at'], unique=False)
        batch_op.create_index(batch_op.f('ix_mail_outbox_reservation_id'), ['reservation_id'], unique=False)
        batch_op.create_index(batch_op.f('ix_mail_outbox_updated_at'), ['updated_at'], unique=False)

    op.execute(EVENT_STATS)



def downgrade() -> None:
    op.execute("DROP VIEW event_stats")
    with op.batch_alter_table('mail_outbox', schema=None) as batch_op:
        batch_op.drop_index(batch_op.f('ix_mail_outbox_updated_at'))
        batch_op.drop_index(batch_op.f('ix_mail_outbox_reservation_id'))
        batch_op.drop_index('ix_mail_outbox_queue')
        batch_op.drop_index(batch_op.f('ix_mail_outbox_member_id'))
        batch_op.drop_index(batch_op.f('ix_mail_outbox_event_id'))
        batch_op.drop_index(batch_op.f('ix_mail_outbox_broadcast_id'))

    op.drop_table('mail_outbox')
    with op.batch_alter_table('event_reservations', schema=None) as batch_op:
        batch_op.drop_index(batch_op.f('ix_event_reservations_updated_at'))
        batch_op.drop_index(batch_op.f('ix_event_reservations_member_id'))

    op.drop_table('event_reservations')
    with op.batch_alter_table('members', schema=None) as batch_op:
        batch_op.drop_index(batch_op.f('ix_members_created_at'))
        batch_op.drop_index(batch_op.f('ix_members_company_id'))

    op.drop_table('members')
    with op.batch_alter_table('event_speakers', schema=None) as batch_op:
        batch_op.drop_index(batch_op.f('ix_event_speakers_event_id'))

    op.drop_table('event_speakers')
    with op.batch_alter_table('sign_in_links', schema=None) as batch_op:
        batch_op.drop_index(batch_op.f('ix_sign_in_links_requester'))
        batch_op.drop_index(batch_op.f('ix_sign_in_links_email'))
        batch_op.drop_index(batch_op.f('ix_sign_in_links_created_at'))

    op.drop_table('sign_in_links')
    with op.batch_alter_table('sessions', schema=None) as batch_op:
        batch_op.drop_index(batch_op.f('ix_sessions_expires_at'))
        batch_op.drop_index(batch_op.f('ix_sessions_email'))

    op.drop_table('sessions')
    with op.batch_alter_table('events', schema=None) as batch_op:
        batch_op.drop_index('uq_events_month', sqlite_where=sa.text("status <> 'cancelled'"), postgresql_where=sa.text("status <> 'cancelled'"))
        batch_op.drop_index(batch_op.f('ix_events_date'))

    op.drop_table('events')
    op.drop_table('email_signature')
    op.drop_table('email_reminder_settings')
    op.drop_table('companies')
    op.drop_table('broadcast_emails')
    with op.batch_alter_table('audit_entries', schema=None) as batch_op:
        batch_op.drop_index(batch_op.f('ix_audit_entries_subject'))
        batch_op.drop_index(batch_op.f('ix_audit_entries_at'))

    op.drop_table('audit_entries')
    op.drop_table('admins')

