"""Optimistic locking: a form is saved only over the version it was opened with.

For a text, the second person is refused once and may save again. For a record, what only one of two people changed is
kept, and the second person chooses between both values of each field that both changed.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any, Protocol

from sqlmodel import Session, col, select

from clubapp import clock
from clubapp.models import Act, ActPerson
from clubapp.refusals import Conflict
from clubapp.services.base.actors import Actor

TEXT_CHANGED = (
    "Une autre personne a enregistré des changements depuis que vous avez ouvert cette page. Votre saisie est "
    "conservée\u00a0: enregistrez à nouveau pour remplacer sa version par la vôtre, ou annulez pour garder la sienne."
)
RECORD_CHANGED = "Cette fiche a été modifiée pendant que vous la remplissiez. Choisissez ce qui doit être enregistré."


class TextChanged(Conflict):
    """Someone saved the text since it was opened; `seen` is its version now."""

    def __init__(self, seen: str, text: str = TEXT_CHANGED) -> None:
        super().__init__(text)
        self.seen = seen


def version_of_values(*values: object) -> str:
    """A short digest of the values, used as their version."""
    return sha256(repr(values).encode("utf-8", "surrogatepass")).hexdigest()[:16]


def require_version(seen: str, now: str) -> None:
    """Require that the version a form was opened with is still the current one.

    Raises:
        TextChanged: when it is not.
    """
    if seen != now:
        raise TextChanged(now)


class VersionedRow(Protocol):
    """A row whose time of change serves as its version."""

    id: str
    updated_at: Any


@dataclass(frozen=True)
class Difference:
    """A field to which two people gave different values. With `is_image` the values are addresses of pictures."""

    name: str
    label: str
    theirs: str
    mine: str
    is_image: bool = False


def find_contested_fields(opened: Any, mine: Any, theirs: Any) -> list[str]:
    """The fields of a form that were opened with one value and have got another one from each of two people."""
    was, wanted, stored = (vars(replace(form, seen="")) for form in (opened, mine, theirs))
    return [name for name in was if was[name] not in (wanted[name], stored[name]) and wanted[name] != stored[name]]


def merge_forms(opened: Any, mine: Any, theirs: Any) -> Any:
    """The form on their version, with their value in the fields that this person left as they were opened."""
    left = {name: vars(theirs)[name] for name, value in vars(opened).items() if vars(mine)[name] == value}
    return replace(mine, **left | {"seen": theirs.seen})


class RecordChanged(Conflict):
    """The record was saved by someone else since the form was opened.

    `seen` is its current version, `theirs` its value of each differing field as a form holds it; `saved_by` is a French
    sentence that says who saved it and when.
    """

    def __init__(self, seen: str, theirs: dict[str, Any], differences: tuple[Difference, ...], saved_by: str) -> None:
        super().__init__(RECORD_CHANGED)
        self.seen = seen
        self.theirs = theirs
        self.differences = differences
        self.saved_by = saved_by

    def find_contested(self, opened: Any, typed: Any) -> list[Difference]:
        """The differences of the fields that both people changed.

        `opened` is the form as first shown, `typed` as sent. When `opened` is of another version, all differences.
        """
        if opened.seen != typed.seen:
            return list(self.differences)
        contested = find_contested_fields(opened, typed, replace(typed, **self.theirs))
        return [row for row in self.differences if row.name in contested]

    def merge(self, opened: Any, typed: Any) -> Any:
        """The form on the current version, with the saved value in the fields that this person did not change."""
        if opened.seen != typed.seen:
            return replace(typed, seen=self.seen)
        return merge_forms(opened, typed, replace(typed, **self.theirs, seen=self.seen))


def version_of_row(row: VersionedRow) -> str:
    """The version of a row, which its form sends back as `seen`."""
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
    """Refuse a form opened on an older version of the row, unless it would store what the row holds now.

    `labels` lists the fields to compare, in order; `words` formats the value of a field.

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
    their_values = {name: theirs[name] for name in differing}
    raise RecordChanged(version_of_row(row), their_values, differences, _describe_author(session, actor, row))


def _describe_author(session: Session, actor: Actor, row: VersionedRow) -> str:
    """'Modifiée par lea@club.example, vendredi 20 novembre 2026 à 14:02', by the journal of acts.

    A member does not see the address of another person (P1).
    """
    query = select(Act.at, ActPerson.email).join(ActPerson, col(ActPerson.id) == col(Act.actor_id), isouter=True)
    newest = query.where(Act.subject == row.id).order_by(col(Act.at).desc(), col(Act.number).desc())
    last = session.exec(newest.limit(1)).first()
    if last is None:
        return f"Modifiée {clock.long_date(row.updated_at)}."
    at, email = last
    other = email if actor.is_admin and email else "une autre personne"
    who = "vous-même, dans un autre onglet" if email and email == actor.email else other
    return f"Modifiée par {who}, {clock.long_date(at)}."
