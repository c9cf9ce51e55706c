"""The person who calls a service, and the checks of their rights."""

import getpass
import os
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from clubapp.refusals import Forbidden, ProofRequired


class FactorStep(StrEnum):
    """What a session still waits for before it gives any right (S12)."""

    NONE = ""
    VERIFY = "verify"
    ENROL = "enrol"


@dataclass(frozen=True)
class Actor:
    """The caller of a service. Someone may be both administrator and member (D2).

    `operator` is the operating-system user of a command, who acts as an administrator.
    While a `factor_step` is open the session is half open: it has neither right. `needs_proof` says that the last proof
    of who they are is too old for lasting acts (S13); what acts without a session, such as a command, needs none.
    """

    email: str = ""
    is_admin: bool = False
    member_id: str | None = None
    session_id: str | None = None
    expires_at: datetime | None = None
    operator: str = ""
    factor_step: FactorStep = FactorStep.NONE
    needs_proof: bool = False

    @property
    def has_session(self) -> bool:
        """Whether the call belongs to an active session, half open or not."""
        return self.session_id is not None

    @property
    def is_signed_in(self) -> bool:
        """Whether the call belongs to an active session that waits for nothing."""
        return self.has_session and not self.factor_step


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


def require_fresh_admin(actor: Actor) -> None:
    """Require an administrator who has lately proved who they are, for an act that lasts (S13).

    Raises:
        ProofRequired: when the proof is too old.
        Forbidden: for anyone else.
    """
    require_admin(actor)
    require_fresh(actor)


def require_fresh(actor: Actor) -> None:
    """Require a recent proof of whoever acts (S13).

    Raises:
        ProofRequired: when it is too old.
    """
    if actor.needs_proof:
        raise ProofRequired


def require_member(actor: Actor) -> str:
    """Require a member and return their id: members only ever write their own rows.

    Raises:
        Forbidden: for anyone else.
    """
    if actor.member_id is None:
        raise Forbidden
    return actor.member_id
