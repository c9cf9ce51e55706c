"""Whom a broadcast is for: every active member, those of a domain, or those who gave one answer to an event.

An audience is stored as a text: empty for all, 'domain:<domain>', or 'event:<id>:<answer>' with an answer of ANSWERS.
It is resolved when the broadcast is sent.
"""

from dataclasses import dataclass
from datetime import timedelta

from sqlmodel import Session, col, select

from clubapp import clock
from clubapp.models import DOMAINS, AttendeeStatus, Event, EventReservation, EventStatus, Member, status_of
from clubapp.services.base.actors import Actor, require_admin
from clubapp.services.events.invitations import split_members

ALL = ""
ALL_MEMBERS = "Tous les membres"
ANSWERS = {
    "yes": (AttendeeStatus.COMING, "ont dit oui"),
    "no": (AttendeeStatus.DECLINED, "ont dit non"),
    "silent": (AttendeeStatus.SILENT, "sans réponse"),
}
RECENT = timedelta(days=100)


@dataclass(frozen=True)
class AudienceChoice:
    """A line of the form's list."""

    value: str
    label: str


@dataclass(frozen=True)
class Audience:
    """The members a broadcast would reach now, and those it would not with the reason."""

    chosen: tuple[Member, ...]
    left_out: tuple[tuple[Member, str], ...]


def list_choices(session: Session, actor: Actor, chosen: str = ALL) -> tuple[AudienceChoice, ...]:
    """What the form offers: all, domains that have members, answers to recent and coming events, and `chosen`."""
    require_admin(actor)
    used = set(session.exec(select(Member.activity_domain).where(col(Member.is_active)).distinct()))
    values = [ALL, *(f"domain:{domain}" for domain in DOMAINS if domain in used)]
    events = session.exec(
        select(Event.id)
        .where(
            col(Event.date) > clock.now() - RECENT, col(Event.invitation_sent), Event.status != EventStatus.CANCELLED
        )
        .order_by(col(Event.date))
    ).all()
    values += [f"event:{event_id}:{answer}" for event_id in events for answer in ANSWERS]
    if chosen not in values:
        values.append(chosen)
    named = ((value, describe_audience(session, value)) for value in values)
    return tuple(AudienceChoice(value, label) for value, label in named if label)


def describe_audience(session: Session, audience: str) -> str:
    """'Domaine Formation & Conseil', '« Matinale » du lundi 5 mai 2025 : ont dit oui'; empty when there is none."""
    kind, _, rest = audience.partition(":")
    if audience == ALL:
        return ALL_MEMBERS
    if kind == "domain":
        return f"Domaine {rest}" if rest in DOMAINS else ""
    event_id, _, answer = rest.partition(":")
    event = session.get(Event, event_id) if kind == "event" and answer in ANSWERS else None
    if event is None:
        return ""
    return f"«\u00a0{event.title}\u00a0» du {clock.long_day(event.date)}\u00a0: {ANSWERS[answer][1]}"


def resolve_audience(session: Session, audience: str) -> Audience:
    """The members of an audience as of now; nobody when its event was deleted."""
    chosen, left_out = split_members(session)
    if audience == ALL:
        return Audience(tuple(chosen), tuple(left_out))
    kind, _, rest = audience.partition(":")
    if kind == "domain":
        ids = {member.id for member in chosen + [pair[0] for pair in left_out] if member.activity_domain == rest}
    else:
        ids = _find_by_answer(session, *rest.partition(":")[::2])
    return Audience(
        tuple(member for member in chosen if member.id in ids),
        tuple(pair for pair in left_out if pair[0].id in ids),
    )


def _find_by_answer(session: Session, event_id: str, answer: str) -> set[str | None]:
    status = ANSWERS[answer][0] if answer in ANSWERS else None
    rows = session.exec(select(EventReservation).where(EventReservation.event_id == event_id))
    return {row.member_id for row in rows if status_of(row) is status}
