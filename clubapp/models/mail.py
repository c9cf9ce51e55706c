"""The mail outbox and its pause, broadcasts, the signature, reminder settings and planned mailings."""

from datetime import datetime
from enum import StrEnum
from typing import Any, ClassVar

from sqlalchemy import JSON, CheckConstraint, Index, UniqueConstraint
from sqlmodel import Field, SQLModel

from clubapp.models.base import flag_column, id_column, instant_column, text_column

MAX_DAYS_BEFORE = 365
MAX_ATTACHMENTS = 10


class MailState(StrEnum):
    """The state of one message (M8, M12)."""

    PENDING = "pending"  # waiting for its first attempt or a retry
    CLAIMED = "claimed"  # leased by a worker; nothing has been sent
    HANDING_OVER = "handing_over"  # being sent to the relay
    SENT = "sent"  # accepted by the relay (250)
    FAILED = "failed"  # refused by the relay for good
    UNCERTAIN = "uncertain"  # interrupted while being sent: it may have arrived
    EXCLUDED = "excluded"  # left out of the recipients; `reason` says why
    WITHDRAWN = "withdrawn"  # not sent since it no longer applied; `reason` says why


class OutboxMail(SQLModel, table=True):
    """One message to one person. The unique `key` prevents queueing the same message twice (M7).

    `context` holds what the message needs besides the rows it names, and never a secret: links are
    rebuilt from the signing key when the message is written out (decision 0004).
    """

    __tablename__: ClassVar[Any] = "mail_outbox"
    __table_args__ = (
        CheckConstraint(
            "state IN ('pending', 'claimed', 'handing_over', 'sent', 'failed', 'uncertain', 'excluded', 'withdrawn')",
            name="state",
        ),
        Index("ix_mail_outbox_queue", "state", "priority", "available_at"),
    )

    id: str = id_column()
    key: str = Field(unique=True)
    kind: str
    recipient: str = ""
    member_id: str | None = Field(default=None, foreign_key="members.id", ondelete="SET NULL", index=True)
    event_id: str | None = Field(default=None, foreign_key="events.id", ondelete="SET NULL", index=True)
    reservation_id: str | None = Field(
        default=None, foreign_key="event_reservations.id", ondelete="SET NULL", index=True
    )
    broadcast_id: str | None = Field(default=None, foreign_key="broadcast_emails.id", ondelete="SET NULL", index=True)
    context: dict[str, Any] = Field(default_factory=dict, sa_type=JSON)
    message_id: str = ""
    priority: int = 5
    state: str = MailState.PENDING
    reason: str = ""
    attempts: int = 0
    available_at: datetime = instant_column()
    lease_owner: str = ""
    lease_until: datetime | None = instant_column(nullable=True)
    relay_answer: str = ""
    created_at: datetime = instant_column()
    updated_at: datetime = instant_column(index=True)
    sent_at: datetime | None = instant_column(nullable=True)


class MailPause(SQLModel, table=True):
    """A pause of delivery, until `until` or, without it, until someone ends it. A single row, or none.

    `reason` is the French sentence administrators read; `by` who paused it, 'system' after errors in a row (M9).
    """

    __tablename__: ClassVar[Any] = "mail_pause"

    id: int = Field(default=1, primary_key=True)
    since: datetime = instant_column()
    until: datetime | None = instant_column(nullable=True)
    reason: str = ""
    by: str = ""


class BroadcastStatus(StrEnum):
    """The status of a broadcast."""

    DRAFT = "draft"
    SENT = "sent"


class BroadcastEmail(SQLModel, table=True):
    """A free-form mail. While `paused_at` is set its waiting messages are not sent.

    `audience` says to whom: empty for all active members, else as `services.mailings.stored_audience` writes it.
    `left_off` are the ids of people who were taken off by hand, separated by commas.
    """

    __tablename__: ClassVar[Any] = "broadcast_emails"
    __table_args__ = (CheckConstraint("status IN ('draft', 'sent')", name="status"),)

    id: str = id_column()
    subject: str
    content: str
    sent_by: str = ""
    created_at: datetime = instant_column()
    sent_at: datetime | None = instant_column(nullable=True)
    sent_count: int = 0
    status: str = BroadcastStatus.DRAFT
    paused_at: datetime | None = instant_column(nullable=True)
    stopped_at: datetime | None = instant_column(nullable=True)
    audience: str = text_column()
    left_off: str = text_column()


class MailAttachment(SQLModel, table=True):
    """A file of a broadcast, kept once whatever the number of its messages.

    `broadcast_id` names a broadcast that may not be saved yet. `content` is base64 in lines of 76 characters, as
    messages carry it; `size` counts the bytes of the file. `position` is 1 to MAX_ATTACHMENTS.
    """

    __tablename__: ClassVar[Any] = "mail_attachments"
    __table_args__ = (
        UniqueConstraint("broadcast_id", "position", name="uq_mail_attachments_position"),
        CheckConstraint(f"position BETWEEN 1 AND {MAX_ATTACHMENTS}", name="position"),
    )

    id: str = id_column()
    broadcast_id: str = Field(max_length=36)
    position: int
    name: str
    media_type: str
    size: int
    content: str
    sent_by: str
    created_at: datetime = instant_column(index=True)


class EmailSignature(SQLModel, table=True):
    """The signature under every mail; a single row, or none for the built-in default."""

    __tablename__: ClassVar[Any] = "email_signature"

    id: str = id_column()
    sender_name: str
    sender_role: str
    company_name: str
    phone: str = ""
    mobile: str = ""
    address: str = ""
    website: str = ""
    logo_url: str = ""
    custom_html: str = ""
    updated_by: str = ""
    updated_at: datetime = instant_column()


class ReminderType(StrEnum):
    """The three automatic mails of an event."""

    INVITATION = "event_invitation"
    FIRST = "event_reminder_1"
    SECOND = "event_reminder_2"


class EmailReminderSetting(SQLModel, table=True):
    """The setting of one of the three mails: when it is sent, with which text. An empty text is the built-in one.

    `to_unanswered` sends a reminder also to those who have not answered, with a text of its own.
    """

    __tablename__: ClassVar[Any] = "email_reminder_settings"
    __table_args__ = (
        CheckConstraint(f"days_before BETWEEN 0 AND {MAX_DAYS_BEFORE}", name="days_before"),
        CheckConstraint(
            "reminder_type IN ('event_invitation', 'event_reminder_1', 'event_reminder_2')", name="reminder_type"
        ),
    )

    id: str = id_column()
    reminder_type: str = Field(unique=True)
    days_before: int = 0
    is_active: bool = True
    template_subject: str = ""
    template_content: str = ""
    to_unanswered: bool = flag_column(default=False)
    unanswered_subject: str = text_column()
    unanswered_content: str = text_column()


class PlannedState(StrEnum):
    """The state of an automatic mailing."""

    PLANNED = "planned"  # waiting until it is due
    SUSPENDED = "suspended"  # held by an administrator
    DONE = "done"  # its messages were queued
    MISSED = "missed"  # was due while nothing ran, or before the event existed
    DROPPED = "dropped"  # no longer wanted: the setting is off, the event cancelled or past


class PlannedMailing(SQLModel, table=True):
    """One automatic mailing of an event, with its due time (C2, C4). A worker claims it by changing its state."""

    __tablename__: ClassVar[Any] = "planned_mailings"
    __table_args__ = (
        UniqueConstraint("event_id", "reminder_type", name="uq_planned_mailings_event"),
        CheckConstraint("state IN ('planned', 'suspended', 'done', 'missed', 'dropped')", name="state"),
        Index("ix_planned_mailings_due", "state", "due_at"),
    )

    id: str = id_column()
    event_id: str = Field(foreign_key="events.id", ondelete="CASCADE")
    reminder_type: str
    due_at: datetime = instant_column()
    state: str = PlannedState.PLANNED
    reason: str = ""
    queued_count: int = 0
    settled_at: datetime | None = instant_column(nullable=True)
    updated_at: datetime = instant_column()
