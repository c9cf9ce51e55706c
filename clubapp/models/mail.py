"""The mail outbox, broadcasts, the signature and the timing of reminders."""

from datetime import datetime
from enum import StrEnum
from typing import Any, ClassVar

from sqlalchemy import JSON, CheckConstraint, Index
from sqlmodel import Field, SQLModel

from clubapp.models.base import identifier, instant

MAX_DAYS_BEFORE = 365


class MailState(StrEnum):
    """The fate of one message (M8, M12)."""

    PENDING = "pending"  # waiting for its turn, or for a retry
    CLAIMED = "claimed"  # a worker holds it under a lease; nothing has gone out yet
    HANDING_OVER = "handing_over"  # the relay may be receiving it right now
    SENT = "sent"  # the relay said 250
    FAILED = "failed"  # the relay refused it for good
    UNCERTAIN = "uncertain"  # cut while being handed over: it may have been sent
    EXCLUDED = "excluded"  # left out when the list was made; `reason` says why
    WITHDRAWN = "withdrawn"  # no longer true when its turn came; `reason` says why


class OutboxMail(SQLModel, table=True):
    """One message to one person. `key` makes a second queueing of the same message impossible (M7).

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

    id: str = identifier()
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
    available_at: datetime = instant()
    lease_owner: str = ""
    lease_until: datetime | None = instant(nullable=True)
    relay_answer: str = ""
    created_at: datetime = instant()
    updated_at: datetime = instant(index=True)
    sent_at: datetime | None = instant(nullable=True)


class BroadcastStatus(StrEnum):
    """A broadcast is a draft, then sent."""

    DRAFT = "draft"
    SENT = "sent"


class BroadcastEmail(SQLModel, table=True):
    """A free-form mail to all active members."""

    __tablename__: ClassVar[Any] = "broadcast_emails"
    __table_args__ = (CheckConstraint("status IN ('draft', 'sent')", name="status"),)

    id: str = identifier()
    subject: str
    content: str
    sent_by: str = ""
    created_at: datetime = instant()
    sent_at: datetime | None = instant(nullable=True)
    sent_count: int = 0
    status: str = BroadcastStatus.DRAFT


class EmailSignature(SQLModel, table=True):
    """The signature under every mail; a single row, or none for the built-in default."""

    __tablename__: ClassVar[Any] = "email_signature"

    id: str = identifier()
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
    updated_at: datetime = instant()


class ReminderType(StrEnum):
    """The three mails an event sends by itself."""

    INVITATION = "event_invitation"
    FIRST = "event_reminder_1"
    SECOND = "event_reminder_2"


class EmailReminderSetting(SQLModel, table=True):
    """When one of the three mails goes out, and with what text."""

    __tablename__: ClassVar[Any] = "email_reminder_settings"
    __table_args__ = (
        CheckConstraint(f"days_before BETWEEN 0 AND {MAX_DAYS_BEFORE}", name="days_before"),
        CheckConstraint(
            "reminder_type IN ('event_invitation', 'event_reminder_1', 'event_reminder_2')", name="reminder_type"
        ),
    )

    id: str = identifier()
    reminder_type: str = Field(unique=True)
    days_before: int = 0
    is_active: bool = True
    template_subject: str = ""
    template_content: str = ""
