"""What administrators note of a member, for each other. The member finds it in the export of their data (P2)."""

from dataclasses import dataclass

from sqlmodel import Session, col, select

from clubapp import clock
from clubapp.models import Member, MemberNote
from clubapp.refusals import Conflict, Invalid, NotFound
from clubapp.services.base import audit
from clubapp.services.base.actors import Actor, require_admin
from clubapp.services.base.form_fields import clean_block

LONGEST_NOTE, MOST_NOTES = 2000, 200
EMPTY = "Écrivez la note avant de l’enregistrer."
TOO_LONG = f"Une note tient en {LONGEST_NOTE} caractères\u00a0: écrivez-en deux."
TOO_MANY = f"{MOST_NOTES} notes au plus pour un membre\u00a0: supprimez celles qui ne servent plus."
GONE = "Cette note n’existe plus\u00a0: elle a été supprimée entre-temps."
MEMBER_GONE = "Ce membre n’existe plus\u00a0: il a été supprimé entre-temps."


@dataclass(frozen=True)
class Note:
    """A note; `told` says who wrote it and when."""

    id: str
    text: str
    told: str


def list_notes(session: Session, actor: Actor, member_id: str) -> tuple[Note, ...]:
    """The notes on a member, the latest first."""
    require_admin(actor)
    query = (
        select(MemberNote, Member.name)
        .outerjoin(Member, col(Member.email) == col(MemberNote.written_by))
        .where(MemberNote.member_id == member_id)
        .order_by(col(MemberNote.created_at).desc(), col(MemberNote.id))
    )
    return tuple(
        Note(note.id, note.text, f"{name or note.written_by}, {clock.brief(note.created_at)}")
        for note, name in session.exec(query)
    )


def add_note(session: Session, actor: Actor, member_id: str, text: str) -> None:
    """Note something of a member.

    Raises:
        Invalid: when the text is empty or too long.
        NotFound: when the member was deleted.
        Conflict: when the member has MOST_NOTES.
    """
    require_admin(actor)
    text = clean_block(text)
    if not text or len(text) > LONGEST_NOTE:
        raise Invalid(TOO_LONG if text else EMPTY, field="note")
    if session.get(Member, member_id, with_for_update={"key_share": True}) is None:
        raise NotFound(MEMBER_GONE)
    kept = session.exec(select(MemberNote.id).where(MemberNote.member_id == member_id).limit(MOST_NOTES)).all()
    if len(kept) == MOST_NOTES:
        raise Conflict(TOO_MANY)
    session.add(MemberNote(member_id=member_id, text=text, written_by=actor.email, created_at=clock.now()))
    audit.record(session, actor, "note.added", member_id)


def delete_note(session: Session, actor: Actor, note_id: str) -> None:
    """Delete a note, whoever wrote it.

    Raises:
        NotFound: when it was already deleted.
    """
    require_admin(actor)
    note = session.get(MemberNote, note_id)
    if note is None:
        raise NotFound(GONE)
    session.delete(note)
    audit.record(session, actor, "note.deleted", note.member_id)
