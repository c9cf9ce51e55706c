"""Broadcasts: free-form mails to all members or to a choice of them, from draft to sending, pause and stop (R5)."""

from dataclasses import dataclass

from sqlalchemy import update
from sqlmodel import Session, col

from clubapp import clock
from clubapp.mail.messages.broadcast import KIND
from clubapp.mail.queue import outbox
from clubapp.models import BroadcastEmail, BroadcastStatus, MailState, OutboxMail
from clubapp.refusals import Conflict, NotFound
from clubapp.services.base import audit
from clubapp.services.base.actors import Actor, require_admin, require_fresh_admin
from clubapp.services.base.edit_conflicts import require_version, version_of_values
from clubapp.services.base.form_fields import FormCheck
from clubapp.services.mailings import audiences

LONGEST_CONTENT = 20_000

TO_ALL = "à tous les membres"
NO_SUBJECT = "Indiquez l’objet de l’e-mail."
NO_CONTENT = "Indiquez le contenu de l’e-mail."
GONE = "Cet e-mail n’existe plus\u00a0: il a été supprimé entre-temps."
ALREADY_SENT = "Cet e-mail a déjà été envoyé."
NOT_SENT = "Cet e-mail n’a pas encore été envoyé."
STOPPED = "Cet envoi a été arrêté."
NOBODY = "Aucun membre ne peut recevoir cet e-mail\u00a0: il faut au moins un membre avec une adresse e-mail."
NO_AUDIENCE = "Choisissez à qui cet e-mail est destiné."


@dataclass(frozen=True)
class BroadcastForm:
    """The form as typed. `seen` is the version that was opened; it and `id` are empty for a new mail."""

    id: str = ""
    seen: str = ""
    subject: str = ""
    content: str = ""
    audience: str = audiences.ALL


@dataclass(frozen=True)
class BroadcastRecipients:
    """How many members a broadcast would reach now, and how many it would not.

    `question` asks before it is sent, `sentence` numbers its recipients, `sent` is said once it has been sent.
    """

    question: str = ""
    sent: str = ""
    recipients: int = 0
    without_address: int = 0
    opted_out: int = 0
    sentence: str = ""


def open_form(session: Session, actor: Actor, broadcast_id: str) -> BroadcastForm:
    """The form of a draft.

    Raises:
        Conflict: when it was sent.
        NotFound: when it was deleted.
    """
    require_admin(actor)
    return _form(_draft(session, broadcast_id))


def save(session: Session, actor: Actor, typed: BroadcastForm) -> BroadcastForm:
    """Save a draft, new or changed.

    Raises:
        Conflict: when it was sent.
        InvalidForm: when subject or content are missing or too long, or the audience is unknown.
        NotFound: when it was deleted.
        TextChanged: when someone else changed it since it was opened.
    """
    require_admin(actor)
    check = FormCheck()
    subject = check.required("subject", check.line("subject", typed.subject), NO_SUBJECT)
    content = check.required("content", check.block("content", typed.content, LONGEST_CONTENT), NO_CONTENT)
    if not audiences.describe_audience(session, typed.audience):
        check.errors["audience"] = NO_AUDIENCE
    check.raise_errors()
    if typed.id:
        draft = _draft(session, typed.id, lock=True)
        require_version(typed.seen, _version(draft))
    else:
        draft = BroadcastEmail(subject="", content="", sent_by=actor.email, created_at=clock.now())
    columns = audit.read_columns(draft if typed.id else None)
    draft.subject, draft.content, draft.audience = subject, content, typed.audience
    session.add(draft)
    session.flush()
    changes = audit.compare(columns, audit.read_columns(draft))
    audit.record(session, actor, "broadcast.saved", draft.id, changes=changes, title=subject)
    return _form(draft)


def delete(session: Session, actor: Actor, broadcast_id: str) -> None:
    """Delete a draft.

    Raises:
        Conflict: when it was sent.
        NotFound: when it was already deleted.
    """
    require_admin(actor)
    draft = _draft(session, broadcast_id, lock=True)
    session.delete(draft)
    audit.record(session, actor, "broadcast.deleted", broadcast_id, title=draft.subject)


def count_recipients(session: Session, actor: Actor, broadcast_id: str) -> BroadcastRecipients:
    """Count whom a broadcast would reach now.

    Raises:
        NotFound: when it was deleted.
    """
    require_admin(actor)
    audience = find_broadcast(session, broadcast_id).audience
    return _count(session, audience, audiences.resolve_audience(session, audience))


def _count(session: Session, audience: str, found: audiences.Audience) -> BroadcastRecipients:
    without = sum(not member.email for member, _ in found.left_out)
    opted_out = len(found.left_out) - without
    who = TO_ALL if audience == audiences.ALL else f"à {_plural(len(found.chosen), 'membre')}"
    parts = [
        _plural(len(found.chosen), "membre"),
        f"{without} sans adresse" if without else "",
        _plural(opted_out, "désinscrit") if opted_out else "",
    ]
    told = ", ".join(filter(None, parts))
    return BroadcastRecipients(
        question=f"Envoyer cet e-mail {who}\u00a0?",
        sent=f"L'email a été envoyé avec succès {who} !",
        recipients=len(found.chosen),
        without_address=without,
        opted_out=opted_out,
        sentence=told if audience == audiences.ALL else f"{told} ({audiences.describe_audience(session, audience)})",
    )


def send_broadcast(session: Session, actor: Actor, broadcast_id: str) -> BroadcastRecipients:
    """Send a draft, once, to the members of its audience of this moment.

    Raises:
        Conflict: when it was already sent, or nobody can receive it.
        NotFound: when it was deleted.
    """
    require_fresh_admin(actor)
    audience = find_broadcast(session, broadcast_id).audience
    found = audiences.resolve_audience(session, audience)
    chosen, left_out = found.chosen, found.left_out
    _claim(session, actor, broadcast_id, len(chosen))
    if not chosen:
        raise Conflict(NOBODY)
    for member in chosen:
        outbox.queue_mail(
            session,
            kind=KIND,
            key=f"{KIND}:{broadcast_id}:{member.id}",
            recipient=member.email or "",
            member_id=member.id,
            broadcast_id=broadcast_id,
        )
    for member, reason in left_out:
        outbox.record_excluded(
            session,
            kind=KIND,
            key=f"{KIND}:{broadcast_id}:{member.id}",
            reason=reason,
            member_id=member.id,
            broadcast_id=broadcast_id,
        )
    audit.record(session, actor, "broadcast.sent", broadcast_id, queued=len(chosen), excluded=len(left_out))
    return _count(session, audience, found)


def pause_broadcast(session: Session, actor: Actor, broadcast_id: str) -> None:
    """Hold the waiting messages until the broadcast is resumed or stopped."""
    _sending(session, actor, broadcast_id).paused_at = clock.now()
    audit.record(session, actor, "broadcast.paused", broadcast_id)


def resume_broadcast(session: Session, actor: Actor, broadcast_id: str) -> None:
    """Let the waiting messages be sent again."""
    _sending(session, actor, broadcast_id).paused_at = None
    audit.record(session, actor, "broadcast.resumed", broadcast_id)


def stop_broadcast(session: Session, actor: Actor, broadcast_id: str) -> None:
    """Withdraw the messages still waiting, for good."""
    broadcast = _sending(session, actor, broadcast_id)
    now = clock.now()
    withdrawn = session.execute(
        update(OutboxMail)
        .where(col(OutboxMail.broadcast_id) == broadcast_id, col(OutboxMail.state) == MailState.PENDING)
        .where(col(OutboxMail.kind) == KIND)
        .values(state=MailState.WITHDRAWN, reason=STOPPED, updated_at=now)
        .returning(col(OutboxMail.id))
    ).all()
    broadcast.stopped_at, broadcast.paused_at = now, None
    broadcast.sent_count -= len(withdrawn)
    audit.record(session, actor, "broadcast.stopped", broadcast_id, withdrawn=len(withdrawn))


def _claim(session: Session, actor: Actor, broadcast_id: str, count: int) -> None:
    """Set the status in one statement, so that of concurrent calls only one succeeds (R5)."""
    turned = session.connection().execute(
        update(BroadcastEmail)
        .where(col(BroadcastEmail.id) == broadcast_id, col(BroadcastEmail.status) == BroadcastStatus.DRAFT)
        .values(status=BroadcastStatus.SENT, sent_at=clock.now(), sent_by=actor.email, sent_count=count)
    )
    if turned.rowcount != 1:
        find_broadcast(session, broadcast_id)
        raise Conflict(ALREADY_SENT)


def find_broadcast(session: Session, broadcast_id: str, *, lock: bool = False) -> BroadcastEmail:
    """The broadcast; with `lock`, its row is locked.

    Raises:
        NotFound: when it was deleted.
    """
    found = session.get(BroadcastEmail, broadcast_id, with_for_update=lock or None)
    if found is None:
        raise NotFound(GONE)
    return found


def _draft(session: Session, broadcast_id: str, *, lock: bool = False) -> BroadcastEmail:
    found = find_broadcast(session, broadcast_id, lock=lock)
    if found.status != BroadcastStatus.DRAFT:
        raise Conflict(ALREADY_SENT)
    return found


def _sending(session: Session, actor: Actor, broadcast_id: str) -> BroadcastEmail:
    require_admin(actor)
    found = find_broadcast(session, broadcast_id, lock=True)
    if found.status != BroadcastStatus.SENT:
        raise Conflict(NOT_SENT)
    if found.stopped_at is not None:
        raise Conflict(STOPPED)
    session.add(found)
    return found


def _form(draft: BroadcastEmail) -> BroadcastForm:
    return BroadcastForm(draft.id, _version(draft), draft.subject, draft.content, draft.audience)


def _version(draft: BroadcastEmail) -> str:
    return version_of_values(draft.subject, draft.content, draft.audience)


def _plural(count: int, word: str) -> str:
    """0 and 1 are singular in French (C6)."""
    return f"{count} {word}{'s' if count > 1 else ''}"
