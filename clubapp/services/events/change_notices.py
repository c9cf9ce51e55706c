"""Notices to invitees when an event's date, place or status changes (C4, C5).

Invitees who come, wait or have not answered get a notice of every change; those who declined only of another date.
Unsent messages are withdrawn: a new notice states all changes since the last one its reader was sent (M10).

The caterer and the host are told with them, once the numbers were sent to them.
"""

from dataclasses import dataclass
from datetime import timedelta

from sqlmodel import Session, col, select

from clubapp import calendar_files, clock
from clubapp.mail.messages.event_change import (
    CANCELLED,
    CHANGED,
    DATE,
    KINDS,
    STATUS,
    SUPERSEDED,
    AnnouncedFacts,
    Change,
    entry_to_context,
)
from clubapp.mail.messages.invitation_and_reminders import INVITATION, never_invited
from clubapp.mail.queue import outbox
from clubapp.mail.queue.outbox import Excluded
from clubapp.models import (
    AttendeeStatus,
    Event,
    EventReservation,
    EventStatus,
    MailState,
    Member,
    OutboxMail,
    invited,
    status_of,
)
from clubapp.refusals import Conflict
from clubapp.services.answers import guest_mails
from clubapp.services.base import audit
from clubapp.services.base.actors import Actor, require_fresh
from clubapp.services.events import partner_notices
from clubapp.services.events.partner_notices import Partner
from clubapp.text.collation import sort_by_name

QUESTION, OF_GUESTS, OF_PARTNERS = (
    "Prévenir les personnes invitées\u00a0?",
    "Prévenir les invités\u00a0?",
    "Prévenir {}\u00a0?",
)
NO_ADDRESS = "pas d’adresse e-mail"
INACTIVE = "n’est plus actif"
NOT_YET_INVITED = "invitation pas encore partie\u00a0: elle dira ce qui est vrai à son départ"
GUESTS = "Invités, par leur propre adresse"
_GROUPS = {
    AttendeeStatus.COMING: "Présents",
    AttendeeStatus.WAITING: "Sur liste d’attente",
    AttendeeStatus.SILENT: "Pas de réponse",
    AttendeeStatus.DECLINED: "Absents",
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
    """Who would get which notice. `message_count` is how many messages would leave, `question` asks for them.

    `to_call` are the names of those it concerns who have no address.
    """

    changes: tuple[Change, ...] = ()
    groups: tuple[NoticeGroup, ...] = ()
    message_count: int = 0
    left_out: tuple[Excluded, ...] = ()
    to_call: tuple[str, ...] = ()
    question: str = QUESTION


class NoticeDecisionRequired(Conflict):
    """The change is not saved: the caller must first decide whether invitees get a notice."""

    def __init__(self, plan: NoticePlan) -> None:
        super().__init__(plan.question)
        self.plan = plan


@dataclass(frozen=True)
class _Invitee:
    """An invitee, with the facts they were last sent. `reason` says why nothing can be sent to them."""

    reservation_id: str
    member: Member
    status: AttendeeStatus
    told: AnnouncedFacts
    reason: str


@dataclass(frozen=True)
class _Told:
    """Who hears of a change: the plan, those invited, the caterer and the host, and the names of guests."""

    plan: NoticePlan
    invitees: list[_Invitee]
    partners: tuple[Partner, ...]
    brought: tuple[str, ...]


def plan_postponement_notices(session: Session, event: Event) -> NoticePlan:
    """Who would get a notice of another date of an event; nobody unless it is ahead and somebody was told of it."""
    later = Event.model_validate({**event.model_dump(), "date": event.date + timedelta(days=1)})
    return _find_told(session, later, AnnouncedFacts.of(event)).plan if _is_ahead(event) else NoticePlan()


def queue_notices(
    session: Session, actor: Actor, event: Event, before: AnnouncedFacts, tell: bool | None
) -> NoticePlan:
    """After a change of date, place or status: raise the event's SEQUENCE, and queue notices if `tell`.

    Returns:
        What leaves, and to whom nothing can be sent.

    Raises:
        NoticeDecisionRequired: when there are notices to send and `tell` is None.
        ProofRequired: when they are to leave and the actor's last proof is too old (S13); the caller rolls back.
    """
    if before == AnnouncedFacts.of(event):
        return NoticePlan()
    event.sequence += 1
    session.flush()
    if not _is_ahead(event):
        return NoticePlan()
    if before.is_off:
        guest_mails.requeue_notices(session, event)
    told = _find_told(session, event, before)
    plan = told.plan
    if plan.message_count and tell is None:
        raise NoticeDecisionRequired(plan)
    if not (plan.message_count and tell):
        return NoticePlan()
    require_fresh(actor)
    _queue(session, event, [person for person in told.invitees if _concerns(person, event)])
    partner_notices.queue_notices(session, event, told.partners)
    if told.brought:
        guest_mails.queue_changes(session, event)
    audit.record(session, actor, "notices.sent", event.id, queued=plan.message_count, excluded=len(plan.left_out))
    return plan


def _find_told(session: Session, event: Event, before: AnnouncedFacts) -> _Told:
    invitees = _invitees(session, event, before) if event.invitation_sent else []
    partners = partner_notices.list_partners(session, event, before)
    changes = before.changes(event)
    brought = _guests(session, event) if _is_news_to_the_present(changes, event) else ()
    return _Told(_plan(changes, invitees, event, partners, brought), invitees, partners, brought)


def plan_deletion_notices(session: Session, event: Event) -> NoticePlan:
    """Who would get a notice when an event is deleted; nobody unless it was announced and is in the future."""
    off = _as_cancelled(event)
    brought = _guests(session, event) if _is_deletion_news(event) else ()
    return _plan((), _invitees_of_deleted(session, event), off, _partners_of_deleted(session, event, off), brought)


def queue_deletion_notices(session: Session, event: Event) -> None:
    """Queue cancellations for an event about to be deleted; the messages hold all they need of it."""
    off = _as_cancelled(event)
    entry = calendar_files.make_entry(off)
    partners = _partners_of_deleted(session, event, off)
    partner_notices.queue_deletion(session, event, entry_to_context(entry), partners)
    invitees = _invitees_of_deleted(session, event)
    if event.invitation_sent and _is_deletion_news(event):
        guest_mails.queue_changes(session, event, entry_to_context(entry))
    for person in invitees:
        if _concerns(person, off) and not person.reason:
            outbox.queue_mail(
                session,
                kind=CANCELLED,
                key=f"{CANCELLED}:{event.id}:{person.member.id}:{entry.sequence}",
                recipient=person.member.email or "",
                member_id=person.member.id,
                context={
                    "event": entry_to_context(entry),
                    "coming": person.status is AttendeeStatus.COMING,
                    "sequence": entry.sequence,
                },
            )


def keep_cancellation(session: Session, event: Event) -> None:
    """Give the waiting messages of a cancellation all they need of an event about to be deleted, so that they leave."""
    if not _is_ahead(event) or event.status != EventStatus.CANCELLED:
        return
    entry = entry_to_context(calendar_files.make_entry(event))
    for mail in _unsent(session, event):
        row = session.get(EventReservation, mail.reservation_id) if mail.kind == CANCELLED else None
        if row is not None:
            mail.context = mail.context | {"event": entry, "coming": status_of(row) is AttendeeStatus.COMING}
    guest_mails.keep_cancellation(session, event, entry)
    partner_notices.keep_cancellation(session, event, entry)
    session.flush()


def _invitees_of_deleted(session: Session, event: Event) -> list[_Invitee]:
    """The invitees of an event that was announced and is in the future."""
    if not (event.invitation_sent and _is_deletion_news(event)):
        return []
    return _invitees(session, event, AnnouncedFacts.of(event))


def _partners_of_deleted(session: Session, event: Event, off: Event) -> tuple[Partner, ...]:
    if not _is_deletion_news(event):
        return ()
    return partner_notices.list_partners(session, off, AnnouncedFacts.of(event))


def _as_cancelled(event: Event) -> Event:
    """A copy of the event with the status cancelled."""
    changed = {"status": EventStatus.CANCELLED.value, "sequence": event.sequence + 1}
    return Event.model_validate({**event.model_dump(), **changed})


def _is_ahead(event: Event) -> bool:
    return event.date > clock.now() and event.status != EventStatus.COMPLETED


def _is_deletion_news(event: Event) -> bool:
    return _is_ahead(event) and event.status != EventStatus.CANCELLED


def _invitees(session: Session, event: Event, before: AnnouncedFacts) -> list[_Invitee]:
    """The invitees who are still members, by name; their waiting messages are locked."""
    waiting = _unsent(session, event)
    told = {
        mail.member_id: AnnouncedFacts.from_context(written)
        for mail in waiting
        if (written := mail.context.get("told"))
    }
    uninvited = {mail.member_id for mail in waiting if mail.kind == INVITATION}
    mine = EventReservation.event_id == event.id, never_invited()
    uninvited.update(session.exec(select(EventReservation.member_id).where(*mine)))
    rows = session.exec(
        select(EventReservation, Member)
        .join(Member)
        .where(EventReservation.event_id == event.id, invited())
        .order_by(col(Member.id))
    )
    return [
        _Invitee(row.id, member, status_of(row), told.get(member.id, before), _reason(member, uninvited))
        for row, member in sort_by_name(rows, lambda found: found[1].name)
    ]


def _unsent(session: Session, event: Event) -> list[OutboxMail]:
    """The event's invitations and notices not yet being sent, locked so that none is sent meanwhile."""
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
    """Whether a person gets a notice of the changes of an event."""
    changes = {change.aspect for change in person.told.changes(event)}
    if person.status is AttendeeStatus.DECLINED:
        return DATE in changes and event.status != EventStatus.CANCELLED
    return STATUS in changes if event.status == EventStatus.CANCELLED else bool(changes)


def _is_news_to_the_present(changes: tuple[Change, ...], event: Event) -> bool:
    return event.status != EventStatus.CANCELLED or any(change.aspect == STATUS for change in changes)


def _guests(session: Session, event: Event) -> tuple[str, ...]:
    """The names of the guests who are told of a change."""
    told = guest_mails.list_written_to(session, event) if event.invitation_sent else []
    return tuple(sort_by_name((guest.name or guest.email for guest in told), str))


def _plan(
    changes: tuple[Change, ...],
    invitees: list[_Invitee],
    event: Event,
    partners: tuple[Partner, ...],
    brought: tuple[str, ...],
) -> NoticePlan:
    concerned = [person for person in invitees if _concerns(person, event)]
    reached = [person for person in concerned if not person.reason]
    spared = [person for person in invitees if not _concerns(person, event)]
    gets = "l’annulation" if event.status == EventStatus.CANCELLED else "le changement"
    others = (
        (GUESTS, brought),
        (partner_notices.describe_partners(partners), tuple(partner.address for partner in partners)),
    )
    groups = (
        *_groups(reached, event),
        *(NoticeGroup(label, len(names), names, gets) for label, names in others if names),
        *_groups(spared, None),
    )
    left_out = tuple(Excluded(each.member.name, each.reason) for each in concerned if each.reason)
    to_call = tuple(each.member.name for each in concerned if each.member.is_active and not each.member.email)
    count = len(reached) + len(brought) + len(partners)
    return NoticePlan(changes, groups, count, left_out, to_call, _question(reached, brought, partners))


def _question(reached: list[_Invitee], brought: tuple[str, ...], partners: tuple[Partner, ...]) -> str:
    if reached or not (brought or partners):
        return QUESTION
    return OF_GUESTS if brought else OF_PARTNERS.format(partner_notices.name_partners(partners))


def _groups(people: list[_Invitee], event: Event | None) -> tuple[NoticeGroup, ...]:
    """The invitees grouped by answer, with what each group gets."""
    return tuple(
        NoticeGroup(label, len(names), names, _gets(status, event) if event else "")
        for status, label in _GROUPS.items()
        if (names := tuple(each.member.name for each in people if each.status is status))
    )


def _gets(status: AttendeeStatus, event: Event) -> str:
    if event.status == EventStatus.CANCELLED:
        return (
            "l’annulation, qui retire le rendez-vous de leur agenda"
            if status is AttendeeStatus.COMING
            else "l’annulation"
        )
    return {
        AttendeeStatus.COMING: "le changement, avec le rendez-vous mis à jour pour leur agenda",
        AttendeeStatus.WAITING: "le changement",
        AttendeeStatus.SILENT: "le changement, avec leur lien de réponse",
        AttendeeStatus.DECLINED: "la nouvelle date, avec leur lien de réponse",
    }[status]


def _queue(session: Session, event: Event, invitees: list[_Invitee]) -> None:
    """Queue one notice a person, replacing unsent ones."""
    _withdraw_unsent(session, event)
    kind = CANCELLED if event.status == EventStatus.CANCELLED else CHANGED
    for person in invitees:
        about = {
            "kind": kind,
            "key": f"{kind}:{event.id}:{person.member.id}:{event.sequence}",
            "member_id": person.member.id,
            "event_id": event.id,
            "context": {"told": person.told.to_context(), "sequence": event.sequence},
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


def _withdraw_unsent(session: Session, event: Event) -> None:
    for mail in _unsent(session, event):
        if mail.kind in KINDS:
            mail.state, mail.reason, mail.updated_at = MailState.WITHDRAWN, SUPERSEDED, clock.now()
            session.add(mail)
    session.flush()
