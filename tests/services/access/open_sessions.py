"""Sessions opened for an address, and whom their cookie lets in."""

from clubapp.database import transaction
from clubapp.services.access import sessions
from clubapp.services.base.actors import Actor
from tests.services.access.sign_ins import HELENE


def sign_in(email: str = HELENE) -> str:
    """A session of an address; its cookie."""
    with transaction() as session:
        return sessions.open_session(session, email, user_agent="Firefox")[0]


def who(cookie: str) -> Actor | None:
    """Whom a cookie lets in."""
    with transaction() as session:
        living = sessions.resolve_cookie(session, cookie)
        return living.actor if living else None
