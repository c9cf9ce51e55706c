"""Telling those invited that an event moved, changed place, is cancelled or is on again (C4, C5).

Who comes, waits or has not answered is told of every change; who declined only of another date. What was queued and
has not left is taken back: the new notice says everything since what its reader was last told (M10).
"""

from dataclasses import dataclass

from sqlmodel import Session, col, select

from clubapp import calendar_files, clock
from clubapp.mail.messages.event_change import (
    CANCELLED,
    CHANGED,
    DATE,
    KINDS,
    STATUS,
    SUPERSEDED,
    Change,
    Told,
    keep,
    standing,
)
from clubapp.mail.messages.invitation_and_reminders import INVITATION
from clubapp.mail.queue import outbox
from clubapp.mail.queue.outbox import Excluded
from clubapp.models import Event, EventReservation, EventStatus, MailState, Member, OutboxMail
from clubapp.refusals import Conflict
from clubapp.services.base import audit
from clubapp.services.base.actors import Actor
from clubapp.text.collation import by_name

QUESTION = "Prévenir les invités\u00a0?"
NO_ADDRESS = "pas d'adresse e-mail"
INACTIVE = "n'est plus actif"
NOT_YET_INVITED = "invitation pas encore partie : elle dira ce qui est vrai à son départ"
_GROUPS = {
    "coming": "Présents",
    "waiting": "Sur liste d'attente",
    "unanswered": "Pas de réponse",
    "declined": "Absents",
}


@dataclass(frozen=True)
class NoticeGroup:
    """Those of one answer: how many, who, and what they get; nothing when it does not concern them."""

    label: str
    count: int
    names: tuple[str, ...]
    gets: str


@dataclass(frozen=True)
class NoticePlan:
    """Exactly who would get what. `told` is how many messages would leave."""

    changes: tuple[Change, ...] = ()
    groups: tuple[NoticeGroup, ...] = ()
    told: int = 0
    left_out: tuple[Excluded, ...] = ()


class NoticeWanted(Conflict):
    """The change is not saved yet: somebody must say first whether those invited are told."""

    def __init__(self, plan: NoticePlan) -> None:
        super().__init__(QUESTION)
        self.plan = plan


@dataclass(frozen=True)
class _Invitee:
    """Someone invited, and what they were last told. `reason` says why nothing can be sent to them."""

    reservation_id: str
    member: Member
    stands: str
    told: Told
    reason: str


def queue_notices(session: Session, actor: Actor, event: Event, before: Told, tell: bool | None) -> None:
    """After a change of an event: raise its SEQUENCE, and tell those invited when `tell` says so.

    Raises:
        NoticeWanted: when there is somebody to tell and `tell` is None.
    """
    if before == Told.of(event):
        return
    event.sequence += 1
    session.flush()
    if not _is_announced(event) or event.status == EventStatus.COMPLETED:
        return
    invitees = _invitees(session, event, before)
    plan = _plan(before.changes(event), invitees, event)
    if not plan.told:
        return
    if tell is None:
        raise NoticeWanted(plan)
    if tell:
        _queue(session, event, [person for person in invitees if _concerns(person, event)])
        audit.record(session, actor, "notices.sent", event.id, queued=plan.told, excluded=len(plan.left_out))


def deletion_plan(session: Session, event: Event) -> NoticePlan:
    """Who would be told when an event is deleted; nobody unless it was announced and is still to come."""
    return _plan((), _bereft(session, event), _cancelled(event))


def queue_deletion_notices(session: Session, event: Event) -> None:
    """Queue the cancellation of an event that is about to be deleted: its messages carry all they need."""
    off = _cancelled(event)
    entry = calendar_files.entry(off, ())
    for person in _bereft(session, event):
        if _concerns(person, off) and not person.reason:
            outbox.queue_mail(
                session,
                kind=CANCELLED,
                key=f"{CANCELLED}:{event.id}:{person.member.id}:{entry.sequence}",
                recipient=person.member.email or "",
                member_id=person.member.id,
                context={"event": keep(entry), "coming": person.stands == "coming", "sequence": entry.sequence},
            )


def _bereft(session: Session, event: Event) -> list[_Invitee]:
    """Those invited to an event that was announced and is still to come."""
    if not _is_announced(event) or event.status in (EventStatus.COMPLETED, EventStatus.CANCELLED):
        return []
    return _invitees(session, event, Told.of(event))


def _cancelled(event: Event) -> Event:
    """The event as if it had just been cancelled."""
    changed = {"status": EventStatus.CANCELLED.value, "sequence": event.sequence + 1}
    return Event.model_validate({**event.model_dump(), **changed})


def _is_announced(event: Event) -> bool:
    return event.invitation_sent and event.date > clock.now()


def _invitees(session: Session, event: Event, before: Told) -> list[_Invitee]:
    """Those invited who are still members, by name; what is waiting in the outbox for them is held meanwhile."""
    waiting = _unsent(session, event)
    told = {mail.member_id: Told.read(written) for mail in waiting if (written := mail.context.get("told"))}
    uninvited = {mail.member_id for mail in waiting if mail.kind == INVITATION}
    rows = session.exec(
        select(EventReservation, Member)
        .join(Member)
        .where(EventReservation.event_id == event.id)
        .order_by(col(Member.id))
    )
    return [
        _Invitee(row.id, member, standing(row), told.get(member.id, before), _reason(member, uninvited))
        for row, member in by_name(rows, lambda found: found[1].name)
    ]


def _unsent(session: Session, event: Event) -> list[OutboxMail]:
    """The event's invitations and notices that nobody has begun to send; locked, so that none leaves now."""
    query = select(OutboxMail).where(
        OutboxMail.event_id == event.id,
        col(OutboxMail.kind).in_((*KINDS, INVITATION)),
        OutboxMail.state == MailState.PENDING,
    )
    return list(session.exec(query.with_for_update()))


def _reason(member: Member, uninvited: set[str | None]) -> str:
    if not member.is_active:
        return INACTIVE
    if not member.email:
        return NO_ADDRESS
    return NOT_YET_INVITED if member.id in uninvited else ""


def _concerns(person: _Invitee, event: Event) -> bool:
    """Whether someone is told of what became of an event."""
    changes = {change.aspect for change in person.told.changes(event)}
    if person.stands == "declined":
        return DATE in changes and event.status != EventStatus.CANCELLED
    return STATUS in changes if event.status == EventStatus.CANCELLED else bool(changes)


def _plan(changes: tuple[Change, ...], invitees: list[_Invitee], event: Event) -> NoticePlan:
    concerned = [person for person in invitees if _concerns(person, event)]
    reached = [person for person in concerned if not person.reason]
    spared = [person for person in invitees if not _concerns(person, event)]
    groups = (*_groups(reached, event), *_groups(spared, None))
    left_out = tuple(Excluded(each.member.name, each.reason) for each in concerned if each.reason)
    return NoticePlan(changes, groups, len(reached), left_out)


def _groups(people: list[_Invitee], event: Event | None) -> tuple[NoticeGroup, ...]:
    """The people by answer, with what they get of an event, or nothing."""
    return tuple(
        NoticeGroup(label, len(names), names, _gets(stands, event) if event else "")
        for stands, label in _GROUPS.items()
        if (names := tuple(each.member.name for each in people if each.stands == stands))
    )


def _gets(stands: str, event: Event) -> str:
    if event.status == EventStatus.CANCELLED:
        return "l'annulation, qui retire le rendez-vous de leur agenda" if stands == "coming" else "l'annulation"
    return {
        "coming": "le changement, avec le rendez-vous mis à jour pour leur agenda",
        "waiting": "le changement",
        "unanswered": "le changement, avec leur lien de réponse",
        "declined": "la nouvelle date, avec leur lien de réponse",
    }[stands]


def _queue(session: Session, event: Event, invitees: list[_Invitee]) -> None:
    """One notice a person, in place of those that have not left."""
    _take_back(session, event)
    kind = CANCELLED if event.status == EventStatus.CANCELLED else CHANGED
    for person in invitees:
        about = {
            "kind": kind,
            "key": f"{kind}:{event.id}:{person.member.id}:{event.sequence}",
            "member_id": person.member.id,
            "event_id": event.id,
            "context": {"told": person.told.written, "sequence": event.sequence},
        }
        if person.reason:
            outbox.record_excluded(session, **about, reason=person.reason)
        else:
            outbox.queue_mail(
                session,
                **about,
                recipient=person.member.email or "",
                reservation_id=person.reservation_id,
            )


def _take_back(session: Session, event: Event) -> None:
    for mail in _unsent(session, event):
        if mail.kind in KINDS:
            mail.state, mail.reason, mail.updated_at = MailState.WITHDRAWN, SUPERSEDED, clock.now()
            session.add(mail)
    session.flush()
