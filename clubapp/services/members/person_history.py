"""What happened with a member: answers, arrivals, mails, changes of their record; and their last meetings as dots."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from sqlmodel import Session, col, exists, select

from clubapp import clock
from clubapp.models import (
    AnswerSource,
    Arrival,
    AttendeeStatus,
    Event,
    EventReservation,
    EventStatus,
    ReservationAnswer,
    status_of,
)
from clubapp.services.attendance.attendee_status import describe_party, format_answer_channel
from clubapp.services.base.actors import Actor
from clubapp.services.mail_log import mail_log
from clubapp.services.mail_log.mail_log import MailLogEntry
from clubapp.services.monitoring import acts
from clubapp.services.monitoring.acts import ActRow

MOST_MEETINGS = 12
MOST_CHANGES_SHOWN = 4
ANSWERS, MAILS, RECORD = "answers", "mails", "record"


class Turnout(StrEnum):
    """What became of a member's invitation to a past meeting."""

    CAME = "came"
    SAID_YES = "said_yes"  # nobody noted who came
    EXCUSED = "excused"
    ABSENT = "absent"
    SILENT = "silent"

    @property
    def label(self) -> str:
        """The word of the legend."""
        return _LABELS[self]


_LABELS = {
    Turnout.CAME: "Présence",
    Turnout.SAID_YES: "A dit oui",
    Turnout.EXCUSED: "Excuse",
    Turnout.ABSENT: "Absence sans prévenir",
    Turnout.SILENT: "Sans réponse",
}
_ANSWERED = {
    AttendeeStatus.COMING: "A dit oui",
    AttendeeStatus.WAITING: "A dit oui, sur la liste d’attente",
    AttendeeStatus.DECLINED: "A dit non",
    AttendeeStatus.SILENT: "Réponse retirée",
}


@dataclass(frozen=True)
class Meeting:
    """A past meeting of a member: `month` such as 'nov. 2026', `told` for who does not see the dot."""

    id: str
    month: str
    told: str
    turnout: str


@dataclass(frozen=True)
class Legend:
    """How many of the meetings had one turnout."""

    turnout: str
    label: str
    count: int


@dataclass(frozen=True)
class HistoryLine:
    """Something that happened; `tone` is green, red or empty."""

    id: str
    kind: str
    title: str
    detail: str
    when: str
    tone: str = ""


def list_meetings(session: Session, member_id: str) -> tuple[Meeting, ...]:
    """The last past meetings the member was invited to, the oldest first."""
    came = exists().where(col(Arrival.event_id) == col(Event.id), col(Arrival.person) == member_id)
    was_noted = exists().where(col(Arrival.event_id) == col(Event.id))
    columns: Any = (Event, EventReservation, came.label("came"), was_noted.label("was_noted"))
    query = (
        select(*columns)
        .join(EventReservation, col(EventReservation.event_id) == col(Event.id))
        .where(
            col(EventReservation.member_id) == member_id,
            col(Event.date) < clock.now(),
            col(Event.status) != EventStatus.CANCELLED,
        )
        .order_by(col(Event.date).desc())
        .limit(MOST_MEETINGS)
    )
    found = [
        _meeting(event, _turnout(row, came, was_noted or event.doors_closed_at is not None))
        for event, row, came, was_noted in session.exec(query)
    ]
    return tuple(reversed(found))


def count_turnouts(meetings: Iterable[Meeting]) -> tuple[Legend, ...]:
    """The legend below the dots: each turnout that occurs, with its number."""
    found = [meeting.turnout for meeting in meetings]
    return tuple(Legend(each, each.label, found.count(each)) for each in Turnout if each in found)


def list_history(
    session: Session, actor: Actor, member_id: str, kind: str, most: int
) -> tuple[tuple[HistoryLine, ...], bool]:
    """The latest of one kind, or of all, the latest first; and whether there is more."""
    lines: list[tuple[datetime, HistoryLine]] = []
    if kind in ("", ANSWERS):
        lines += _answers(session, member_id, most + 1) + _arrivals(session, member_id, most + 1)
    if kind in ("", MAILS):
        lines += [(at, _mail(at, mail)) for at, mail in mail_log.list_mails_of(session, actor, member_id, most + 1)]
    if kind in ("", RECORD):
        lines += [(at, _change(at, act)) for at, act in acts.list_changes_of(session, actor, member_id, most + 1)]
    lines.sort(key=lambda line: line[0], reverse=True)
    return tuple(line for _, line in lines[:most]), len(lines) > most


def _turnout(reservation: EventReservation, came: bool, was_noted: bool) -> Turnout:
    if came:
        return Turnout.CAME
    if reservation.will_attend is None:
        return Turnout.SILENT
    if not reservation.is_coming:  # who waited for a place had no reason to come
        return Turnout.EXCUSED
    return Turnout.ABSENT if was_noted else Turnout.SAID_YES


def _meeting(event: Event, turnout: Turnout) -> Meeting:
    return Meeting(event.id, clock.short_month(event.date), f"{event.title}, {clock.long_day(event.date)}", turnout)


def _answers(session: Session, member_id: str, most: int) -> list[tuple[datetime, HistoryLine]]:
    columns: Any = (ReservationAnswer, Event.title)
    query = (
        select(*columns)
        .join(EventReservation, col(EventReservation.id) == col(ReservationAnswer.reservation_id))
        .join(Event, col(Event.id) == col(EventReservation.event_id))
        .where(EventReservation.member_id == member_id)
        .order_by(col(ReservationAnswer.at).desc())
        .limit(most)
    )
    return [(answer.at, _answer(answer, title)) for answer, title in session.exec(query)]


def _answer(answer: ReservationAnswer, title: str) -> HistoryLine:
    status = status_of(answer)
    by = f", noté par {answer.recorded_by}" if answer.recorded_by else ""
    channel = format_answer_channel(answer.via)
    parts = (title, describe_party(status, answer.guest_count, answer.with_lunch), f"{channel}{by}")
    heading = "A obtenu une place" if answer.via == AnswerSource.SEATED else _ANSWERED[status]
    tone = "green" if status is AttendeeStatus.COMING else ""
    detail = " · ".join(part for part in parts if part)
    return HistoryLine(answer.id, ANSWERS, heading, detail, clock.brief(answer.at), tone)


def _arrivals(session: Session, member_id: str, most: int) -> list[tuple[datetime, HistoryLine]]:
    columns: Any = (Arrival, Event.title)
    query = (
        select(*columns)
        .join(Event, col(Event.id) == col(Arrival.event_id))
        .where(Arrival.person == member_id)
        .order_by(col(Arrival.arrived_at).desc())
        .limit(most)
    )
    return [(arrival.arrived_at, _arrival(arrival, title)) for arrival, title in session.exec(query)]


def _arrival(arrival: Arrival, title: str) -> HistoryLine:
    heading = f"Arrivée notée à {clock.hour(arrival.arrived_at)}"
    return HistoryLine(arrival.id, ANSWERS, heading, title, clock.brief(arrival.arrived_at), "green")


def _mail(at: datetime, mail: MailLogEntry) -> HistoryLine:
    heading = f"{mail.kind}\u00a0: {mail.state_label.lower()}"
    detail = " · ".join(part for part in (mail.about, mail.reason) if part)
    return HistoryLine(mail.id, MAILS, heading, detail, clock.brief(at), "red" if mail.tone == "red" else "")


def _change(at: datetime, act: ActRow) -> HistoryLine:
    shown = [f"{each.label}\u00a0: {each.before} → {each.after}" for each in act.changes[:MOST_CHANGES_SHOWN]]
    rest = len(act.changes) - len(shown)
    more = f"et {rest} {'autres valeurs' if rest > 1 else 'autre valeur'}" if rest else ""
    detail = " · ".join(part for part in (act.who, act.note, *shown, more) if part)
    return HistoryLine(act.id, RECORD, act.label, detail, clock.brief(at))
