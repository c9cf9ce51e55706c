"""Who acts, and the two questions every service asks first."""

from dataclasses import dataclass
from datetime import datetime

from clubapp.refusals import Forbidden


@dataclass(frozen=True)
class Actor:
    """The person behind a call. Administrator comes before member when an address is both."""

    email: str = ""
    is_admin: bool = False
    member_id: str | None = None
    session_id: str | None = None
    expires_at: datetime | None = None

    @property
    def is_signed_in(self) -> bool:
        """Whether a living session stands behind the call."""
        return self.session_id is not None


VISITOR = Actor()
SYSTEM = Actor(email="system", is_admin=True)


def require_admin(actor: Actor) -> None:
    """Only administrators go further.

    Raises:
        Forbidden: for anyone else.
    """
    if not actor.is_admin:
        raise Forbidden


def require_member(actor: Actor) -> str:
    """The signed-in member's own id; nobody writes to another's.

    Raises:
        Forbidden: for anyone else.
    """
    if actor.member_id is None:
        raise Forbidden
    return actor.member_id
