"""Where someone stands with an event, what became of their invitation, and the words for it."""

from datetime import datetime
from enum import StrEnum

from clubapp import clock
from clubapp.models import AnswerSource, MailState


class Group(StrEnum):
    """Where someone stands with an event."""

    COMING = "coming"
    WAITING = "waiting"
    SILENT = "silent"
    ABSENT = "absent"
    UNINVITED = "uninvited"

    @property
    def label(self) -> str:
        """What the group is called."""
        return {
            "coming": "Présents",
            "waiting": "Liste d'attente",
            "silent": "Sans réponse",
            "absent": "Absents",
            "uninvited": "Non invités",
        }[self]


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
_VIA = {
    AnswerSource.LINK: "répondu par le lien",
    AnswerSource.MEMBER: "répondu dans l'espace membre",
    AnswerSource.PHONE: "répondu par téléphone",
    AnswerSource.OFFER: "répondu à une place proposée",
}


def delivery_of(state: str) -> Delivery:
    """What a message's state means to people."""
    return _DELIVERIES[MailState(state)]


def group_of(will_attend: bool | None, waiting_since: datetime | None) -> Group:
    """The group of an answer."""
    if will_attend is None:
        return Group.SILENT
    if not will_attend:
        return Group.ABSENT
    return Group.COMING if waiting_since is None else Group.WAITING


def party(group: Group, with_lunch: bool | None, guest_count: int) -> str:
    """'2 invités, déjeune': what someone who comes, or hopes to, adds to the answer."""
    if group not in (Group.COMING, Group.WAITING):
        return ""
    lunch = {True: "avec déjeuner", False: "sans déjeuner", None: ""}[with_lunch]
    guests = f"{guest_count} {'invités' if guest_count > 1 else 'invité'}" if guest_count else ""
    return ", ".join(text for text in (guests, lunch) if text)


def told(via: str, responded_at: datetime | None, recorded_by: str) -> str:
    """'répondu par téléphone le 20/11/2026 à 10:00, noté par …'; empty without an answer."""
    if responded_at is None:
        return ""
    by = f", noté par {recorded_by}" if recorded_by else ""
    return f"{how(via)} le {clock.short_date(responded_at)}{by}"


def how(via: str) -> str:
    """'répondu par téléphone'; answers from before this was kept say 'répondu'."""
    return _VIA[AnswerSource(via)] if via in set(AnswerSource) else "répondu"
