"""The chain of the journal of acts: each entry holds the hash of the one before, which shows gaps and changes (T1).

Whoever can write the database can also cut off its end or its beginning, or write a whole new chain; what was seen of
it, in `seen_acts` and in every backup, tells it from the former one.
"""

import hashlib
import json
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import delete, func
from sqlmodel import Session, col, select

from clubapp.database import insert_statement
from clubapp.models import Act, ActChain, ActChanges
from clubapp.services.base.act_codes import MEMBER, MEMBER_DELETED

_ONLY = 1
_TOGETHER = 500
_HASHED = (
    "id", "number", "actor_kind", "actor_id", "operator", "session_id", "action", "subject_kind", "subject", "detail",
    "changes_hash", "previous_hash",
)  # fmt: skip


class BrokenChain(Exception):
    """The journal is not as it was written; the message is French. `number` is that of the entry where it shows."""

    def __init__(self, number: int, text: str) -> None:
        super().__init__(f"acte n°\u00a0{number}\u00a0: {text}")
        self.number = number


def hash_changes(salt: str, content: dict[str, Any]) -> str:
    """The hash of the values before and after of an act."""
    return hashlib.sha256(f"{salt}\0{_canonical(content)}".encode()).hexdigest()


def seal(session: Session, written: Sequence[str] = ()) -> None:
    """Number and chain the entries that have no number yet: by their instant, those of one in the order of `written`.

    The row of the chain is the last one that the transaction locks: others wait for no more than its commit.
    """
    session.flush()
    chain = _locked(session)
    place = {act_id: number for number, act_id in enumerate(written)}
    new = session.exec(select(Act).where(col(Act.number).is_(None))).all()
    for act in sorted(new, key=lambda one: (one.at, place.get(one.id, -1), one.id)):
        act.number, act.previous_hash = chain.number + 1, chain.entry_hash
        act.entry_hash = _hash(act)
        chain.number, chain.entry_hash = act.number, act.entry_hash
        session.add(act)
    session.add(chain)
    session.flush()


def verify(session: Session, since: tuple[int, str] | None = None) -> ActChain:
    """Read the whole chain, or what follows the entry of the number and hash `since`, and return its end.

    Raises:
        BrokenChain: at the first entry that was changed, added or removed by another way than this program's.
    """
    chain = session.get(ActChain, _ONLY, populate_existing=True) or ActChain(id=_ONLY)
    begin = chain.kept_from - 1, chain.kept_after
    number, before = since if since and since[0] >= begin[0] else begin
    erased = set(session.exec(select(Act.subject).where(Act.action == MEMBER_DELETED)))
    query = select(Act, ActChanges).join(ActChanges, isouter=True).where(col(Act.number) > number)
    rows = session.exec(query.order_by(col(Act.number)).execution_options(yield_per=_TOGETHER))
    for act, changes in rows:
        number += 1
        if act.number != number:
            raise BrokenChain(number, "il manque")
        if act.previous_hash != before or act.entry_hash != _hash(act):
            raise BrokenChain(number, "son contenu a changé")
        if changes is None and act.changes_hash and not (act.subject_kind == MEMBER and act.subject in erased):
            raise BrokenChain(number, "ses valeurs ont disparu")
        if changes is not None and hash_changes(changes.salt, changes.content) != act.changes_hash:
            raise BrokenChain(number, "ses valeurs ont changé")
        before = act.entry_hash
    if number != chain.number or before != chain.entry_hash:
        raise BrokenChain(number + 1, "il manque")
    return chain


def require_seen(session: Session, chain: ActChain, number: int, entry_hash: str) -> None:
    """Require that the chain still holds an act that was seen at its end, unless it is past its time.

    Raises:
        BrokenChain: when it was cut off before that act, or is another chain.
    """
    if number > chain.number:
        raise BrokenChain(chain.number + 1, f"il manque, comme la suite jusqu’au n°\u00a0{number}, vue auparavant")
    if number >= chain.kept_from:
        kept = session.exec(select(Act.entry_hash).where(Act.number == number)).first()
    else:
        kept = chain.kept_after if number == chain.kept_from - 1 else entry_hash
    if kept != entry_hash:
        raise BrokenChain(number, "un autre a pris la place de celui qui a été vu")


def require_beginning(chain: ActChain, seen: Sequence[tuple[int, datetime]], instant: datetime) -> None:
    """Require that the chain still holds the acts that were seen, given by number and instant, unless before `instant`.

    Raises:
        BrokenChain: when its beginning was cut off before its time.
    """
    for number, at in seen:
        if number < chain.kept_from and at >= instant:
            raise BrokenChain(number, "il manque, bien que le délai de conservation ne soit pas passé")


def find_instant(session: Session, number: int) -> datetime | None:
    """When an act of the chain was done; None when there is none of that number."""
    return session.exec(select(Act.at).where(Act.number == number)).first()


def delete_before(session: Session, instant: datetime) -> None:
    """Remove the beginning of the chain up to an instant; what remains says where it begins."""
    chain = _locked(session)
    kept = session.exec(select(func.min(Act.number)).where(col(Act.at) >= instant)).one() or chain.number + 1
    last = session.exec(select(Act).where(Act.number == kept - 1)).first()
    if last is None:
        return
    chain.kept_from, chain.kept_after = kept, last.entry_hash
    session.add(chain)
    gone = col(Act.number) < kept
    session.execute(delete(ActChanges).where(col(ActChanges.act_id).in_(select(col(Act.id)).where(gone))))
    session.execute(delete(Act).where(gone))


def _locked(session: Session) -> ActChain:
    query = select(ActChain).where(ActChain.id == _ONLY).with_for_update()
    fresh = {"populate_existing": True}
    found = session.exec(query.execution_options(**fresh)).first()
    if found is None:
        insert = insert_statement(session.get_bind().dialect.name, ActChain)
        first = insert.values(id=_ONLY, kept_from=1, kept_after="", number=0, entry_hash="")
        session.execute(first.on_conflict_do_nothing(index_elements=["id"]))
        found = session.exec(query.execution_options(**fresh)).one()
    return found


def _hash(act: Act) -> str:
    content = {"at": act.at.isoformat(timespec="microseconds")} | {name: getattr(act, name) for name in _HASHED}
    return hashlib.sha256(_canonical(content).encode()).hexdigest()


def _canonical(content: dict[str, Any]) -> str:
    return json.dumps(content, sort_keys=True, ensure_ascii=True, separators=(",", ":"))
