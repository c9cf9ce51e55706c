"""Two people who change the same thing: what was opened must still be there when it is saved.

Of a text, the second is told, and may save again. Of a record, they see both values of every field that differs.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any, Protocol

from sqlmodel import Session, col, select

from clubapp import clock
from clubapp.models import AuditEntry
from clubapp.refusals import Conflict
from clubapp.services.base.actors import Actor

TEXT_CHANGED = (
    "Une autre personne a enregistré des changements depuis que vous avez ouvert cette page. Votre saisie est "
    "conservée : enregistrez à nouveau pour remplacer sa version par la vôtre, ou annulez pour garder la sienne."
)
RECORD_CHANGED = "Cette fiche a été modifiée pendant que vous la remplissiez. Choisissez ce qui doit être enregistré."


class TextChanged(Conflict):
    """Someone saved the text since it was opened; `seen` is its version now."""

    def __init__(self, seen: str, text: str = TEXT_CHANGED) -> None:
        super().__init__(text)
        self.seen = seen


def version_of_values(*values: object) -> str:
    """A short name of some values: another one as soon as any of them differs."""
    return sha256(repr(values).encode("utf-8", "surrogatepass")).hexdigest()[:16]


def require_version(seen: str, now: str) -> None:
    """Go on only over the version that was opened.

    Raises:
        TextChanged: when it is another one by now.
    """
    if seen != now:
        raise TextChanged(now)


class VersionedRow(Protocol):
    """A row that tells when it was last changed."""

    id: str
    updated_at: Any


@dataclass(frozen=True)
class Difference:
    """One field that two people left with different values. `is_image` when these are addresses of pictures.

    `keeps_theirs` is the choice to begin with: the other one's, where the person typed nothing of their own.
    """

    name: str
    label: str
    theirs: str
    mine: str
    is_image: bool = False
    keeps_theirs: bool = False


class RecordChanged(Conflict):
    """Someone saved the record since the form was opened.

    `seen` is its version now, `theirs` what they left in each differing field, as a form holds it; `told` says who
    saved and when, as far as it is known.
    """

    def __init__(self, seen: str, theirs: dict[str, Any], differences: tuple[Difference, ...], told: str) -> None:
        super().__init__(RECORD_CHANGED)
        self.seen = seen
        self.theirs = theirs
        self.differences = differences
        self.told = told

    def with_choices(self, opened: object, typed: object) -> list[Difference]:
        """The differences, with the choice to begin with: `opened` and `typed` are the form then and now."""
        untouched = {row.name for row in self.differences if getattr(opened, row.name) == getattr(typed, row.name)}
        return [replace(row, keeps_theirs=row.name in untouched) for row in self.differences]


def version_of_row(row: VersionedRow) -> str:
    """What a form that was opened with a row hands back as `seen`."""
    return row.updated_at.isoformat()


def refuse_changed_record(
    session: Session,
    actor: Actor,
    row: VersionedRow,
    *,
    theirs: Mapping[str, Any],
    mine: Mapping[str, Any],
    labels: Mapping[str, str],
    words: Callable[[str, Any], str],
) -> None:
    """Compare what the row holds with what a form opened on an older version would make of it.

    `labels` names the fields that count, in their order; `words` puts a field's value into words.

    Raises:
        RecordChanged: when a field differs.
    """
    differing = [name for name in labels if theirs[name] != mine[name]]
    if not differing:
        return
    differences = tuple(
        Difference(
            name,
            labels[name],
            words(name, theirs[name]),
            words(name, mine[name]),
            is_image=name in ("image_url", "logo_url"),
        )
        for name in differing
    )
    raise RecordChanged(
        version_of_row(row), {name: theirs[name] for name in differing}, differences, _told(session, actor, row)
    )


def _told(session: Session, actor: Actor, row: VersionedRow) -> str:
    """'Modifiée par lea@club.example, vendredi 20 novembre 2026 à 14:02', by the audit trail.

    A member is not told the address of another person (P1).
    """
    query = select(AuditEntry).where(AuditEntry.subject == row.id).order_by(col(AuditEntry.at).desc())
    last = session.exec(query.limit(1)).first()
    if last is None:
        return f"Modifiée {clock.long_date(row.updated_at)}."
    other = last.actor if actor.is_admin else "une autre personne"
    who = "vous-même, dans un autre onglet" if last.actor == actor.email else other
    return f"Modifiée par {who}, {clock.long_date(last.at)}."
