"""The first sending of an event's invitations, to a list of members fixed at that moment (M7, M12, R5).

Each mail is a row of the outbox whose key ends with its edition: 1 for a person's first invitation, then 2, 3… All
editions hold the same answer link (decision 0004). Later sendings are in `invitation_follow_up`.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import ColumnElement, Select, bindparam, func, insert, select, update
from sqlmodel import Session, col

from clubapp import calendar_files, clock, tokens
from clubapp.mail.messages.invitation_and_reminders import INVITATION
from clubapp.mail.queue import outbox
from clubapp.mail.queue.outbox import UNNAMED, WAITING, Excluded
from clubapp.models import Event, EventReservation, EventStatus, MailState, Member, OutboxMail, new_id
from clubapp.refusals import Conflict
from clubapp.services.answers import capacity
from clubapp.services.base import audit
from clubapp.services.base.actors import Actor, require_admin, require_fresh_admin
from clubapp.services.events import mailing_schedule
from clubapp.services.events.editing import find_event
from clubapp.text.collation import sort_by_name

NO_ADDRESS = "pas d’adresse e-mail"
OPTED_OUT = "désinscrit des envois"
ANSWERED = "a déjà répondu"
NO_LONGER_ACTIVE = "n’est plus membre actif"

ALREADY_SENT = "Les invitations de cet événement ont déjà été envoyées."
CANCELLED = "Cet événement est annulé\u00a0: personne ne peut y être invité."
COMPLETED = "Cet événement est terminé\u00a0: personne ne peut plus y être invité."
PAST = "Cet événement a déjà eu lieu\u00a0: corrigez sa date avant d’envoyer les invitations."
ONLY_PLANNED = (
    "Cet événement n’est pas confirmé\u00a0: confirmez-le dans son formulaire, ou joignez le champ "
    "«\u00a0confirm\u00a0», vrai, qui le confirme en envoyant."
)
NOBODY = "Aucun membre ne peut être invité\u00a0: il faut au moins un membre avec une adresse e-mail."


@dataclass(frozen=True)
class InvitationReport:
    """The result of a sending: how many mails were queued, and who was left out and why."""

    queued: int
    excluded: tuple[Excluded, ...]


@dataclass(frozen=True)
class InvitationPlan:
    """What sending the invitations now would do: `event` is its title and time, `sentence` says to how many,
    `excluded` who is left out and why.

    The addresses of the `doubtful` refused the last messages: they are tried again. `is_draft` says that the event is
    not confirmed yet.
    """

    event: str = ""
    sentence: str = ""
    excluded: tuple[Excluded, ...] = ()
    doubtful: tuple[Excluded, ...] = ()
    is_draft: bool = False


@dataclass(frozen=True)
class SendingProgress:
    """The progress of a sending, counted in people by the latest mail of each.

    `recipients` = sent + pending + failed + uncertain + withdrawn; `excluded` people are not counted in it (M12).
    """

    recipients: int = 0
    sent: int = 0
    pending: int = 0
    failed: int = 0
    uncertain: int = 0
    withdrawn: int = 0
    excluded: tuple[Excluded, ...] = ()
    sentence: str = ""


def plan_invitations(session: Session, actor: Actor, event_id: str) -> InvitationPlan:
    """Who would be invited now.

    Raises:
        Conflict: as `send_invitations`, so that nothing is asked that would be refused.
        NotFound: when the event was deleted.
    """
    require_admin(actor)
    event = find_event(session, event_id)
    refuse_if(ALREADY_SENT if event.invitation_sent else why_not_invitable(event))
    invited, excluded = split_members(session, event_id)
    refuse_if("" if invited else NOBODY)
    count = len(invited)
    inactive = session.scalars(select(Member).where(col(Member.is_active).is_(False)).order_by(Member.id))
    left_out = [
        (member.name, reason) for member, reason in (*excluded, *((member, NO_LONGER_ACTIVE) for member in inactive))
    ]
    return InvitationPlan(
        f"{event.title}, {calendar_files.when(event)}",
        f"{count} membres recevront l’invitation." if count > 1 else f"{count} membre recevra l’invitation.",
        excluded=tuple(sort_by_name(Excluded(*each) for each in left_out)),
        doubtful=tuple(
            sort_by_name(Excluded(member.name, member.email or "") for member in invited if member.email_failed_at)
        ),
        is_draft=event.status == EventStatus.DRAFT,
    )


def hold_members(session: Session) -> None:
    """Keep the active members as they are until all are invited: who is set aside meanwhile is uninvited after it.

    To be called before the event is locked, as whoever sets a member aside locks them.
    """
    active = select(col(Member.id)).where(col(Member.is_active)).order_by(col(Member.id))
    session.scalars(active.with_for_update(read=True)).all()


def send_invitations(session: Session, actor: Actor, event_id: str, *, confirms: bool = False) -> InvitationReport:
    """Invite every active member: create their reservations and queue their mails.

    Whose answer an administrator has written down already is not invited: their reservation stands.

    With `confirms` a draft becomes a confirmed event.

    Raises:
        Conflict: when they were sent before, when the event is cancelled, completed, past or closed to answers, or
            when nobody can be invited.
        NotFound: when the event was deleted.
    """
    require_fresh_admin(actor)
    hold_members(session)
    _claim(session, event_id)
    invited, excluded = split_members(session, event_id)
    refuse_if("" if invited else NOBODY)
    reservations = list_reservations(session, event_id)
    without = [member for member in invited if member.id not in reservations]
    reservations |= create_reservations(session, event_id, without) if without else {}
    queue_invitations(session, event_id, invited, reservations)
    for member, reason in excluded:
        key = _key(event_id, member.id, 1)
        outbox.record_excluded(session, kind=INVITATION, key=key, reason=reason, member_id=member.id, event_id=event_id)
    changes = _confirm(session, event_id) if confirms else None
    audit.record(
        session, actor, "invitations.sent", event_id, changes=changes, queued=len(invited), excluded=len(excluded)
    )
    return InvitationReport(len(invited), tuple(Excluded(member.name, reason) for member, reason in excluded))


def send_by_script(session: Session, actor: Actor, event_id: str, *, confirms: bool) -> InvitationReport:
    """`send_invitations` for callers that see no screen: an event that is only planned is refused, unless `confirms`.

    Raises:
        Conflict: also when the event is a draft.
    """
    require_fresh_admin(actor)
    if not confirms and find_event(session, event_id).status == EventStatus.DRAFT:
        raise Conflict(ONLY_PLANNED)
    return send_invitations(session, actor, event_id, confirms=confirms)


def read_progress(session: Session, actor: Actor, event_id: str) -> SendingProgress:
    """The progress of an event's invitations, counted from the outbox."""
    sending = read_progress_of_all(session, actor, [event_id]).get(event_id, SendingProgress())
    return replace(sending, excluded=list_left_out(session, event_id))


def read_progress_of_all(session: Session, actor: Actor, event_ids: Sequence[str]) -> dict[str, SendingProgress]:
    """The progress of several events' invitations, in one query, without `excluded`."""
    require_admin(actor)
    states: defaultdict[str, dict[str, int]] = defaultdict(dict)
    for event_id, state, count in session.execute(_COUNTED, {"event_ids": list(event_ids)}):
        states[event_id][state] = count
    return {event_id: sum_states(of_event) for event_id, of_event in states.items()}


def sum_states(states: Mapping[str, int]) -> SendingProgress:
    """The progress of a mailing from its number of messages by state, without `excluded`."""
    recipients, sent = sum(states.values()), states.get(MailState.SENT, 0)
    return SendingProgress(
        recipients=recipients,
        sent=sent,
        pending=sum(states.get(state, 0) for state in WAITING),
        failed=states.get(MailState.FAILED, 0),
        uncertain=states.get(MailState.UNCERTAIN, 0),
        withdrawn=states.get(MailState.WITHDRAWN, 0),
        sentence=f"{sent} {'messages envoyés' if sent > 1 else 'message envoyé'} sur {recipients}"
        if recipients
        else "",
    )


def why_not_invitable(event: Event) -> str:
    """Why no invitation to an event can be sent; empty when one can."""
    return why_over(event) or capacity.why_answers_closed(event)


def why_over(event: Event) -> str:
    """Why nobody can come to an event any more; empty while an administrator may still write down that they do."""
    if event.status == EventStatus.CANCELLED:
        return CANCELLED
    if event.status == EventStatus.COMPLETED:
        return COMPLETED
    return PAST if event.date <= clock.now() else ""


def why_unreachable(member: Member) -> str:
    """Why a member cannot be sent mail; empty when they can."""
    if not member.email:
        return NO_ADDRESS
    return OPTED_OUT if member.opted_out_at is not None else ""


def reachable_conditions() -> tuple[Any, ...]:
    """The conditions of a query for active members who can be sent mail; the same rule as `why_unreachable`."""
    has_address = func.coalesce(col(Member.email), "") != ""
    return col(Member.is_active), has_address, col(Member.opted_out_at).is_(None)


def split_members(session: Session, event_id: str) -> tuple[list[Member], list[tuple[Member, str]]]:
    """The active members whom the first sending invites, and those whom it does not with the reason."""
    members = sort_by_name(session.scalars(select(Member).where(col(Member.is_active)).order_by(col(Member.id))))
    answered = list_reservations(session, event_id, col(EventReservation.will_attend).is_not(None))
    reasons = [(member, ANSWERED if member.id in answered else why_unreachable(member)) for member in members]
    return [member for member, reason in reasons if not reason], [pair for pair in reasons if pair[1]]


def create_reservations(session: Session, event_id: str, members: Sequence[Member]) -> dict[str, str]:
    """Insert one reservation for each member; return their ids by member id."""
    now = clock.now()
    ids = {member.id: new_id() for member in members}
    rows = [
        {
            "id": identifier,
            "event_id": event_id,
            "member_id": member_id,
            "response_token": tokens.fingerprint(tokens.derive("answer", identifier)),
            "guest_count": 0,
            "created_at": now,
            "updated_at": now,
        }
        for member_id, identifier in ids.items()
    ]
    session.connection().execute(insert(EventReservation), rows)
    return ids


def queue_invitations(
    session: Session, event_id: str, members: Sequence[Member], reservations: Mapping[str, str]
) -> None:
    """Queue the next edition of each member's invitation; `reservations` holds reservation ids by member id."""
    before = _editions(session, event_id)
    for member in members:
        outbox.queue_mail(
            session,
            kind=INVITATION,
            key=_key(event_id, member.id, before.get(member.id, 0) + 1),
            recipient=member.email or "",
            member_id=member.id,
            event_id=event_id,
            reservation_id=reservations[member.id],
        )


def latest_states(session: Session, event_id: str, reservations: Sequence[str] | None = None) -> dict[str, str]:
    """The state of the latest invitation mail by reservation id, for all or some reservations of an event."""
    if reservations is None:
        found = session.execute(_STATES, {"event_id": event_id})
    else:
        found = session.execute(_STATES_OF_SOME, {"event_id": event_id, "reservation_ids": list(reservations)})
    return {reservation_id: state for _, reservation_id, state in found}


def _latest(which: ColumnElement[bool]) -> Select[Any, Any, Any]:
    person = func.coalesce(col(OutboxMail.reservation_id), col(OutboxMail.id))
    newest = func.row_number().over(
        partition_by=person, order_by=(col(OutboxMail.created_at).desc(), col(OutboxMail.key).desc())
    )
    mails = (
        select(col(OutboxMail.event_id), col(OutboxMail.reservation_id), col(OutboxMail.state), newest.label("place"))
        .where(col(OutboxMail.kind) == INVITATION, which, col(OutboxMail.state) != MailState.EXCLUDED)
        .subquery()
    )
    return select(mails.c.event_id, mails.c.reservation_id, mails.c.state).where(mails.c.place == 1)


# Built once, since open screens poll them.
_OF_EVENTS = _latest(col(OutboxMail.event_id).in_(bindparam("event_ids", expanding=True))).subquery()
_COUNTED = select(_OF_EVENTS.c.event_id, _OF_EVENTS.c.state, func.count()).group_by(
    _OF_EVENTS.c.event_id, _OF_EVENTS.c.state
)
_OF_EVENT = col(OutboxMail.event_id) == bindparam("event_id")
_STATES = _latest(_OF_EVENT)
_STATES_OF_SOME = _latest(_OF_EVENT & col(OutboxMail.reservation_id).in_(bindparam("reservation_ids", expanding=True)))
_INVITED = select(col(EventReservation.member_id)).where(
    col(EventReservation.event_id) == bindparam("event_id"),
    col(EventReservation.member_id) == col(OutboxMail.member_id),
)
_LEFT_OUT = (
    select(col(Member.name), col(OutboxMail.context), col(OutboxMail.reason))
    .outerjoin(Member, col(OutboxMail.member_id) == col(Member.id))
    .where(
        _OF_EVENT, col(OutboxMail.kind) == INVITATION, col(OutboxMail.state) == MailState.EXCLUDED, ~_INVITED.exists()
    )
    .order_by(col(OutboxMail.created_at), col(OutboxMail.id))
)


def list_left_out(session: Session, event_id: str) -> tuple[Excluded, ...]:
    """The people left out of the sending and not invited since, with the reason."""
    rows = session.execute(_LEFT_OUT, {"event_id": event_id})
    return tuple(sort_by_name(Excluded(name or context.get("name", UNNAMED), reason) for name, context, reason in rows))


def refuse_if(reason: str) -> None:
    """Refuse when `reason` is not empty.

    Raises:
        Conflict: with that reason.
    """
    if reason:
        raise Conflict(reason)


def _claim(session: Session, event_id: str) -> None:
    """Set `invitation_sent` in one statement, so that of concurrent calls only one succeeds (R5)."""
    turned = session.connection().execute(
        update(Event)
        .where(col(Event.id) == event_id, col(Event.invitation_sent).is_(False))
        .values(invitation_sent=True)
    )
    event = find_event(session, event_id)
    session.refresh(event)
    if turned.rowcount != 1:
        raise Conflict(ALREADY_SENT)
    refuse_if(why_not_invitable(event))


def _confirm(session: Session, event_id: str) -> dict[str, tuple[str, str]]:
    """Confirm a draft; return what changed."""
    event = find_event(session, event_id, lock=True)
    if event.status != EventStatus.DRAFT:
        return {}
    event.status, event.updated_at = EventStatus.CONFIRMED, clock.now()
    event.sequence += 1
    session.add(event)
    session.flush()
    mailing_schedule.plan_mailings(session, event)
    return {"status": (EventStatus.DRAFT, EventStatus.CONFIRMED)}


def list_reservations(session: Session, event_id: str, *which: ColumnElement[bool]) -> dict[str, str]:
    """The ids of reservations by member id."""
    held = select(col(EventReservation.member_id), col(EventReservation.id)).where(
        col(EventReservation.event_id) == event_id, col(EventReservation.member_id).is_not(None), *which
    )
    return dict(session.execute(held).all())


def _editions(session: Session, event_id: str) -> dict[str, int]:
    """How many invitations of the event each member has, exclusions included."""
    of_event = col(OutboxMail.kind) == INVITATION, col(OutboxMail.event_id) == event_id
    counted = select(col(OutboxMail.member_id), func.count()).where(*of_event).group_by(col(OutboxMail.member_id))
    return dict(session.execute(counted).all())


def _key(event_id: str, member_id: str, edition: int) -> str:
    return f"{INVITATION}:{event_id}:{member_id}:{edition}"
