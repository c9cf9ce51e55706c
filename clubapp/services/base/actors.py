"""The person who calls a service, and the two checks of their rights."""

import getpass
import os
from dataclasses import dataclass
from datetime import datetime

from clubapp.refusals import Forbidden


@dataclass(frozen=True)
class Actor:
    """The caller of a service. Someone may be both administrator and member (D2).

    `operator` is the operating-system user of a command, who acts as an administrator.
    """

    email: str = ""
    is_admin: bool = False
    member_id: str | None = None
    session_id: str | None = None
    expires_at: datetime | None = None
    operator: str = ""

    @property
    def is_signed_in(self) -> bool:
        """Whether the call belongs to an active session."""
        return self.session_id is not None


VISITOR = Actor()
SYSTEM = Actor(email="system", is_admin=True)


def command_actor() -> Actor:
    """Whoever runs a command on the server, by the name of their account."""
    try:
        return Actor(is_admin=True, operator=getpass.getuser())
    except (KeyError, OSError):  # an account without a name, as in a container
        return Actor(is_admin=True, operator=f"uid {os.getuid()}")


def require_admin(actor: Actor) -> None:
    """Require an administrator.

    Raises:
        Forbidden: for anyone else.
    """
    if not actor.is_admin:
        raise Forbidden


def require_member(actor: Actor) -> str:
    """Require a member and return their id: members only ever write their own rows.

    Raises:
        Forbidden: for anyone else.
    """
    if actor.member_id is None:
        raise Forbidden
    return actor.member_id
