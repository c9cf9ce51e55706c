"""Who answered what to an event, the latest news first: the list of its page, narrowed, searched and sorted."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import and_, bindparam, case, func, select
from sqlmodel import Session, col

from clubapp import clock
from clubapp.mail.queue.outbox import UNNAMED, WAITING
from clubapp.models import (
    AnswerSource,
    Event,
    EventGuest,
    EventReservation,
    MailState,
    Member,
    OutboxMail,
    ReservationAnswer,
    invited,
    status_of,
)
from clubapp.services.answers.recording import WHEN_UNFINISHED as SITTING
from clubapp.services.attendance.attendee_list import IN_GROUP, count_groups, list_uninvited
from clubapp.services.attendance.attendee_status import AttendeeStatus
from clubapp.services.attendance.turnout import Presences
from clubapp.services.base.actors import Actor, require_admin
from clubapp.services.base.search import LONGEST_QUERY, find_records, fold
from clubapp.services.events.editing import find_event
from clubapp.services.images.responsive_images import Picture, face_picture
from clubapp.text import phone_numbers

ALL, BY_NAME, BY_NEWS = "", "nom", ""
UNINVITED = "non-invites"
# What stands in the address, in the order of the chips.
GROUPS = {
    "oui": AttendeeStatus.COMING,
    "non": AttendeeStatus.DECLINED,
    "attente": AttendeeStatus.WAITING,
    "sans": AttendeeStatus.SILENT,
    UNINVITED: AttendeeStatus.UNINVITED,
}
FIRST_ROWS, MOST_ROWS = 12, 5000
_ALWAYS = (AttendeeStatus.COMING, AttendeeStatus.DECLINED, AttendeeStatus.SILENT)
_SAYS = {
    AttendeeStatus.COMING: "Oui",
    AttendeeStatus.DECLINED: "Non",
    AttendeeStatus.WAITING: "En attente",
    AttendeeStatus.SILENT: "Sans réponse",
    AttendeeStatus.UNINVITED: "Pas invité",
}
_HEADINGS = {AttendeeStatus.WAITING: "En attente"}
_VIA = {
    AnswerSource.LINK: "Par son lien",
    AnswerSource.MEMBER: "Depuis son espace",
    AnswerSource.PHONE: "Par téléphone",
    AnswerSource.CORRECTION: "Réponse corrigée",
    AnswerSource.OFFER: "À une place proposée",
    AnswerSource.SEATED: "De la liste d’attente",
    AnswerSource.GUEST: "Un invité s’est désisté",
}
_NEVER = datetime(1, 1, 1, tzinfo=UTC)

_OF_EVENT = and_(col(EventReservation.event_id) == bindparam("event_id"), invited())
_MOMENT = func.coalesce(col(OutboxMail.sent_at), col(OutboxMail.updated_at))
_LEFT = (MailState.SENT, MailState.UNCERTAIN)


def _latest(*states: MailState) -> Any:
    return func.max(case((col(OutboxMail.state).in_(states), _MOMENT)))


# What became of the mails of each person, in one row.
_MAILED = (
    select(
        col(OutboxMail.reservation_id).label("reservation_id"),
        _latest(*_LEFT).label("left_at"),
        _latest(MailState.FAILED).label("failed_at"),
        func.sum(case((col(OutboxMail.state) == MailState.SENT, 1), else_=0)).label("sent"),
        func.sum(case((col(OutboxMail.state).in_(WAITING), 1), else_=0)).label("pending"),
    )
    .where(col(OutboxMail.event_id) == bindparam("event_id"), col(OutboxMail.reservation_id).is_not(None))
    .group_by(col(OutboxMail.reservation_id))
    .subquery()
)
# The newest answer of each, by whatever step of it, and when their guests were named last.
_ANSWERED = (
    select(
        col(ReservationAnswer.reservation_id).label("reservation_id"),
        col(ReservationAnswer.at).label("at"),
        col(ReservationAnswer.via).label("via"),
        func.row_number()
        .over(partition_by=col(ReservationAnswer.reservation_id), order_by=col(ReservationAnswer.at).desc())
        .label("place"),
    )
    .join(EventReservation, col(EventReservation.id) == col(ReservationAnswer.reservation_id))
    .where(_OF_EVENT, col(ReservationAnswer.will_attend).is_not(None))
    .subquery()
)
_NAMED = (
    select(col(EventGuest.reservation_id).label("reservation_id"), func.max(col(EventGuest.updated_at)).label("at"))
    .where(col(EventGuest.event_id) == bindparam("event_id"), col(EventGuest.name) != "")
    .group_by(col(EventGuest.reservation_id))
    .subquery()
)
_LIGHT: tuple[Any, ...] = (
    EventReservation.id, Member.name, Member.company, EventReservation.responded_at,
    _ANSWERED.c.at.label("answered_at"), _ANSWERED.c.via, _NAMED.c.at.label("named_at"),
    _MAILED.c.left_at, _MAILED.c.failed_at, _MAILED.c.sent, _MAILED.c.pending,
)  # fmt: skip
_FULL: tuple[Any, ...] = (
    EventReservation.id, EventReservation.member_id, EventReservation.will_attend, EventReservation.with_lunch,
    EventReservation.guest_count, EventReservation.answered_via, EventReservation.recorded_by,
    col(EventReservation.waiting_since).is_not(None).label("is_waiting"), Member.image_url, Member.phone,
)  # fmt: skip


@dataclass(frozen=True)
class Chip:
    """A choice above the list. `key` is what the address says, empty for all."""

    key: str
    label: str
    count: int


@dataclass(frozen=True)
class AnswerRow:
    """Someone in the list. `answer` is a value of `AttendeeStatus`, `says` its word; `presence` what was in the end.

    `news` and `when` tell of the last that was heard of them, or was sent to them; `is_fault` of a mail that failed.
    """

    key: str
    member_id: str
    name: str
    company: str
    picture: Picture
    answer: str
    says: str
    guests: str = ""
    meals: str = ""
    news: str = ""
    when: str = ""
    is_fault: bool = False
    presence: str = ""
    phone_href: str = ""


@dataclass(frozen=True)
class AnswerList:
    """The list. `shown` says how many of how many, `more` how many are found beyond `rows`."""

    event_id: str = ""
    chips: tuple[Chip, ...] = ()
    chosen: str = ALL
    order: str = BY_NEWS
    rows: tuple[AnswerRow, ...] = ()
    shown: str = ""
    more: int = 0


@dataclass(frozen=True)
class _Found:
    """Someone as far as the list is searched and sorted by: `said_at`, not the mails that we sent."""

    key: str
    name: str
    company: str
    news: str
    at: datetime | None
    said_at: datetime | None = None
    is_fault: bool = False


def list_answers(
    session: Session,
    actor: Actor,
    event_id: str,
    chosen: str = ALL,
    *,
    wanted: str = "",
    order: str = BY_NEWS,
    limit: int = FIRST_ROWS,
) -> AnswerList:
    """Those who gave one answer, or everyone who is invited; the latest that was said first, or by name.

    Raises:
        NotFound: when the event was deleted.
    """
    require_admin(actor)
    event = find_event(session, event_id)
    chosen = chosen if chosen in GROUPS else ALL
    found = _search(_find(session, event, chosen), wanted)
    found.sort(key=lambda one: (fold(one.name), one.key))
    if order != BY_NAME:
        found.sort(key=lambda one: one.said_at or _NEVER, reverse=True)
    shown = found[: max(0, min(limit, MOST_ROWS))]
    total = len(found)
    return AnswerList(
        event_id=event_id,
        chips=_chips(session, event, chosen),
        chosen=chosen,
        order=BY_NAME if order == BY_NAME else BY_NEWS,
        rows=_rows(session, event, shown, chosen),
        shown=f"{len(shown)} sur {total}" if total else "",
        more=total - len(shown),
    )


def _find(session: Session, event: Event, chosen: str) -> list[_Found]:
    status = GROUPS.get(chosen)
    if status is AttendeeStatus.UNINVITED:
        return [
            _Found(one.key, one.name, one.company, _sentence(one.reason), None)
            for one in list_uninvited(session, event)
        ]
    query = (
        select(*_LIGHT)
        .select_from(EventReservation)
        .outerjoin(Member, col(EventReservation.member_id) == col(Member.id))
        .outerjoin(_MAILED, _MAILED.c.reservation_id == col(EventReservation.id))
        .outerjoin(_ANSWERED, (_ANSWERED.c.reservation_id == col(EventReservation.id)) & (_ANSWERED.c.place == 1))
        .outerjoin(_NAMED, _NAMED.c.reservation_id == col(EventReservation.id))
        .where(_OF_EVENT, *([IN_GROUP[status]] if status else []))
    )
    return [_found(row) for row in session.execute(query, {"event_id": event.id})]


def _found(row: Any) -> _Found:
    name, company, (said_at, news) = row.name or UNNAMED, row.company or "", _last_said(row)
    failed_at, left_at = row.failed_at, row.left_at
    if failed_at and failed_at >= max(said_at or _NEVER, left_at or _NEVER):
        return _Found(row.id, name, company, "Message refusé", failed_at, said_at, is_fault=True)
    if said_at:
        return _Found(row.id, name, company, news, said_at, said_at)
    if row.sent:
        return _Found(
            row.id, name, company, f"{row.sent} {'messages remis' if row.sent > 1 else 'message remis'}", left_at
        )
    if row.pending:
        return _Found(row.id, name, company, "Message en route", None)
    return _Found(row.id, name, company, "Remise incertaine" if left_at else "Aucun message", left_at)


def _last_said(row: Any) -> tuple[datetime | None, str]:
    """When something was last said by or for someone who has answered, and what that was where it is known."""
    said_at, via = row.responded_at, ""
    if said_at is None:
        return None, ""
    if row.answered_at and row.answered_at >= said_at:
        said_at, via = row.answered_at, row.via
    if row.named_at and row.named_at > said_at + SITTING:
        return row.named_at, "Invités nommés"
    return said_at, _VIA[AnswerSource(via)] if via in set(AnswerSource) else ""


def _search(found: list[_Found], wanted: str) -> list[_Found]:
    if not wanted.strip():
        return found
    return [found[place] for place in find_records([(one.name, one.company) for one in found], wanted[:LONGEST_QUERY])]


def _chips(session: Session, event: Event, chosen: str) -> tuple[Chip, ...]:
    """All who are invited, then each answer; what is rare is left out while nobody gave it."""
    counts, is_past = count_groups(session, event), event.date < clock.now()
    invited = sum(count for status, count in counts.items() if status is not AttendeeStatus.UNINVITED)
    chips = [Chip(ALL, "Tous", invited)]
    for key, status in GROUPS.items():
        if status in _ALWAYS or counts[status] or key == chosen:
            chips.append(Chip(key, _HEADINGS.get(status) or status.heading_at(is_past=is_past), counts[status]))
    return tuple(chips)


def _rows(session: Session, event: Event, shown: Sequence[_Found], chosen: str) -> tuple[AnswerRow, ...]:
    if GROUPS.get(chosen) is AttendeeStatus.UNINVITED:
        people = {one.key: one for one in list_uninvited(session, event)}
        return tuple(_uninvited(one, people[one.key].member_id or "") for one in shown)
    keys = [one.key for one in shown]
    query = select(*_FULL).outerjoin(Member, col(EventReservation.member_id) == col(Member.id))
    known = {row.id: row for row in session.execute(query.where(col(EventReservation.id).in_(keys)))}
    guests = _guests(session, [key for key in keys if key in known and known[key].guest_count])
    door = Presences.of(session, event)
    return tuple(_row(one, known[one.key], guests[one.key], door) for one in shown if one.key in known)


def _guests(session: Session, keys: Iterable[str]) -> defaultdict[str, list[EventGuest]]:
    named: defaultdict[str, list[EventGuest]] = defaultdict(list)
    rows = select(EventGuest).where(col(EventGuest.reservation_id).in_(list(keys))).order_by(col(EventGuest.position))
    for guest in session.scalars(rows):
        named[guest.reservation_id or ""].append(guest)
    return named


def _uninvited(one: _Found, member_id: str) -> AnswerRow:
    status = AttendeeStatus.UNINVITED
    picture = face_picture("", one.name)
    return AnswerRow(one.key, member_id, one.name, one.company, picture, status.value, _SAYS[status], news=one.news)


def _row(one: _Found, row: Any, guests: Sequence[EventGuest], door: Presences) -> AnswerRow:
    status = status_of(row)
    person = row.member_id or row.id
    brings = row.guest_count if status.will_attend else 0
    meals = _count_meals(row, guests, brings)
    return AnswerRow(
        key=one.key,
        member_id=row.member_id or "",
        name=one.name,
        company=one.company,
        picture=face_picture(row.image_url or "", one.name),
        answer=status.value,
        says=_SAYS[status],
        guests=_describe_guests(guests, brings),
        meals=str(meals) if meals else "",
        news=one.news or _channel(row),
        when=clock.recent_moment(one.at) if one.at else "",
        is_fault=one.is_fault,
        presence=door.describe(person, status),
        phone_href=phone_numbers.tel_link(row.phone or ""),
    )


def _count_meals(row: Any, guests: Sequence[EventGuest], brings: int) -> int:
    """The meals of someone and of whom they bring; a guest of whom nothing is said eats as the member does."""
    own = bool(row.with_lunch) and status_of(row).will_attend is True
    said = [guest.with_lunch for guest in guests][:brings]
    said += [None] * (brings - len(said))
    return own + sum(own if lunch is None else lunch for lunch in said)


def _describe_guests(guests: Sequence[EventGuest], brings: int) -> str:
    """'Anaïs Cuvelier', 'Anaïs Cuvelier et 1 sans nom', '2 invités, sans nom'."""
    names = [guest.name for guest in guests if guest.name][:brings]
    unnamed = brings - len(names)
    if not names:
        return f"{unnamed} {'invités' if unnamed > 1 else 'invité'}, sans nom" if unnamed else ""
    return f"{', '.join(names)} et {unnamed} sans nom" if unnamed else ", ".join(names)


def _channel(row: Any) -> str:
    return _VIA[AnswerSource(row.answered_via)] if row.answered_via in set(AnswerSource) else "Réponse reçue"


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]
