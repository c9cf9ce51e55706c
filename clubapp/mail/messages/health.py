"""Mail about the health of the installation, to administrators (T2)."""

from sqlmodel import Session

from clubapp import routes
from clubapp.mail.messages.letter import Letter, Withdrawn
from clubapp.models import Admin, OutboxMail
from clubapp.settings import settings

HEALTH_ALERT = "health_alert"
NO_LONGER_ADMIN = "Cette adresse n’administre plus le club."


def compose_health_alert(session: Session, mail: OutboxMail) -> Letter:
    """What has become wrong, with its remedy, and what is well again."""
    if session.get(Admin, mail.recipient) is None:
        raise Withdrawn(NO_LONGER_ADMIN)
    begun = [
        {**one, "name": _sentence(one["name"]), "text": _sentence(one["text"]), "mend": _sentence(one["mend"])}
        for one in mail.context["begun"]
    ]
    ended = [_sentence(name) for name in mail.context["ended"]]
    return Letter(HEALTH_ALERT, {"begun": begun, "ended": ended, "link": settings().public_url + routes.ADMIN_HEALTH})


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]
