"""Where someone stands with an event, what became of their invitation, and the words for it."""

from datetime import datetime
from enum import StrEnum

from clubapp import clock
from clubapp.models import AnswerSource, AttendeeStatus, MailState, status_of
from clubapp.text.party import format_party

__all__ = [
    "BY_ADMIN",
    "AttendeeStatus",
    "Delivery",
    "delivery_of",
    "describe_party",
    "format_answer_channel",
    "format_answer_source",
    "status_of",
]


class Delivery(StrEnum):
    """What became of the last invitation of someone, in one word (M8)."""

    SENT = "envoyée"
    WAITING = "en attente"
    FAILED = "échec"
    UNCERTAIN = "incertain"
    WITHDRAWN = "retirée"
    NONE = ""


_DELIVERIES = {
    MailState.SENT: Delivery.SENT,
    MailState.PENDING: Delivery.WAITING,
    MailState.CLAIMED: Delivery.WAITING,
    MailState.HANDING_OVER: Delivery.WAITING,
    MailState.FAILED: Delivery.FAILED,
    MailState.UNCERTAIN: Delivery.UNCERTAIN,
    MailState.WITHDRAWN: Delivery.WITHDRAWN,
}
# What an administrator wrote down can be taken back by one.
BY_ADMIN = (AnswerSource.PHONE, AnswerSource.CORRECTION)
_VIA = {
    AnswerSource.LINK: "répondu par le lien",
    AnswerSource.MEMBER: "répondu dans l’espace membre",
    AnswerSource.PHONE: "répondu par téléphone",
    AnswerSource.CORRECTION: "réponse corrigée",
    AnswerSource.OFFER: "répondu à une place proposée",
    AnswerSource.SEATED: "place obtenue de la liste d’attente",
    AnswerSource.GUEST: "un invité s’est désisté",
}


def delivery_of(state: str) -> Delivery:
    """What a message's state means to people."""
    return _DELIVERIES[MailState(state)]


def describe_party(status: AttendeeStatus, guest_count: int, with_lunch: bool | None) -> str:
    """'2 invités, avec déjeuner': what someone who comes, or hopes to, adds to the answer."""
    return format_party(guest_count, with_lunch) if status.will_attend else ""


def format_answer_source(via: str, responded_at: datetime | None, recorded_by: str) -> str:
    """'répondu par téléphone le 20/11/2026 à 10:00, noté par …'; empty without an answer."""
    if responded_at is None:
        return ""
    by = f", noté par {recorded_by}" if recorded_by else ""
    return f"{format_answer_channel(via)} le {clock.short_date(responded_at)}{by}"


def format_answer_channel(via: str) -> str:
    """'répondu par téléphone'; answers from before this was kept say 'répondu'."""
    return _VIA[AnswerSource(via)] if via in set(AnswerSource) else "répondu"
