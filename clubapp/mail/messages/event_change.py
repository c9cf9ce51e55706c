"""The mails that tell those invited what became of an event: it moved, is on again, or is cancelled (C4, C5, M10).

A notice keeps what its reader was last told; what changed is worked out against the event when the mail is written
out, so that it never tells anything that is no longer true.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlmodel import Session, col, select

from clubapp import calendar_files, clock
from clubapp.calendar_files import CANCEL, REQUEST, CalendarEntry
from clubapp.mail.messages import texts
from clubapp.mail.messages.event_facts import facts_of
from clubapp.mail.messages.letter import CalendarPart, Letter, Withdrawn
from clubapp.mail.messages.recipients_now import (
    EVENT_GONE,
    EVENT_PAST,
    answer_link,
    require_event,
    require_member,
    require_reservation,
)
from clubapp.models import AttendeeStatus, Event, EventStatus, OutboxMail, status_of

CHANGED, CANCELLED = "event_changed", "event_cancelled"
KINDS = (CHANGED, CANCELLED)
STATUS, DATE, PLACE = "status", "date", "place"
SUPERSEDED = "L'événement a changé de nouveau : un message plus récent remplace celui-ci."
UNDONE = "Le changement a été défait avant l'envoi."
ON_AGAIN = "L'événement n'est plus annulé."

_STATUS_SENTENCES = {
    AttendeeStatus.COMING: (
        "Vous avez répondu que vous venez : votre réponse est conservée. Dites-nous si ce changement vous gêne."
    ),
    AttendeeStatus.WAITING: "Vous êtes toujours sur la liste d'attente.",
    AttendeeStatus.SILENT: "Vous n'avez pas encore répondu : dites-nous si vous venez.",
    AttendeeStatus.DECLINED: (
        "Vous aviez répondu que vous ne veniez pas. Peut-être cette nouvelle date vous convient-elle mieux ?"
    ),
}


@dataclass(frozen=True)
class Change:
    """One thing that is no longer as it was told: STATUS, DATE or PLACE, and what people call it."""

    aspect: str
    label: str
    before: str
    after: str


@dataclass(frozen=True)
class AnnouncedFacts:
    """What somebody was last told of an event: when, where, and whether it takes place."""

    date: datetime
    place: str
    status: str

    @classmethod
    def of(cls, event: Event) -> "AnnouncedFacts":
        """The event as it status."""
        return cls(event.date, calendar_files.place(event), event.status)

    @classmethod
    def read(cls, context: dict[str, Any]) -> "AnnouncedFacts":
        """What `written` kept."""
        return cls(datetime.fromisoformat(context["date"]), context["place"], context["status"])

    @property
    def written(self) -> dict[str, Any]:
        """The same, as an outbox row keeps it."""
        return {"date": self.date.isoformat(), "place": self.place, "status": self.status}

    @property
    def is_off(self) -> bool:
        """Whether it was told as cancelled."""
        return self.status == EventStatus.CANCELLED

    def changes(self, event: Event) -> tuple[Change, ...]:
        """What is to be told now; nothing when all is as it was."""
        now = AnnouncedFacts.of(event)
        found = []
        if self.is_off != now.is_off:
            found.append(
                Change(STATUS, "Statut", "Annulé" if self.is_off else "Prévu", "Annulé" if now.is_off else "Maintenu")
            )
        if self.date != now.date:
            found.append(Change(DATE, "Date", clock.long_date(self.date), clock.long_date(now.date)))
        if self.place != now.place:
            found.append(Change(PLACE, "Lieu", self.place, now.place))
        return tuple(found)


def entry_to_context(event: CalendarEntry) -> dict[str, Any]:
    """A calendar entry as an outbox row keeps it, for an event that is about to be deleted."""
    return {
        **vars(event),
        "starts_at": event.starts_at.isoformat(),
        "ends_at": event.ends_at.isoformat(),
        "changed_at": event.changed_at.isoformat(),
    }


def compose_event_changed(session: Session, mail: OutboxMail) -> Letter:
    """The event as it is from now on, with the calendar entry that moves the old one for those who come."""
    event, member = require_event(session, mail), require_member(session, mail, opted_out_too=True)
    reservation = require_reservation(session, mail)
    _refuse_superseded(session, mail)
    told = AnnouncedFacts.read(mail.context["told"])
    changes = told.changes(event)
    if not changes:
        raise Withdrawn(UNDONE)
    status = status_of(reservation)
    return Letter(
        CHANGED,
        {
            "headline": _headline(told, changes),
            "facts": facts_of(event),
            "date_before": _before(changes, DATE),
            "place_before": _before(changes, PLACE),
            "standing": _STATUS_SENTENCES[status],
            "signature": texts.signature(session),
        },
        personal={"answer": answer_link(event, reservation)},
        to_name=member.name,
        calendar=_part(calendar_files.make_entry(event), REQUEST, mail) if status is AttendeeStatus.COMING else None,
    )


def compose_event_cancelled(session: Session, mail: OutboxMail) -> Letter:
    """The event does not take place; the calendar entry of those who were coming goes."""
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
            "place": entry.location,
            "signature": texts.signature(session),
        },
        to_name=member.name,
        calendar=_part(entry, CANCEL, mail) if is_coming else None,
    )


def _cancelled_entry(session: Session, mail: OutboxMail) -> tuple[CalendarEntry, bool]:
    """The entry to take back and whether its reader was coming: of the event, or kept from before its deletion."""
    if kept := mail.context.get("event"):
        return _entry_from_context(kept), bool(mail.context["coming"])
    event = session.get(Event, mail.event_id) if mail.event_id else None
    if event is None:
        raise Withdrawn(EVENT_GONE)
    if event.status != EventStatus.CANCELLED:
        raise Withdrawn(ON_AGAIN)
    return calendar_files.make_entry(event), status_of(require_reservation(session, mail)) is AttendeeStatus.COMING


def _entry_from_context(kept: dict[str, Any]) -> CalendarEntry:
    times = {name: datetime.fromisoformat(kept[name]) for name in ("starts_at", "ends_at", "changed_at")}
    return CalendarEntry(**{**kept, **times})


def _part(entry: CalendarEntry, method: str, mail: OutboxMail) -> CalendarPart:
    return CalendarPart(calendar_files.write_file(entry, method, mail.recipient), method)


def _refuse_superseded(session: Session, mail: OutboxMail) -> None:
    """A later notice to the same person about the same event takes this one's place."""
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


def _before(changes: tuple[Change, ...], aspect: str) -> str:
    return next((change.before for change in changes if change.aspect == aspect), "")


def _headline(told: AnnouncedFacts, changes: tuple[Change, ...]) -> str:
    aspects = {change.aspect for change in changes}
    if told.is_off:
        return "Finalement, la rencontre a lieu"
    if aspects == {DATE, PLACE}:
        return "Changement de date et de lieu"
    return "Changement de date" if DATE in aspects else "Changement de lieu"
