"""Acts that the version before wrote into its own table, taken over into the journal (R8)."""

from sqlmodel import Session, select

from clubapp.models import Act, Admin, FormerAuditEntry
from clubapp.services.base import act_chain, audit
from clubapp.services.base.act_codes import MEMBER, PERSON, subject_kind_of
from clubapp.services.base.actors import SYSTEM

_MOST = 2000


def adopt_former_acts(session: Session) -> int:
    """Move at most 2 000 entries of the former audit trail into the journal, oldest first; return how many."""
    query = select(FormerAuditEntry).order_by(FormerAuditEntry.at, FormerAuditEntry.id).limit(_MOST)  # pyright: ignore[reportArgumentType]
    found = session.exec(query.with_for_update(skip_locked=True)).all()
    admins = set(session.exec(select(Admin.email)))
    for entry in found:
        session.add(_act(session, entry, admins))
        session.delete(entry)
    if found:
        act_chain.seal(session)
    return len(found)


def _act(session: Session, entry: FormerAuditEntry, admins: set[str]) -> Act:
    """The act of an entry. An author who is no address, such as an erased member's, remains unknown."""
    is_person, kind = "@" in entry.actor, subject_kind_of(entry.action)
    is_program = entry.actor == SYSTEM.email
    subject = audit.find_person(session, entry.subject) if kind == PERSON and entry.subject else entry.subject
    return Act(
        id=entry.id,
        at=entry.at,
        actor_kind=audit.PROGRAM if is_program else audit.ADMIN if entry.actor in admins else MEMBER,
        actor_id=audit.find_person(session, entry.actor) if is_person else "",
        action=entry.action,
        subject_kind=kind,
        subject=subject,
        detail=entry.detail,
    )
