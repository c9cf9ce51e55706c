"""The list of a person's own sessions, and ending them (S9)."""

import re
from dataclasses import dataclass

from sqlmodel import Session

from clubapp import clock
from clubapp.refusals import NotFound
from clubapp.services.access import sessions
from clubapp.services.base import audit
from clubapp.services.base.actors import Actor

# In order: most browsers' user agents also name other browsers.
_BROWSERS = (
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("Firefox/|FxiOS/", "Firefox"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("Chrom(e|ium)/|CriOS/", "Chrome"),
    ("Safari/", "Safari"),
)
_SYSTEMS = (
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("Windows", "Windows"),
    ("Mac OS X|Macintosh", "Mac"),
    ("Linux|X11", "Linux"),
)
UNKNOWN = "Navigateur inconnu"
SCRIPT = "Accès par jeton"


@dataclass(frozen=True)
class SessionRow:
    """An active session in its person's list."""

    id: str
    browser: str
    since: str
    is_this_one: bool


def list_own_sessions(session: Session, actor: Actor) -> tuple[SessionRow, ...]:
    """The actor's active sessions: the present one first, then the newest."""
    own = sorted(sessions.read_own_sessions(session, actor), key=lambda one: not one.is_this_one)
    return tuple(
        SessionRow(one.session_id, name_browser(one.user_agent), clock.long_date(one.signed_in_at), one.is_this_one)
        for one in own
    )


def end_own_session(session: Session, actor: Actor, session_id: str) -> None:
    """End one of the actor's other sessions; its open pages are disconnected at once.

    Raises:
        NotFound: when it is not one of theirs or has already ended.
    """
    if session_id not in _others(session, actor):
        raise NotFound("Cette session est déjà fermée.")
    sessions.end_session(session, session_id)
    audit.record(session, actor, "session.ended", session_id)


def end_other_sessions(session: Session, actor: Actor) -> int:
    """End every session of the actor but the present one; return how many."""
    found = _others(session, actor)
    for session_id in found:
        sessions.end_session(session, session_id)
    if found:
        audit.record(session, actor, "session.others_ended", count=len(found))
    return len(found)


def name_browser(user_agent: str) -> str:
    """'Firefox sur Windows'."""
    if user_agent == "access-token":
        return SCRIPT
    browser, system = _named(_BROWSERS, user_agent), _named(_SYSTEMS, user_agent)
    return f"{browser or 'Navigateur'} sur {system}" if system else browser or UNKNOWN


def _others(session: Session, actor: Actor) -> list[str]:
    return [one.session_id for one in sessions.read_own_sessions(session, actor) if not one.is_this_one]


def _named(known: tuple[tuple[str, str], ...], user_agent: str) -> str:
    return next((name for pattern, name in known if re.search(pattern, user_agent)), "")
