"""The change notices to those invited: an event moved, is cancelled, or takes place after all (C4, C5, M10).

A notice keeps the facts its reader was last sent. They are compared with the event when the mail is composed, so that
it says only what is true when it leaves.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlmodel import Session, col, select

from clubapp import calendar_files, clock
from clubapp.calendar_files import CANCEL, REQUEST, CalendarEntry
from clubapp.mail.messages.event_facts import facts_of
from clubapp.mail.messages.letter import CalendarPart, Letter, Withdrawn
from clubapp.mail.messages.recipients_now import (
    EVENT_GONE,
    EVENT_PAST,
    answer_link,
    names_of,
    require_event,
    require_member,
    require_reservation,
)
from clubapp.models import AttendeeStatus, Event, EventReservation, EventStatus, OutboxMail, status_of

CHANGED, CANCELLED = "event_changed", "event_cancelled"
KINDS = (CHANGED, CANCELLED)
STATUS, DATE, PLACE = "status", "date", "place"
SUPERSEDED = "L’événement a changé de nouveau\u00a0: un message plus récent remplace celui-ci."
UNDONE = "Le changement a été défait avant l’envoi."
ON_AGAIN = "L’événement n’est plus annulé."

_STATUS_SENTENCES = {
    AttendeeStatus.COMING: (
        "Vous avez répondu que vous venez\u00a0: votre réponse est conservée. Dites-nous si ce changement vous gêne."
    ),
    AttendeeStatus.WAITING: "Vous êtes toujours sur la liste d’attente.",
    AttendeeStatus.SILENT: "Vous n’avez pas encore répondu\u00a0: dites-nous si vous venez.",
    AttendeeStatus.DECLINED: (
        "Vous aviez répondu que vous ne veniez pas. Peut-être cette nouvelle date vous convient-elle mieux\u00a0?"
    ),
}

_SAME_DAY = "Vous aviez répondu que vous ne veniez pas. Peut-être ce nouvel horaire vous convient-il mieux\u00a0?"
_ON_OFFER = (
    "Une place s’est libérée pour vous\u00a0: elle vous est réservée jusqu’au {until}. Dites-nous si vous la prenez."
)
_ANSWER = "Répondre"
_CLOSED = "Les réponses à cette rencontre sont closes\u00a0: écrivez-nous si vous souhaitez venir."


@dataclass(frozen=True)
class Change:
    """One fact that changed: `aspect` is STATUS, DATE or PLACE; the other fields are in French."""

    aspect: str
    label: str
    before: str
    after: str


@dataclass(frozen=True)
class AnnouncedFacts:
    """What a person was last sent about an event: when, where, and whether it takes place."""

    date: datetime
    place: str
    status: str

    @classmethod
    def of(cls, event: Event) -> "AnnouncedFacts":
        """The facts of an event as it is now."""
        return cls(event.date, calendar_files.place(event), event.status)

    @classmethod
    def from_context(cls, context: dict[str, Any]) -> "AnnouncedFacts":
        """The facts that `to_context` stored."""
        return cls(datetime.fromisoformat(context["date"]), context["place"], context["status"])

    def to_context(self) -> dict[str, Any]:
        """The facts as JSON values, for the context of an outbox row."""
        return {"date": self.date.isoformat(), "place": self.place, "status": self.status}

    @property
    def is_off(self) -> bool:
        """Whether the event was announced as cancelled."""
        return self.status == EventStatus.CANCELLED

    def changes(self, event: Event) -> tuple[Change, ...]:
        """What differs from the event as it is now; empty when nothing does."""
        now = AnnouncedFacts.of(event)
        changes = []
        if self.is_off != now.is_off:
            changes.append(Change(STATUS, "Statut", EventStatus(self.status).label, EventStatus(now.status).label))
        if self.date != now.date:
            changes.append(Change(DATE, "Date", clock.long_date(self.date), clock.long_date(now.date)))
        if self.place != now.place:
            changes.append(Change(PLACE, "Lieu", self.place, now.place))
        return tuple(changes)


def entry_to_context(event: CalendarEntry) -> dict[str, Any]:
    """A calendar entry as JSON values, for the context of an outbox row when the event is about to be deleted."""
    return {
        **vars(event),
        "starts_at": event.starts_at.isoformat(),
        "ends_at": event.ends_at.isoformat(),
        "changed_at": event.changed_at.isoformat(),
    }


def compose_event_changed(session: Session, mail: OutboxMail) -> Letter:
    """The event as it is now; those who come get the calendar file that moves their entry."""
    event, member = require_event(session, mail), require_member(session, mail, opted_out_too=True)
    reservation = require_reservation(session, mail)
    _refuse_superseded(session, mail)
    announced = AnnouncedFacts.from_context(mail.context["told"])
    changes = announced.changes(event)
    if not changes:
        raise Withdrawn(UNDONE)
    status, entry = status_of(reservation), calendar_files.make_entry(event)
    standing, press = _describe_standing(event, reservation, announced)
    return Letter(
        CHANGED,
        {
            "headline": _headline(announced, event, changes),
            "facts": facts_of(event),
            "date_before": find_before(changes, DATE),
            "place_before": find_before(changes, PLACE),
            "standing": standing,
            "press": press,
        },
        personal={"answer": answer_link(event, reservation), **names_of(member)},
        to_name=member.name,
        calendar=_build_calendar_part(entry, REQUEST, mail) if status is AttendeeStatus.COMING else None,
    )


def compose_event_cancelled(session: Session, mail: OutboxMail) -> Letter:
    """That the event does not take place; those who were coming get the file that removes their calendar entry."""
    member = require_member(session, mail, opted_out_too=True)
    _refuse_superseded(session, mail)
    entry, is_coming = _cancelled_entry(session, mail)
    if entry.starts_at <= clock.now():
        raise Withdrawn(EVENT_PAST)
    return Letter(
        CANCELLED,
        {
            "title": entry.title,
            "date": clock.long_date(entry.starts_at),
            "place": entry.place or entry.location,
        },
        personal=names_of(member),
        to_name=member.name,
        calendar=_build_calendar_part(entry, CANCEL, mail) if is_coming else None,
    )


def _cancelled_entry(session: Session, mail: OutboxMail) -> tuple[CalendarEntry, bool]:
    """The calendar entry, from the event or stored before its deletion, and whether the reader was coming.

    Raises:
        Withdrawn: when the event is neither cancelled nor stored.
    """
    if stored := mail.context.get("event"):
        return entry_from_context(stored), bool(mail.context["coming"])
    event = session.get(Event, mail.event_id) if mail.event_id else None
    if event is None:
        raise Withdrawn(EVENT_GONE)
    if event.status != EventStatus.CANCELLED:
        raise Withdrawn(ON_AGAIN)
    return calendar_files.make_entry(event), status_of(require_reservation(session, mail)) is AttendeeStatus.COMING


def entry_from_context(stored: dict[str, Any]) -> CalendarEntry:
    """The calendar entry that `entry_to_context` stored."""
    times = {name: datetime.fromisoformat(stored[name]) for name in ("starts_at", "ends_at", "changed_at")}
    return CalendarEntry(**{**stored, **times})


def _build_calendar_part(entry: CalendarEntry, method: str, mail: OutboxMail) -> CalendarPart:
    return CalendarPart(calendar_files.write_file(entry, method, mail.recipient), method)


def _refuse_superseded(session: Session, mail: OutboxMail) -> None:
    """Raise Withdrawn when a later notice about the same event goes to the same person."""
    if mail.event_id is None:
        return
    others = session.exec(
        select(OutboxMail.context).where(
            OutboxMail.event_id == mail.event_id,
            OutboxMail.member_id == mail.member_id,
            col(OutboxMail.kind).in_(KINDS),
        )
    )
    if any(context.get("sequence", 0) > mail.context["sequence"] for context in others):
        raise Withdrawn(SUPERSEDED)


def find_before(changes: tuple[Change, ...], aspect: str) -> str:
    """What a fact was before it changed; empty when it did not."""
    return next((change.before for change in changes if change.aspect == aspect), "")


def is_other_day(before: datetime, now: datetime) -> bool:
    """Whether a date moved to another day, and not only to another hour."""
    return clock.to_local(before).date() != clock.to_local(now).date()


def name_move(before: datetime, now: datetime) -> str:
    """The headline of a date that moved."""
    return "Changement de date" if is_other_day(before, now) else "Changement d’horaire"


def _headline(announced: AnnouncedFacts, event: Event, changes: tuple[Change, ...]) -> str:
    aspects = {change.aspect for change in changes}
    if announced.is_off:
        return "Finalement, la rencontre a lieu"
    if DATE not in aspects:
        return "Changement de lieu"
    return f"{name_move(announced.date, event.date)}{' et de lieu' if PLACE in aspects else ''}"


def _describe_standing(event: Event, reservation: EventReservation, announced: AnnouncedFacts) -> tuple[str, str]:
    """Where the reader stands, with until when they answer, and what is to be pressed."""
    status, until = status_of(reservation), reservation.offer_until
    if status is AttendeeStatus.WAITING and until and until > clock.now():
        return _ON_OFFER.format(until=clock.long_date(until)), _ANSWER
    if status in (AttendeeStatus.SILENT, AttendeeStatus.DECLINED) and event.closes_at <= clock.now():
        return _CLOSED, "Voir la rencontre"
    if status is AttendeeStatus.SILENT:
        deadline = facts_of(event).deadline
        return f"{_STATUS_SENTENCES[status]}{f' {deadline}.' if deadline else ''}", _ANSWER
    is_hour = status is AttendeeStatus.DECLINED and not is_other_day(announced.date, event.date)
    return _SAME_DAY if is_hour else _STATUS_SENTENCES[status], "Voir ou changer ma réponse"
