"""Two people who change one thing: whoever saves second is told, and nothing goes unseen."""

import hashlib

from clubapp.refusals import Conflict

STALE = (
    "Une autre personne a enregistré une modification depuis que vous avez ouvert cette page. Votre saisie est "
    "conservée\u00a0: enregistrez à nouveau pour remplacer sa version par la vôtre."
)


class Stale(Conflict):
    """Someone saved in between; `seen` is the version now."""

    def __init__(self, seen: str) -> None:
        super().__init__(STALE)
        self.seen = seen


def version_of(*values: object) -> str:
    """What stands for these values: another text as soon as one of them changes."""
    return hashlib.sha256(repr(values).encode()).hexdigest()[:16]


def require_version(seen: str, current: str) -> None:
    """Go on only when the version that was opened is the one that is there.

    Raises:
        Stale: when it is not.
    """
    if seen != current:
        raise Stale(current)
