"""What happened with a member: answers, arrivals, mails, changes of their record."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlmodel import Session, col, select

from clubapp import clock
from clubapp.models import (
    AnswerSource,
    Arrival,
    AttendeeStatus,
    Event,
    EventReservation,
    ReservationAnswer,
    status_of,
)
from clubapp.services.attendance.attendee_status import describe_party, format_answer_channel
from clubapp.services.base.actors import Actor
from clubapp.services.mail_log import listing as mail_listing
from clubapp.services.mail_log.listing import MailLogEntry
from clubapp.services.monitoring import acts
from clubapp.services.monitoring.acts import ActRow

MOST_CHANGES_SHOWN = 4
ANSWERS, MAILS, RECORD = "answers", "mails", "record"


_ANSWERED = {
    AttendeeStatus.COMING: "A dit oui",
    AttendeeStatus.WAITING: "A dit oui, sur la liste d’attente",
    AttendeeStatus.DECLINED: "A dit non",
    AttendeeStatus.SILENT: "Réponse retirée",
}


@dataclass(frozen=True)
class HistoryLine:
    """Something that happened; `tone` is green, red or empty."""

    id: str
    kind: str
    title: str
    detail: str
    when: str
    tone: str = ""


def list_history(
    session: Session, actor: Actor, member_id: str, kind: str, most: int
) -> tuple[tuple[HistoryLine, ...], bool]:
    """The latest of one kind, or of all, the latest first; and whether there is more."""
    lines: list[tuple[datetime, HistoryLine]] = []
    if kind in ("", ANSWERS):
        lines += _answers(session, member_id, most + 1) + _arrivals(session, member_id, most + 1)
    if kind in ("", MAILS):
        lines += [(at, _mail(at, mail)) for at, mail in mail_listing.list_mails_of(session, actor, member_id, most + 1)]
    if kind in ("", RECORD):
        lines += [
            (at, describe_change(at, act)) for at, act in acts.list_changes_of(session, actor, member_id, most + 1)
        ]
    lines.sort(key=lambda line: line[0], reverse=True)
    return tuple(line for _, line in lines[:most]), len(lines) > most


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
    detail = " · ".join(part for part in (mail.state_label, mail.about, mail.reason) if part)
    return HistoryLine(mail.id, MAILS, mail.kind, detail, clock.brief(at), "red" if mail.tone == "red" else "")


def describe_change(at: datetime, act: ActRow) -> HistoryLine:
    """A change of a record as a line of its history."""
    shown = [f"{each.label}\u00a0: {each.before} → {each.after}" for each in act.changes[:MOST_CHANGES_SHOWN]]
    rest = len(act.changes) - len(shown)
    more = f"et {rest} {'autres valeurs' if rest > 1 else 'autre valeur'}" if rest else ""
    detail = " · ".join(part for part in (act.who, act.note, *shown, more) if part)
    return HistoryLine(act.id, RECORD, act.label, detail, clock.brief(at))
