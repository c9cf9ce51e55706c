"""The journal of acts: one entry for each act, written in the transaction of that act (T1).

Entries are numbered and chained when the transaction commits: their one order makes acts wait for a commit at most.
"""

import json
import secrets
from collections.abc import Mapping
from typing import Any

from sqlalchemy import event
from sqlmodel import Session, SQLModel, col, select

from clubapp import clock
from clubapp.database import insert_statement
from clubapp.models import Act, ActChanges, ActPerson, new_id
from clubapp.services.base import act_chain
from clubapp.services.base.act_codes import PERSON, subject_kind_of
from clubapp.services.base.actors import SYSTEM, Actor

ADMIN, MEMBER, COMMAND, PROGRAM, VISITOR = "admin", "member", "command", "program", "visitor"
LONGEST_VALUE = 2000
_NOT_SHOWN = {"id", "created_at", "updated_at", "updated_by", "directory_place", "sequence", "month", "helper_serial"}
_SECRET = ("_hash", "token", "secret", "_key")
_WRITTEN = "has_acts"

Changes = Mapping[str, tuple[Any, Any]]


def record(
    session: Session,
    actor: Actor,
    action: str,
    subject: str = "",
    *,
    changes: Changes | None = None,
    subject_kind: str = "",
    **detail: Any,
) -> None:
    """Add an entry. `action` is a code of `act_codes`, `subject` the id of a record, or the address of a person.

    `subject_kind` is for codes that may be done to several kinds of record. `changes` maps columns to their values
    before and after. `detail` must hold neither secrets nor personal data: it is never erased.
    """
    kind = subject_kind or subject_kind_of(action)
    if kind == PERSON and subject:
        subject = find_person(session, subject)
    act = Act(
        at=clock.now(),
        actor_kind=_kind_of(actor),
        actor_id=find_person(session, actor.email, actor.member_id) if actor.email and actor != SYSTEM else "",
        operator=actor.operator,
        session_id=actor.session_id or "",
        action=action,
        subject_kind=kind,
        subject=subject,
        detail=_plain(detail),
    )
    session.add(act)
    if changes:
        content, salt = _plain({name: list(pair) for name, pair in changes.items()}), secrets.token_hex(16)
        act.changes_hash = act_chain.hash_changes(salt, content)
        session.flush()  # the entry first, to which the values refer
        session.add(ActChanges(act_id=act.id, salt=salt, content=content))
    session.info.setdefault(_WRITTEN, []).append(act.id)


def read_columns(row: SQLModel | None) -> dict[str, Any]:
    """The values of a row that an act may show, by column: neither secrets nor technical values."""
    if row is None:
        return {}
    values = row.model_dump(exclude=_NOT_SHOWN)
    return {name: value for name, value in values.items() if not name.endswith(_SECRET)}


def compare(before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, tuple[Any, Any]]:
    """The values before and after of the columns that differ; what is empty on both sides does not."""
    names = dict.fromkeys([*before, *after])
    pairs = {name: (before.get(name), after.get(name)) for name in names}
    return {name: (was, now) for name, (was, now) in pairs.items() if was != now and not (_is_empty(was, now))}


def find_person(session: Session, email: str, member_id: str | None = None) -> str:
    """The identifier by which acts name the person of an address; made when there is none."""
    query = select(ActPerson).where(ActPerson.email == email)
    found = session.exec(query).first()
    if found is None:
        made = {"id": new_id(), "email": email, "member_id": member_id}
        insert = insert_statement(session.get_bind().dialect.name, ActPerson).values(made)
        session.execute(insert.on_conflict_do_nothing(index_elements=["email"]))
        found = session.exec(query).one()
    if member_id and found.member_id is None:
        found.member_id = member_id
        session.add(found)
    return found.id


def list_person_ids(session: Session, email: str | None, member_id: str | None = None) -> list[str]:
    """Every identifier by which acts name the person of an address or a member, former addresses included."""
    is_theirs = col(ActPerson.email) == email
    if member_id:
        is_theirs |= col(ActPerson.member_id) == member_id
    return list(session.exec(select(ActPerson.id).where(is_theirs)))


def _is_empty(was: Any, now: Any) -> bool:
    return was in (None, "", []) and now in (None, "", [])


def _kind_of(actor: Actor) -> str:
    if actor.operator:
        return COMMAND
    if actor == SYSTEM:
        return PROGRAM
    if actor.is_admin:
        return ADMIN
    return MEMBER if actor.member_id else VISITOR


def _plain(content: dict[str, Any]) -> dict[str, Any]:
    """The content as JSON keeps it, long texts shortened."""

    def shorten(value: Any) -> Any:
        if isinstance(value, str) and len(value) > LONGEST_VALUE:
            return f"{value[: LONGEST_VALUE - 1]}…"
        return [shorten(each) for each in value] if isinstance(value, list) else value

    read = json.loads(json.dumps(content, default=str))
    return {name: shorten(value) for name, value in read.items()}


@event.listens_for(Session, "before_commit")
def _seal(session: Session) -> None:
    if not session.in_nested_transaction() and (written := session.info.pop(_WRITTEN, [])):
        act_chain.seal(session, written)
