"""Two administrators, one text: what was opened must still be there when it is saved."""

from hashlib import sha256

from clubapp.refusals import Conflict

CHANGED = (
    "Une autre personne a enregistré des changements depuis que vous avez ouvert cette page. Votre saisie est "
    "conservée : enregistrez à nouveau pour remplacer sa version par la vôtre, ou annulez pour garder la sienne."
)


class Overtaken(Conflict):
    """Someone saved in between; `seen` is the version now."""

    def __init__(self, seen: str) -> None:
        super().__init__(CHANGED)
        self.seen = seen


def version_of(*values: object) -> str:
    """A short name of some values: another one as soon as any of them differs."""
    return sha256(repr(values).encode("utf-8", "surrogatepass")).hexdigest()[:16]


def require_version(seen: str, now: str) -> None:
    """Go on only over the version that was opened.

    Raises:
        Overtaken: when it is another one by now.
    """
    if seen != now:
        raise Overtaken(now)
