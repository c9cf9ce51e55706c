"""Broadcasts: free-form mails to all members or to a choice of them, from draft to sending, pause and stop (R5)."""

from collections import Counter
from dataclasses import dataclass
from typing import Any

from sqlalchemy import update
from sqlmodel import Session, col

from clubapp import clock
from clubapp.mail.messages import event_variables
from clubapp.mail.messages.broadcast import HAS_EVENT, KIND
from clubapp.mail.queue import outbox
from clubapp.models import BroadcastEmail, BroadcastStatus, Event, MailState, OutboxMail
from clubapp.refusals import Conflict, NotFound
from clubapp.services.base import audit
from clubapp.services.base.actors import Actor, require_admin, require_fresh_admin
from clubapp.services.base.edit_conflicts import require_version, version_of_values
from clubapp.services.base.form_fields import FormCheck
from clubapp.services.mailings import attachments, audiences, stored_audience
from clubapp.services.mailings.audiences import Reason
from clubapp.services.mailings.mail_texts import MailTextCheck

LONGEST_CONTENT = 20_000
# The variables of a broadcast, as the editor shows them.
LABELS = {name: event_variables.LABELS[name] for name in event_variables.NAMES_OF_READER}

TO_ALL = "à tous les membres"
NO_SUBJECT = "Indiquez l’objet de l’e-mail."
NO_CONTENT = "Indiquez le contenu de l’e-mail."
GONE = "Cet e-mail n’existe plus\u00a0: il a été supprimé entre-temps."
ALREADY_SENT = "Cet e-mail a déjà été envoyé."
NOT_SENT = "Cet e-mail n’a pas encore été envoyé."
STOPPED = "Cet envoi a été arrêté."
NOBODY = "Aucun membre ne peut recevoir cet e-mail\u00a0: il faut au moins un membre avec une adresse e-mail."
NOBODY_CHOSEN = "Personne de cette liste ne peut recevoir cet e-mail\u00a0: voyez pourquoi au-dessus du texte."
NO_AUDIENCE = "Choisissez à qui cet e-mail est destiné."


@dataclass(frozen=True)
class BroadcastForm:
    """The form as typed. `seen` is the version that was opened; it and `id` are empty for a new mail."""

    id: str = ""
    seen: str = ""
    subject: str = ""
    content: str = ""
    audience: str = stored_audience.ALL


@dataclass(frozen=True)
class BroadcastRecipients:
    """How many members a broadcast would reach now, and how many it would not.

    `question` asks before it is sent, `sentence` says who will get it and who will not, `sent` is said once it has
    been sent.
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
    return _form(require_draft(session, broadcast_id))


def save(session: Session, actor: Actor, typed: BroadcastForm) -> BroadcastForm:
    """Save a draft, new or changed.

    Raises:
        Conflict: when it was sent.
        InvalidForm: when subject or content are missing or too long, or the audience is unknown.
        NotFound: when it was deleted.
        TextChanged: when someone else changed it since it was opened.
    """
    require_admin(actor)
    check = MailTextCheck()
    subject = check.required("subject", check.line("subject", typed.subject), NO_SUBJECT)
    content = check.mail_text("content", typed.content, NO_CONTENT, LONGEST_CONTENT)
    check_audience(session, check, typed.audience)
    check.raise_errors()
    if typed.id:
        draft = require_draft(session, typed.id, lock=True)
        require_version(typed.seen, version_of(draft))
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
    draft = require_draft(session, broadcast_id, lock=True)
    attachments.delete_all(session, broadcast_id)
    session.delete(draft)
    audit.record(session, actor, "broadcast.deleted", broadcast_id, title=draft.subject)


def count_recipients(session: Session, actor: Actor, broadcast_id: str) -> BroadcastRecipients:
    """Count whom a broadcast would reach now.

    Raises:
        Conflict: when nobody can receive it.
        NotFound: when it was deleted.
    """
    require_admin(actor)
    broadcast = find_broadcast(session, broadcast_id)
    found = _resolve(session, broadcast)
    _require_somebody(broadcast, found)
    return _count(session, broadcast, found)


def _count(session: Session, broadcast: BroadcastEmail, found: audiences.Audience) -> BroadcastRecipients:
    is_to_all = broadcast.audience == stored_audience.ALL and not broadcast.left_off
    is_picked = broadcast.audience.startswith(stored_audience.PICKED)
    label = stored_audience.describe_audience(session, broadcast.audience)
    number = audiences.count_people(found.chosen)
    who = TO_ALL if is_to_all else f"à {number}"
    reasons = Counter(reason for _, reason in found.left_out)
    whom = number if is_to_all or is_picked else f"{number} ({label})"
    return BroadcastRecipients(
        question=f"Envoyer cet e-mail {who}\u00a0?",
        sent=f"L'email a été envoyé avec succès {who} !",
        recipients=len(found.chosen),
        without_address=reasons[Reason.NO_ADDRESS],
        opted_out=reasons[Reason.OPTED_OUT],
        sentence=f"Il partira maintenant vers {whom}. {audiences.describe_left_out(found)}".strip(),
    )


def _resolve(session: Session, broadcast: BroadcastEmail) -> audiences.Audience:
    return audiences.resolve_audience(session, broadcast.audience, set(broadcast.left_off.split(",")))


def _require_somebody(broadcast: BroadcastEmail, found: audiences.Audience) -> None:
    if not found.chosen:
        raise Conflict(NOBODY if broadcast.audience == stored_audience.ALL else NOBODY_CHOSEN)


def send_broadcast(session: Session, actor: Actor, broadcast_id: str) -> BroadcastRecipients:
    """Send a draft, once, to the members of its audience of this moment.

    Raises:
        Conflict: when it was already sent, or nobody can receive it.
        NotFound: when it was deleted.
    """
    require_fresh_admin(actor)
    broadcast = find_broadcast(session, broadcast_id, lock=True)
    found = _resolve(session, broadcast)
    chosen, left_out = found.chosen, found.left_out
    _claim(session, actor, broadcast_id, len(chosen))
    _require_somebody(broadcast, found)
    for one in chosen:
        outbox.queue_mail(
            session, recipient=one.email, reservation_id=one.reservation_id, **_addressed(session, broadcast, one)
        )
    for one, reason in left_out:
        outbox.record_excluded(session, reason=reason.sentence, **_addressed(session, broadcast, one))
    audit.record(session, actor, "broadcast.sent", broadcast_id, queued=len(chosen), excluded=len(left_out))
    return _count(session, broadcast, found)


def _addressed(session: Session, broadcast: BroadcastEmail, one: audiences.BroadcastRecipient) -> dict[str, Any]:
    """What a message to a person and the record of their exclusion have in common."""
    event_id = stored_audience.event_of(broadcast.audience)
    return {
        "kind": KIND,
        "key": f"{KIND}:{broadcast.id}:{one.id}",
        "member_id": None if one.is_guest else one.id,
        "event_id": event_id if event_id and session.get(Event, event_id) else None,
        "broadcast_id": broadcast.id,
        "context": ({"guest_id": one.id, "name": one.name} if one.is_guest else {})
        | ({HAS_EVENT: True} if event_id else {}),
    }


def pause_broadcast(session: Session, actor: Actor, broadcast_id: str) -> None:
    """Hold the waiting messages until the broadcast is resumed or stopped."""
    _sending(session, actor, broadcast_id).paused_at = clock.now()
    audit.record(session, actor, "broadcast.paused", broadcast_id)


def resume_broadcast(session: Session, actor: Actor, broadcast_id: str) -> None:
    """Let the waiting messages be sent again.

    Raises:
        ProofRequired: when the actor's last proof is too old (S13).
    """
    require_fresh_admin(actor)
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


def check_audience(session: Session, check: FormCheck, audience: str) -> None:
    """Note the error of an audience that is none."""
    if not stored_audience.describe_audience(session, audience):
        check.errors["audience"] = NO_AUDIENCE


def require_draft(session: Session, broadcast_id: str, *, lock: bool = False) -> BroadcastEmail:
    """The broadcast, not sent yet.

    Raises:
        Conflict: when it was sent.
        NotFound: when it was deleted.
    """
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
    return BroadcastForm(draft.id, version_of(draft), draft.subject, draft.content, draft.audience)


def version_of(draft: BroadcastEmail) -> str:
    """The version of a draft, for its form."""
    return version_of_values(draft.subject, draft.content, draft.audience, draft.left_off)
