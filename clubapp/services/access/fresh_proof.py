"""By what means a person can prove anew who they are, before an act that lasts (S13)."""

from dataclasses import dataclass

from sqlmodel import Session

from clubapp.models import FactorType
from clubapp.services.access import factors
from clubapp.services.base.actors import Actor


@dataclass(frozen=True)
class ProofMeans:
    """The ids of a passkey and of an app, each empty when there is none; without any, a code is sent by mail."""

    passkey_id: str = ""
    app_id: str = ""

    @property
    def is_by_mail(self) -> bool:
        """Whether a code by mail proves enough: for whoever has no second factor."""
        return not self.passkey_id and not self.app_id


def read_means(session: Session, actor: Actor) -> ProofMeans:
    """The actor's means.

    Raises:
        Forbidden: without a session.
    """
    own = factors.list_factors(session, actor)
    by_type = {row.factor_type: row.id for row in reversed(own)}
    return ProofMeans(by_type.get(FactorType.WEBAUTHN, ""), by_type.get(FactorType.TOTP, ""))
