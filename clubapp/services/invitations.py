"""Inviting every member to an event: once, to a list frozen at that moment (specification, section 4; M7, M12, R5)."""

from dataclasses import dataclass

from sqlalchemy import insert, update
from sqlmodel import Session, col, select

from clubapp import clock, tokens
from clubapp.mail import outbox
from clubapp.mail.outbox import Excluded
from clubapp.models import Event, EventReservation, EventStatus, Member, new_id
from clubapp.refusals import Conflict
from clubapp.services import audit
from clubapp.services.actors import Actor, require_admin
from clubapp.services.events import find

__all__ = ["Excluded", "InvitationReport", "Sending", "progress", "send"]

KIND = "invitation"
NO_ADDRESS = "pas d'adresse e-mail"
OPTED_OUT = "désinscrit des envois"

ALREADY_SENT = "Les invitations de cet événement ont déjà été envoyées."
CANCELLED = "Cet événement est annulé : personne ne peut y être invité."
COMPLETED = "Cet événement est terminé : personne ne peut plus y être invité."
PAST = "Cet événement a déjà eu lieu : corrigez sa date avant d'envoyer les invitations."
NOBODY = "Aucun membre ne peut être invité : il faut au moins un membre avec une adresse e-mail."


@dataclass(frozen=True)
class InvitationReport:
    """What a sending did: how many are on their way, and who was left out and why."""

    queued: int
    excluded: tuple[Excluded, ...]


@dataclass(frozen=True)
class Sending:
    """How far the sending of an event's invitations has come.

    `recipients` = sent + pending + failed + uncertain + withdrawn; those left out come on top (M12).
    """

    recipients: int = 0
    sent: int = 0
    pending: int = 0
    failed: int = 0
    uncertain: int = 0
    withdrawn: int = 0
    excluded: tuple[Excluded, ...] = ()
    sentence: str = ""


def send(session: Session, actor: Actor, event_id: str) -> InvitationReport:
    """Invite every active member: their answer links and their mails are made in this one transaction.

    Raises:
        Conflict: when they were sent before, when the event is cancelled, completed or past, or when
            nobody can be invited.
        NotFound: when the event was deleted.
    """
    require_admin(actor)
    _claim(session, event_id)
    invited, excluded = _sorted_members(session)
    if not invited:
        raise Conflict(NOBODY)
    for member, reservation_id in zip(invited, _reserve(session, event_id, invited), strict=True):
        outbox.queue(
            session,
            kind=KIND,
            key=_key(event_id, member),
            recipient=member.email or "",
            member_id=member.id,
            event_id=event_id,
            reservation_id=reservation_id,
        )
    for member, reason in excluded:
        outbox.exclude(
            session, kind=KIND, key=_key(event_id, member), reason=reason, member_id=member.id, event_id=event_id
        )
    audit.record(session, actor, "invitations.sent", event_id, queued=len(invited), excluded=len(excluded))
    return InvitationReport(len(invited), tuple(Excluded(member.name, reason) for member, reason in excluded))


def progress(session: Session, actor: Actor, event_id: str) -> Sending:
    """How far the sending has come, read from the outbox."""
    require_admin(actor)
    found = outbox.progress(session, kind=KIND, event_id=event_id)
    recipients = found.sent + found.pending + found.failed + found.uncertain + found.withdrawn
    return Sending(
        recipients=recipients,
        sent=found.sent,
        pending=found.pending,
        failed=found.failed,
        uncertain=found.uncertain,
        withdrawn=found.withdrawn,
        excluded=found.excluded,
        sentence=f"{found.sent} {'envoyés' if found.sent > 1 else 'envoyé'} sur {recipients}" if recipients else "",
    )


def _claim(session: Session, event_id: str) -> None:
    """Turn the flag in one statement: of two people who press at once, one wins (R5)."""
    turned = session.connection().execute(
        update(Event)
        .where(col(Event.id) == event_id, col(Event.invitation_sent).is_(False))
        .values(invitation_sent=True)
    )
    event = find(session, event_id)
    session.refresh(event)
    if turned.rowcount != 1:
        raise Conflict(ALREADY_SENT)
    if event.status == EventStatus.CANCELLED:
        raise Conflict(CANCELLED)
    if event.status == EventStatus.COMPLETED:
        raise Conflict(COMPLETED)
    if event.date <= clock.now():
        raise Conflict(PAST)


def _sorted_members(session: Session) -> tuple[list[Member], list[tuple[Member, str]]]:
    """Who is invited, and who is left out and why."""
    invited: list[Member] = []
    excluded: list[tuple[Member, str]] = []
    for member in session.exec(select(Member).where(col(Member.is_active)).order_by(Member.name)):
        if not member.email:
            excluded.append((member, NO_ADDRESS))
        elif member.opted_out_at is not None:
            excluded.append((member, OPTED_OUT))
        else:
            invited.append(member)
    return invited, excluded


def _reserve(session: Session, event_id: str, members: list[Member]) -> list[str]:
    """One reservation a member, inserted together; their ids in the same order."""
    now = clock.now()
    ids = [new_id() for _ in members]
    rows = [
        {
            "id": identifier,
            "event_id": event_id,
            "member_id": member.id,
            "response_token": tokens.fingerprint(tokens.derive("answer", identifier)),
            "guest_count": 0,
            "created_at": now,
            "updated_at": now,
        }
        for member, identifier in zip(members, ids, strict=True)
    ]
    session.connection().execute(insert(EventReservation), rows)
    return ids


def _key(event_id: str, member: Member) -> str:
    return f"{KIND}:{event_id}:{member.id}:1"
