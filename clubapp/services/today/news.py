"""What members did since an administrator was here last: answers, and changes of their own record."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlmodel import Session, col, func, select

from clubapp import clock, routes
from clubapp.models import (
    Act,
    AnswerSource,
    Event,
    EventGuest,
    EventReservation,
    Member,
    ReservationAnswer,
    coming,
    status_of,
)
from clubapp.services.answers.recording import WHEN_UNFINISHED as SITTING
from clubapp.services.attendance.attendee_status import AttendeeStatus
from clubapp.services.images.responsive_images import Picture, face_picture
from clubapp.services.privacy import rights_requests

MOST, MOST_UNFOLDED = 6, 200
_OWN_ANSWERS = (AnswerSource.LINK, AnswerSource.MEMBER, AnswerSource.OFFER, AnswerSource.GUEST)
_SAID = {
    AttendeeStatus.COMING: "vient",
    AttendeeStatus.WAITING: "a rejoint la liste d’attente",
    AttendeeStatus.DECLINED: "ne vient pas",
}
_DONE = {
    "profile.updated": "a modifié son profil",
    "profile.visibility": "a changé ce qui est visible",
    "email.changed": "a changé d’adresse",
    "member.opted_out": "ne veut plus d’e-mails",
    rights_requests.ASKED: "fait une demande sur ses données",
}


@dataclass(frozen=True)
class News:
    """One line: who, what they did, when, in short and as a `moment`; `href` is their page."""

    id: str
    name: str
    picture: Picture
    text: str
    about: str
    when: str
    moment: str
    href: str


@dataclass(frozen=True)
class NewsList:
    """The latest lines, how many there are in all, and the label of what shows more of them, if it would."""

    rows: tuple[News, ...] = ()
    count: int = 0
    more_label: str = ""


def list_news(session: Session, since: datetime, most: int = MOST) -> NewsList:
    """What members did since an instant, the latest first, `most` lines of it."""
    answers, answer_count = _answers(session, since, most)
    named = _named(session, since)
    acts, act_count = _acts(session, since, most)
    found = sorted([*answers, *named, *acts], key=lambda line: line[0], reverse=True)
    rows, count = tuple(line for _, line in found[:most]), answer_count + len(named) + act_count
    return NewsList(rows, count, _label_more(count) if len(rows) < min(count, MOST_UNFOLDED) else "")


def _label_more(count: int) -> str:
    if count > MOST_UNFOLDED:
        return f"Voir les {MOST_UNFOLDED} dernières nouvelles sur {count}"
    return f"Tout voir, {count} nouvelles"


def _answers(session: Session, since: datetime, most: int) -> tuple[list[tuple[datetime, News]], int]:
    columns: Any = (ReservationAnswer, Member.id, Member.name, Member.image_url, Event.title, func.count().over())
    query = (
        select(*columns)
        .join(EventReservation, col(EventReservation.id) == col(ReservationAnswer.reservation_id))
        .join(Member, col(Member.id) == col(EventReservation.member_id))
        .join(Event, col(Event.id) == col(EventReservation.event_id))
        .where(
            col(ReservationAnswer.at) > since,
            col(ReservationAnswer.via).in_(_OWN_ANSWERS),
            col(ReservationAnswer.will_attend).is_not(None),
        )
        .order_by(col(ReservationAnswer.at).desc())
        .limit(most)
    )
    rows = session.exec(query).all()
    lines = [(row[0].at, _answer(*row[:5])) for row in rows]
    return lines, rows[0][5] if rows else 0


def _answer(answer: ReservationAnswer, member_id: str, name: str, image_url: str | None, title: str) -> News:
    status, guests = status_of(answer), answer.guest_count
    party = f", avec {guests} {'invités' if guests > 1 else 'invité'}" if guests and status.will_attend else ""
    why = "\u00a0: un invité s’est désisté" if answer.via == AnswerSource.GUEST else ""
    text = f"{_SAID[status]}{party}{why}"
    return _news(answer.id, answer.at, (member_id, name, image_url), text, title)


def _named(session: Session, since: datetime) -> list[tuple[datetime, News]]:
    """Guests who were named after the answer they belong to, and by the member: no administrator wrote it down."""
    of_answer = select(func.max(ReservationAnswer.at)).where(ReservationAnswer.reservation_id == EventReservation.id)
    by_phone = select(func.max(Act.at)).where(Act.subject == EventReservation.id, Act.action == "answer.recorded")
    columns: Any = (
        EventGuest, Member.id, Member.name, Member.image_url, Event.title,
        of_answer.scalar_subquery(), by_phone.scalar_subquery(),
    )  # fmt: skip
    query = (
        select(*columns)
        .join(EventReservation, col(EventReservation.id) == col(EventGuest.reservation_id))
        .join(Member, col(Member.id) == col(EventReservation.member_id))
        .join(Event, col(Event.id) == col(EventReservation.event_id))
        .where(col(EventGuest.updated_at) > since, col(EventGuest.name) != "", coming())
        .order_by(col(EventGuest.position))
    )
    found: dict[str, Any] = {}
    for guest, *who, title, answered_at, recorded_at in session.exec(query):
        is_later = answered_at is None or guest.updated_at > answered_at + SITTING
        if is_later and (recorded_at is None or recorded_at < guest.updated_at):
            found.setdefault(guest.reservation_id, (guest, tuple(who), title, []))[3].append(guest.name)
    return [
        (guest.updated_at, _news(guest.id, guest.updated_at, who, f"vient avec {', '.join(names)}", title))
        for guest, who, title, names in found.values()
    ]


def _acts(session: Session, since: datetime, most: int) -> tuple[list[tuple[datetime, News]], int]:
    columns: Any = (Act.id, Act.at, Act.action, Member.id, Member.name, Member.image_url, func.count().over())
    query = (
        select(*columns)
        .join(Member, col(Member.id) == col(Act.subject))
        .where(col(Act.at) > since, col(Act.action).in_(_DONE))
        .order_by(col(Act.at).desc())
        .limit(most)
    )
    rows = session.exec(query).all()
    lines = [(at, _news(act_id, at, tuple(who), _DONE[action])) for act_id, at, action, *who, _ in rows]
    return lines, rows[0][6] if rows else 0


def _news(key: str, at: datetime, who: tuple[str, str, str | None], text: str, about: str = "") -> News:
    """`who` is a member's id, name and photograph."""
    member_id, name, image_url = who
    picture, href = face_picture(image_url or "", name), routes.admin_member(member_id)
    return News(key, name, picture, text, about, clock.since_when(at), clock.brief(at), href)
