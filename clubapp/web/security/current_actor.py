"""The person who sent a request or an event."""

from contextvars import ContextVar

from sqlalchemy.exc import SQLAlchemyError
from starlette.requests import HTTPConnection

from clubapp.services.access import sessions
from clubapp.services.base.actors import VISITOR, Actor
from clubapp.settings import settings
from clubapp.web.service_calls import read, write

_actor: ContextVar[Actor] = ContextVar("actor", default=VISITOR)


def actor() -> Actor:
    """The person whose event is being handled; the guard sets it for each one."""
    return _actor.get()


def set_actor(person: Actor) -> None:
    """Called by the guard before a handler runs."""
    _actor.set(person)


def sign_in_cookie_name() -> str:
    """The cookie of a browser that asked for a sign-in mail, which signs nobody in by itself (S4)."""
    return "__Host-sign-in" if settings().uses_https else "sign-in"


def cookie_name() -> str:
    """The session cookie; under HTTPS its prefix binds it to this host (S8)."""
    return "__Host-session" if settings().uses_https else "session"


def browser_cookie_name() -> str:
    """The cookie by which a browser is recognised at its next sign-in (S14)."""
    return "__Host-browser" if settings().uses_https else "browser"


async def session_id_of(connection: HTTPConnection) -> str | None:
    """The living session whose cookie the connection carries.

    While the tables of people cannot be read, the session alone counts: the guard asks for the person at each event.
    """
    cookie = connection.cookies.get(cookie_name())
    if not cookie:
        return None
    try:
        living = await write(sessions.resolve_cookie, cookie)
    except SQLAlchemyError:
        return await write(sessions.find_session_id, cookie)
    return living.session_id if living else None


async def actor_of(connection: HTTPConnection) -> Actor:
    """The person behind an HTTP request or a websocket handshake."""
    return await actor_of_session(await session_id_of(connection))


async def actor_of_session(session_id: str | None) -> Actor:
    """The person behind a session, with the role the address has now."""
    if session_id is None:
        return VISITOR
    return await read(sessions.find_actor, session_id) or VISITOR
