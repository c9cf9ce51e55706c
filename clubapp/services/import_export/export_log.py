"""Files that were taken away, in the journal of acts."""

from sqlmodel import Session

from clubapp.services.base import audit
from clubapp.services.base.act_codes import EVENT
from clubapp.services.base.actors import Actor, require_admin, require_member
from clubapp.services.privacy import data_export


def record_export(session: Session, actor: Actor, file: str, event_id: str = "") -> None:
    """Note the file that an administrator took away, of an event or of the club."""
    require_admin(actor)
    audit.record(session, actor, "export", event_id, subject_kind=EVENT if event_id else "", file=file)


def record_own_data(session: Session, actor: Actor, file: str) -> None:
    """Note the copy that a member took of their own data."""
    audit.record(session, actor, "export.own_data", require_member(actor), file=file)


def record_requested_copy(session: Session, actor: Actor, file: str, request_id: str) -> None:
    """Note the copy of a member's data that an administrator took to answer their request."""
    require_admin(actor)
    member = data_export.find_requested(session, request_id)
    audit.record(session, actor, "export.requested_copy", member.id, file=file)
