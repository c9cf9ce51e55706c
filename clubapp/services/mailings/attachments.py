"""The files of a broadcast: at most MAX_ATTACHMENTS, and MOST_BYTES in all, kept once for all its messages (M15).

They may be sent before the broadcast is saved, under the id it will have; they are then its sender's alone.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import delete, func, select
from sqlmodel import Session, col

from clubapp import clock
from clubapp.database import TransactionConflict, insert_statement
from clubapp.models import MAX_ATTACHMENTS, BroadcastEmail, BroadcastStatus, MailAttachment
from clubapp.refusals import Conflict, Forbidden, NotFound, TooHeavy
from clubapp.services.base import upload_quota
from clubapp.services.base.actors import Actor, require_admin
from clubapp.services.mailings.attachment_kinds import MOST_BYTES, TOO_HEAVY, CheckedFile

KIND = "attachment"
MOST_FILES = MAX_ATTACHMENTS
TOO_MANY = f"Un e-mail porte {MAX_ATTACHMENTS} fichiers au maximum."
OF_ANOTHER = "Ce brouillon est celui d’une autre personne."
SENT = "Cet e-mail a déjà été envoyé\u00a0: ses fichiers ne changent plus."
_ID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_COLUMNS = (
    col(MailAttachment.id), col(MailAttachment.name), col(MailAttachment.size), col(MailAttachment.position),
    col(MailAttachment.sent_by),
)  # fmt: skip


@dataclass(frozen=True)
class FileLine:
    """A file in the list; `size` is in words."""

    id: str
    name: str
    size: str


@dataclass(frozen=True)
class FileList:
    """The files of a broadcast, their names in a row, and how much they weigh in all: in bytes, and in words."""

    files: tuple[FileLine, ...] = ()
    names: str = ""
    bytes: int = 0
    total: str = ""


def require_own(session: Session, actor: Actor, broadcast_id: str) -> None:
    """Require that the actor may write this broadcast: a saved draft, or one that nobody else has begun.

    Raises:
        Conflict: when it was sent.
        Forbidden: when it is somebody else's, and for whoever is not an administrator.
        NotFound: when the id is none.
    """
    require_admin(actor)
    if not _ID.fullmatch(broadcast_id):
        raise NotFound
    broadcast = session.get(BroadcastEmail, broadcast_id)
    if broadcast is not None:
        if broadcast.status != BroadcastStatus.DRAFT:
            raise Conflict(SENT)
        return
    others = select(func.count()).where(
        col(MailAttachment.broadcast_id) == broadcast_id, col(MailAttachment.sent_by) != actor.email
    )
    if session.execute(others).scalar_one():
        raise Forbidden(OF_ANOTHER)


def admit_upload(session: Session, actor: Actor, broadcast_id: str) -> None:
    """Check the right to attach a file, and count it.

    Raises:
        Conflict, Forbidden, NotFound: as `require_own`; Conflict also when there are enough files.
        TooMany: over the limit of uploads.
    """
    require_own(session, actor, broadcast_id)
    if len(_rows(session, broadcast_id)) >= MAX_ATTACHMENTS:
        raise Conflict(TOO_MANY)
    upload_quota.count_upload(session, actor, KIND)


def store_file(session: Session, actor: Actor, broadcast_id: str, file: CheckedFile) -> str:
    """Keep a file after the others; return its id.

    Raises:
        Conflict, Forbidden, NotFound: as `admit_upload`.
        TooHeavy: when all files together weigh more than MOST_BYTES.
    """
    require_own(session, actor, broadcast_id)
    kept = _rows(session, broadcast_id)
    position = next(iter(set(range(1, MAX_ATTACHMENTS + 1)) - {row.position for row in kept}), None)
    if position is None:
        raise Conflict(TOO_MANY)
    if sum(row.size for row in kept) + file.size > MOST_BYTES:
        raise TooHeavy(TOO_HEAVY)
    row = MailAttachment(
        broadcast_id=broadcast_id,
        position=position,
        name=_unique_name(file.name, {each.name for each in kept}),
        media_type=file.media_type,
        size=file.size,
        content=file.encoded,
        sent_by=actor.email,
        created_at=clock.now(),
    )
    statement = insert_statement(session.get_bind().dialect.name, MailAttachment)
    statement = statement.on_conflict_do_nothing().returning(col(MailAttachment.id))
    if session.connection().execute(statement, row.model_dump()).first() is None:
        raise TransactionConflict  # another file took the position: the sum is to be made anew
    return row.id


def remove_file(session: Session, actor: Actor, broadcast_id: str, attachment_id: str) -> None:
    """Remove a file; nothing happens when it is gone.

    Raises:
        Conflict, Forbidden, NotFound: as `require_own`.
    """
    require_own(session, actor, broadcast_id)
    of_it = col(MailAttachment.id) == attachment_id, col(MailAttachment.broadcast_id) == broadcast_id
    session.execute(delete(MailAttachment).where(*of_it))


def list_files(session: Session, actor: Actor, broadcast_id: str) -> FileList:
    """The files of a broadcast in their order.

    Raises:
        Conflict, Forbidden, NotFound: as `require_own`.
    """
    require_own(session, actor, broadcast_id)
    rows = _rows(session, broadcast_id)
    total = sum(row.size for row in rows)
    said = f"{describe_size(total)} sur {describe_size(MOST_BYTES)}" if rows else ""
    files = tuple(FileLine(row.id, row.name, describe_size(row.size)) for row in rows)
    return FileList(files, ", ".join(row.name for row in rows), total, said)


def delete_all(session: Session, broadcast_id: str) -> None:
    """Remove the files of a broadcast that is deleted."""
    session.execute(delete(MailAttachment).where(col(MailAttachment.broadcast_id) == broadcast_id))


def erase_left(session: Session, unsaved_before: datetime, sent_before: datetime) -> None:
    """Erase the files of drafts that were left without being saved, and of broadcasts sent long ago (P3)."""
    saved = select(col(BroadcastEmail.id))
    left = col(MailAttachment.broadcast_id).not_in(saved), col(MailAttachment.created_at) < unsaved_before
    sent = saved.where(col(BroadcastEmail.status) == BroadcastStatus.SENT, col(BroadcastEmail.sent_at) < sent_before)
    for which in (left, (col(MailAttachment.broadcast_id).in_(sent),)):
        session.execute(delete(MailAttachment).where(*which).execution_options(synchronize_session=False))


def describe_size(size: int) -> str:
    """'12 ko', '3,4 Mo'."""
    if size < 1024 * 1024:
        return f"{max(1, round(size / 1024))}\u00a0ko"
    return f"{size / 1024 / 1024:.1f}\u00a0Mo".replace(".0\u00a0", "\u00a0").replace(".", ",")


def _rows(session: Session, broadcast_id: str) -> Sequence[Any]:
    """The files of a broadcast without their content."""
    query = select(*_COLUMNS).where(col(MailAttachment.broadcast_id) == broadcast_id)
    return session.execute(query.order_by(col(MailAttachment.position))).all()


def _unique_name(name: str, taken: set[str]) -> str:
    """'plan (2).pdf' for a second 'plan.pdf'."""
    stem, _, extension = name.rpartition(".")
    names = [name, *(f"{stem} ({number}).{extension}" for number in range(2, MAX_ATTACHMENTS + 2))]
    return next(each for each in names if each not in taken)
