"""All tables (specification, section 3; contract, section 5)."""

from clubapp.models.access import AuditEntry, EmailChange, SignInLink, UserSession
from clubapp.models.base import new_id
from clubapp.models.events import (
    DURATION_HOURS,
    MAX_GUESTS,
    AnswerSource,
    Event,
    EventReservation,
    EventSpeaker,
    EventStatus,
    ReservationAnswer,
    coming,
    event_stats,
)
from clubapp.models.mail import (
    BroadcastEmail,
    BroadcastStatus,
    EmailReminderSetting,
    EmailSignature,
    MailPause,
    MailState,
    OutboxMail,
    PlannedMailing,
    PlannedState,
    ReminderType,
)
from clubapp.models.people import DOMAINS, Admin, Company, CompetitionDecision, CompetitionVerdict, Member

__all__ = [
    "DOMAINS",
    "DURATION_HOURS",
    "MAX_GUESTS",
    "Admin",
    "AnswerSource",
    "AuditEntry",
    "BroadcastEmail",
    "BroadcastStatus",
    "Company",
    "CompetitionDecision",
    "CompetitionVerdict",
    "EmailChange",
    "EmailReminderSetting",
    "EmailSignature",
    "Event",
    "EventReservation",
    "EventSpeaker",
    "EventStatus",
    "MailPause",
    "MailState",
    "Member",
    "OutboxMail",
    "PlannedMailing",
    "PlannedState",
    "ReminderType",
    "ReservationAnswer",
    "SignInLink",
    "UserSession",
    "coming",
    "event_stats",
    "new_id",
]
