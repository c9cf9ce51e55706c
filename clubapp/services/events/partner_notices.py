"""Notices to the caterer and the host whom an event's numbers were sent, when it changes or is no longer theirs (D8).

Who was not sent the numbers yet learns what is true from the mail that waits.
"""

from dataclasses import dataclass
from typing import Any

from sqlmodel import Session, select

from clubapp import clock
from clubapp.mail.messages.announcement.letters import CATERER, HOST, find_last_announcement
from clubapp.mail.messages.announcement.partner_notice import KIND
from clubapp.mail.messages.event_change import STATUS, SUPERSEDED, AnnouncedFacts
from clubapp.mail.queue import outbox
from clubapp.models import Event, EventAnnouncement, EventStatus, MailState, OutboxMail

_NOUNS = {CATERER: "le traiteur", HOST: "l’hôte"}
_NEVER_TOLD = (MailState.PENDING, MailState.WITHDRAWN, MailState.EXCLUDED)


@dataclass(frozen=True)
class Partner:
    """The caterer or host of an event, by the address that was sent the numbers, and the facts they were last sent."""

    kind: str
    address: str
    told: AnnouncedFacts


def list_partners(session: Session, event: Event, before: AnnouncedFacts) -> tuple[Partner, ...]:
    """Those who were sent the numbers and whom the changes since `before` concern; their waiting notices are locked."""
    last = find_last_announcement(session, event.id)
    waiting = {mail.key.split(":")[1]: mail for mail in _list_waiting(session, event)}
    partners = [
        Partner(kind, address, AnnouncedFacts.from_context(told) if (told := _told_by(waiting.get(kind))) else before)
        for kind, address in list_addresses(last)
        if _was_sent(session, event, kind, address)
    ]
    return tuple(partner for partner in partners if _concerns(partner, event))


def queue_notices(session: Session, event: Event, partners: tuple[Partner, ...]) -> None:
    """One notice to each, in place of those that wait."""
    for mail in _list_waiting(session, event):
        _withdraw(session, mail)
    for partner in partners:
        _queue(
            session, event, (partner.kind, partner.address), f"{event.sequence}", {"told": partner.told.to_context()}
        )


def queue_deletion(session: Session, event: Event, entry: dict[str, Any], partners: tuple[Partner, ...]) -> None:
    """The same for an event about to be deleted; `entry` is what `entry_to_context` makes of it."""
    for partner in partners:
        _queue(session, event, (partner.kind, partner.address), "deleted", {"event": entry})


def keep_cancellation(session: Session, event: Event, entry: dict[str, Any]) -> None:
    """The same for the notices that wait to tell that the event is off."""
    for mail in _list_waiting(session, event):
        if not AnnouncedFacts.from_context(mail.context["told"]).is_off:
            mail.context = mail.context | {"event": entry}


def queue_release(session: Session, event: Event, frozen: EventAnnouncement, kind: str, address: str) -> None:
    """Tell whoever was sent the numbers that the event is no longer theirs; what has not left for them is withdrawn."""
    was_sent = _was_sent(session, event, kind, address)
    own = OutboxMail.event_id == event.id, OutboxMail.kind == kind, OutboxMail.recipient == address
    waiting = select(OutboxMail).where(*own, OutboxMail.state == MailState.PENDING)
    for mail in session.exec(waiting.with_for_update()):
        _withdraw(session, mail)
    if was_sent:
        _queue(session, event, (kind, address), frozen.id, {"released": True})


def list_addresses(of: Event | EventAnnouncement | None) -> list[tuple[str, str]]:
    """Who is told the numbers of an event, or was with an announcement: CATERER or HOST, and the address."""
    told = [(CATERER, of.caterer_email), (HOST, of.host_email)] if of else []
    return [(kind, address) for kind, address in told if address]


def name_partners(partners: tuple[Partner, ...]) -> str:
    """'le traiteur et l’hôte'."""
    return " et ".join(_NOUNS[partner.kind] for partner in partners)


def describe_partners(partners: tuple[Partner, ...]) -> str:
    """'Le traiteur et l’hôte, à qui les nombres ont été envoyés'."""
    who = name_partners(partners)
    return f"{who[:1].upper()}{who[1:]}, à qui les nombres ont été envoyés"


def _queue(session: Session, event: Event, to: tuple[str, str], about: str, context: dict[str, Any]) -> None:
    kind, address = to
    outbox.queue_mail(
        session,
        kind=KIND,
        key=f"{KIND}:{kind}:{event.id}:{address}:{about}",
        recipient=address,
        event_id=None if "event" in context else event.id,
        context={"partner": kind, **context},
    )


def _concerns(partner: Partner, event: Event) -> bool:
    aspects = {change.aspect for change in partner.told.changes(event)}
    return STATUS in aspects if event.status == EventStatus.CANCELLED else bool(aspects)


def _was_sent(session: Session, event: Event, kind: str, address: str) -> bool:
    """Whether the numbers have left for that address."""
    own = OutboxMail.event_id == event.id, OutboxMail.kind == kind, OutboxMail.recipient == address
    return any(state not in _NEVER_TOLD for state in session.exec(select(OutboxMail.state).where(*own)))


def _list_waiting(session: Session, event: Event) -> list[OutboxMail]:
    """The notices of a change that have not left, locked."""
    waiting = OutboxMail.event_id == event.id, OutboxMail.kind == KIND, OutboxMail.state == MailState.PENDING
    found = session.exec(select(OutboxMail).where(*waiting).with_for_update())
    return [mail for mail in found if _told_by(mail)]


def _told_by(mail: OutboxMail | None) -> dict[str, Any] | None:
    return mail.context.get("told") if mail else None


def _withdraw(session: Session, mail: OutboxMail) -> None:
    mail.state, mail.reason, mail.updated_at = MailState.WITHDRAWN, SUPERSEDED, clock.now()
    session.add(mail)
