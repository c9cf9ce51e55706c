"""A person's own sessions: what is signed in under their address, and how to end it (S9)."""

import re
from dataclasses import dataclass

from sqlmodel import Session

from clubapp import clock
from clubapp.refusals import NotFound
from clubapp.services.access import sessions
from clubapp.services.base import audit
from clubapp.services.base.actors import Actor

# The first that is found names it: most browsers also claim to be one of the others.
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
class SignedIn:
    """A living session as its person reads it."""

    id: str
    browser: str
    since: str
    is_this_one: bool


def listing(session: Session, actor: Actor) -> tuple[SignedIn, ...]:
    """The actor's living sessions: this one first, then the newest."""
    own = sorted(sessions.mine(session, actor), key=lambda one: not one.is_this_one)
    return tuple(
        SignedIn(one.session_id, browser_of(one.user_agent), clock.long_date(one.signed_in_at), one.is_this_one)
        for one in own
    )


def end(session: Session, actor: Actor, session_id: str) -> None:
    """End one of the actor's other sessions; its open pages close at once.

    Raises:
        NotFound: when it is not one of theirs, or has ended.
    """
    if session_id not in _others(session, actor):
        raise NotFound("Cette session est déjà fermée.")
    sessions.end(session, session_id)
    audit.record(session, actor, "session.ended", session_id)


def end_others(session: Session, actor: Actor) -> int:
    """End every session of the actor but this one; how many there were."""
    found = _others(session, actor)
    for session_id in found:
        sessions.end(session, session_id)
    if found:
        audit.record(session, actor, "session.others_ended", count=len(found))
    return len(found)


def browser_of(user_agent: str) -> str:
    """'Firefox sur Windows'."""
    if user_agent == "access-token":
        return SCRIPT
    browser, system = _named(_BROWSERS, user_agent), _named(_SYSTEMS, user_agent)
    return f"{browser or 'Navigateur'} sur {system}" if system else browser or UNKNOWN


def _others(session: Session, actor: Actor) -> list[str]:
    return [one.session_id for one in sessions.mine(session, actor) if not one.is_this_one]


def _named(known: tuple[tuple[str, str], ...], user_agent: str) -> str:
    return next((name for pattern, name in known if re.search(pattern, user_agent)), "")
