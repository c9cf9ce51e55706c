"""The check of the chain of the journal of acts (T1)."""

import time

from sqlmodel import Session

from clubapp import clock
from clubapp.database import snapshot
from clubapp.doctor.check import CheckProblem
from clubapp.services.base import act_chain, seen_acts
from clubapp.services.base.act_chain import BrokenChain
from clubapp.services.privacy import retention

WHOLE_SECONDS = 24 * 3600
MEND = (
    "quelqu’un a écrit dans la base elle-même\u00a0: comparez avec une sauvegarde, et changez ses accès\u00a0; si "
    f"c’est vous qui avez remplacé la base, supprimez {seen_acts.NAME} du dossier des données"
)


class ChainCheck:
    """The whole chain at the first look and once a day; in between what was added, since *Santé* looks each minute."""

    def __init__(self) -> None:
        self._verified: tuple[int, str] | None = None
        self._whole_at = float("-inf")

    def run(self) -> str:
        """Whether the chain is intact, in French.

        Raises:
            CheckProblem: when it is not.
        """
        try:
            with snapshot() as session:
                number, entry_hash, kept_from = self._verify(session)
                at = act_chain.find_instant(session, number)
        except BrokenChain as broken:
            raise CheckProblem(str(broken), MEND) from None
        seen_acts.keep_end(number, entry_hash, at, kept_from)
        if not number:
            return "aucun acte encore"
        return f"chaîne intacte jusqu’à l’acte n°\u00a0{number}, empreinte {entry_hash[:12]}"

    def _verify(self, session: Session) -> tuple[int, str, int]:
        begun = time.monotonic()
        since = self._verified if begun - self._whole_at < WHOLE_SECONDS else None
        self._verified = None  # after a broken chain, or a restored backup, the whole is read
        try:
            chain = act_chain.verify(session, since)
        except BrokenChain:
            if since is None:
                raise
            since = None
            chain = act_chain.verify(session)
        if seen := seen_acts.read_end():
            act_chain.require_seen(session, chain, *seen)
        act_chain.require_beginning(chain, seen_acts.read_days(), clock.now() - retention.acts_kept())
        if since is None:
            self._whole_at = begun
        self._verified = chain.number, chain.entry_hash
        return chain.number, chain.entry_hash, chain.kept_from
