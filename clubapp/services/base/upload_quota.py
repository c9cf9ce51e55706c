"""The limits of uploads: of a person and of all (W8)."""

from datetime import timedelta

from sqlmodel import Session

from clubapp.services.base import audit, quota
from clubapp.services.base.actors import Actor

MOST, MOST_IN_ALL, WINDOW = 40, 400, timedelta(minutes=10)
TOO_MANY = "Trop de fichiers envoyés\u00a0: réessayez dans dix minutes."
_SENT = "file.sent"


def count_upload(session: Session, actor: Actor, kind: str) -> None:
    """Count one upload of the actor, whether or not the file is accepted later.

    Raises:
        TooMany: over a limit of the window.
    """
    quota.refuse_beyond(session, actor, _SENT, most=MOST, most_in_all=MOST_IN_ALL, window=WINDOW, sentence=TOO_MANY)
    audit.record(session, actor, _SENT, kind=kind)
