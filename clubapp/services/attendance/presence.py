"""How present members are: each of the last meetings as a mark, figures by season, and a table of it all.

Only meetings whose doors were closed count, and of a member those they were invited to or came to.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import and_, select
from sqlmodel import Session, col

from clubapp import clock
from clubapp.models import Arrival, AttendeeStatus, Event, EventReservation, EventStatus, Member, invited, status_of
from clubapp.services.base import table_files
from clubapp.services.base.actors import Actor, require_admin, require_fresh_admin
from clubapp.services.base.search import fold
from clubapp.services.base.table_files import CSV, Download

LAST = 12
SEASON_BEGINS = 9  # September
_HEADERS = ("Nom", "Entreprise", "Saison", "Date", "Rencontre", "Présence")


class Mark(StrEnum):
    """What a member did about one meeting."""

    CAME = "came"
    EXCUSED = "excused"
    ABSENT = "absent"
    SILENT = "silent"

    @property
    def label(self) -> str:
        """The French words."""
        return _LABELS[self]


_LABELS = {
    Mark.CAME: "venu",
    Mark.EXCUSED: "excusé",
    Mark.ABSENT: "absent sans prévenir",
    Mark.SILENT: "sans réponse",
}
# Who waited for a place until the end had none to come to.
_IF_ABSENT = {
    AttendeeStatus.COMING: Mark.ABSENT,
    AttendeeStatus.WAITING: Mark.EXCUSED,
    AttendeeStatus.DECLINED: Mark.EXCUSED,
    AttendeeStatus.SILENT: Mark.SILENT,
}


@dataclass(frozen=True)
class Dot:
    """One meeting of a member. `text` says it whole: 'Matinale, jeudi 14 janvier 2027 : venu'.

    `month` stands under it: 'nov. 26', then 'déc.': the year at the first one and where it changes.
    """

    mark: str
    month: str
    text: str


@dataclass(frozen=True)
class MarkCount:
    """How many of the dots bear a mark."""

    mark: str
    label: str
    count: int


@dataclass(frozen=True)
class Presence:
    """A member's last meetings, oldest first, and their figures by season in words, newest first."""

    dots: tuple[Dot, ...] = ()
    legend: tuple[MarkCount, ...] = ()
    seasons: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Meeting:
    title: str
    date: datetime
    mark: Mark


def list_presence(session: Session, actor: Actor, member_ids: Collection[str], last: int = LAST) -> dict[str, Presence]:
    """The presence of some members, in one statement whatever their number."""
    require_admin(actor)
    meetings: defaultdict[str, list[_Meeting]] = defaultdict(list)
    for row in session.execute(_marks().where(col(Member.id).in_(member_ids))).all():
        meetings[row.id].append(_meeting(row))
    return {member_id: _presence(meetings[member_id], last) for member_id in member_ids}


def read_presence(session: Session, actor: Actor, member_id: str) -> Presence:
    """The presence of one member; empty for nobody."""
    return list_presence(session, actor, [member_id])[member_id]


def export_csv(session: Session, actor: Actor) -> Download:
    """Every member's meetings, by name, then by date."""
    require_fresh_admin(actor)
    found = session.execute(_marks()).all()
    rows = [
        [row.name, row.company, season_of(row.date), row.date, row.title, _meeting(row).mark.label]
        for row in sorted(found, key=lambda row: (fold(row.name), row.id, row.date))
    ]
    return Download(
        table_files.make_file_name("presences", extension="csv"), CSV, table_files.write_csv(rows, _HEADERS)
    )


def season_of(moment: datetime) -> str:
    """'2026-2027': the club's year, from September to August."""
    local = clock.to_local(moment)
    begins = local.year - (local.month < SEASON_BEGINS)
    return f"{begins}-{begins + 1}"


def _marks() -> Any:
    """A row for each member and closed meeting they were invited to or came to, by date."""
    came = and_(col(Arrival.event_id) == col(Event.id), col(Arrival.person) == col(Member.id))
    own = and_(col(EventReservation.event_id) == col(Event.id), col(EventReservation.member_id) == col(Member.id))
    columns: tuple[Any, ...] = (
        Member.id, Member.name, Member.company, Event.title, Event.date, EventReservation.will_attend,
        col(EventReservation.waiting_since).is_not(None).label("is_waiting"), Arrival.person,
    )  # fmt: skip
    return (
        select(*columns)
        .select_from(Member)
        .join(Event, and_(col(Event.doors_closed_at).is_not(None), col(Event.status) != EventStatus.CANCELLED))
        .outerjoin(EventReservation, own & invited())
        .outerjoin(Arrival, came)
        .where(col(EventReservation.id).is_not(None) | col(Arrival.id).is_not(None))
        .order_by(col(Event.date))
    )


def _meeting(row: Any) -> _Meeting:
    return _Meeting(row.title, row.date, Mark.CAME if row.person else _IF_ABSENT[status_of(row)])


def _presence(meetings: Iterable[_Meeting], last: int) -> Presence:
    meetings = list(meetings)
    shown = meetings[-last:]
    counts = Counter(meeting.mark for meeting in shown)
    by_season: defaultdict[str, list[Mark]] = defaultdict(list)
    for meeting in meetings:
        by_season[season_of(meeting.date)].append(meeting.mark)
    return Presence(
        dots=tuple(_dot(each, before) for each, before in zip(shown, [None, *shown], strict=False)),
        legend=tuple(MarkCount(mark.value, mark.label, counts[mark]) for mark in Mark),
        seasons=tuple(_season(season, by_season[season]) for season in sorted(by_season, reverse=True)),
    )


def _dot(meeting: _Meeting, before: _Meeting | None) -> Dot:
    is_new_year = before is None or clock.to_local(before.date).year != clock.to_local(meeting.date).year
    return Dot(
        meeting.mark,
        clock.short_month(meeting.date, with_year=is_new_year),
        f"{meeting.title}, {clock.long_day(meeting.date)}\u00a0: {meeting.mark.label}",
    )


def _season(season: str, marks: list[Mark]) -> str:
    """'2026-2027 : venu 8 fois sur 10, excusé 1, absent sans prévenir 1'."""
    others = (f"{mark.label}\u00a0{count}" for mark in Mark if mark is not Mark.CAME and (count := marks.count(mark)))
    return ", ".join((f"{season}\u00a0: venu {marks.count(Mark.CAME)} fois sur {len(marks)}", *others))
