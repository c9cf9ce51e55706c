"""All tables (specification, section 3; contract, section 5)."""

from clubapp.models.access import AuditEntry, SignInLink, UserSession
from clubapp.models.base import new_id
from clubapp.models.events import (
    DURATION_HOURS,
    MAX_GUESTS,
    Event,
    EventReservation,
    EventSpeaker,
    EventStatus,
    event_stats,
)
from clubapp.models.mail import (
    BroadcastEmail,
    BroadcastStatus,
    EmailReminderSetting,
    EmailSignature,
    MailState,
    OutboxMail,
    ReminderType,
)
from clubapp.models.people import DOMAINS, Admin, Company, Member

__all__ = [
    "DOMAINS",
    "DURATION_HOURS",
    "MAX_GUESTS",
    "Admin",
    "AuditEntry",
    "BroadcastEmail",
    "BroadcastStatus",
    "Company",
    "EmailReminderSetting",
    "EmailSignature",
    "Event",
    "EventReservation",
    "EventSpeaker",
    "EventStatus",
    "MailState",
    "Member",
    "OutboxMail",
    "ReminderType",
    "SignInLink",
    "UserSession",
    "event_stats",
    "new_id",
]
