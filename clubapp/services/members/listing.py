"""The administrators' list of members, with filters and search."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import and_, case, or_
from sqlmodel import Session, col, func, select

from clubapp import routes
from clubapp.models import DOMAINS, Member
from clubapp.services.attendance import turnout
from clubapp.services.base import pagination
from clubapp.services.base.actors import Actor, require_admin
from clubapp.services.base.pagination import PAGE_SIZE, Order
from clubapp.services.base.search import LONGEST_QUERY
from clubapp.services.images import initials, responsive_images
from clubapp.services.images.responsive_images import Picture
from clubapp.services.members import last_answer
from clubapp.services.members.last_answer import LastAnswer
from clubapp.settings import settings
from clubapp.text import phone_numbers

# The parameters of the list's address.
TEXT, DOMAIN, STATUS, ANSWER, RECORDS, CAME, SORT = "q", "domaine", "statut", "reponse", "fiches", "venus", "tri"
ACTIVE, INACTIVE, SILENT = "actifs", "inactifs", "sans"
TO_COMPLETE, WITHOUT_PICTURE = "a-completer", "sans-photo"
LATELY = "3"
CAME_LATELY_HREF = f"{routes.ADMIN}?{CAME}={LATELY}"
LAST_MEETINGS = int(LATELY)
ALL_PARTS = 5  # of a record that the public page shows

_SEARCHED: tuple[Any, ...] = (
    Member.name,
    Member.company,
    Member.role,
    Member.email,
    Member.expertise,
    Member.services,
    Member.description,
)


@dataclass(frozen=True)
class MemberFilter:
    """The filters of the list. `status` is 'active', 'inactive' or empty; `shown` is the maximum number of rows.

    `sort` is a name of ORDERS, with '-' before it for the reverse; empty for the newest first.
    """

    text: str = ""
    domain: str = ""
    status: str = ""
    to_complete: bool = False
    without_picture: bool = False
    is_silent: bool = False
    came_lately: bool = False
    sort: str = ""
    shown: int = PAGE_SIZE

    @property
    def narrows(self) -> bool:
        """Whether any filter is set."""
        marks = self.to_complete, self.without_picture, self.is_silent, self.came_lately
        return bool(self.text.strip() or self.domain or self.status or any(marks))


@dataclass(frozen=True)
class MemberRow:
    """A member in the list. `missing` is what the public page lacks, as 'photo, e-mail'; it has `parts` of
    ALL_PARTS.
    """

    id: str
    name: str
    role: str
    company: str
    domain: str
    trade: str
    phone: str
    phone_href: str
    answer: LastAnswer
    picture: Picture
    missing: str
    parts: int
    is_active: bool


@dataclass(frozen=True)
class MemberCounts:
    """How many members of the club each filter leaves."""

    total: int = 0
    active: int = 0
    inactive: int = 0
    silent: int = 0
    came_lately: int = 0
    to_complete: int = 0
    without_picture: int = 0


@dataclass(frozen=True)
class MemberList:
    """The first matching members, with labels for how many exist and match; `more` of the `found` follow."""

    count_label: str = ""
    found_label: str = ""
    rows: tuple[MemberRow, ...] = ()
    found: int = 0
    more: int = 0
    ids: tuple[str, ...] = ()
    counts: MemberCounts = MemberCounts()


@dataclass(frozen=True)
class Neighbours:
    """The place of a member in a list, as '12 sur 60', and the pages beside theirs; empty outside and at its ends."""

    member_id: str = ""
    place: str = ""
    previous_href: str = ""
    next_href: str = ""


def parse_filter(typed: Mapping[str, str]) -> MemberFilter:
    """The filter that an address asks for; unknown values ask for nothing."""
    domain, sort = typed.get(DOMAIN, ""), typed.get(SORT, "")
    return MemberFilter(
        text=typed.get(TEXT, "")[:LONGEST_QUERY],
        domain=domain if domain in DOMAINS else "",
        status={ACTIVE: "active", INACTIVE: "inactive"}.get(typed.get(STATUS, ""), ""),
        to_complete=typed.get(RECORDS) == TO_COMPLETE,
        without_picture=typed.get(RECORDS) == WITHOUT_PICTURE,
        is_silent=typed.get(ANSWER) == SILENT,
        came_lately=typed.get(CAME) == LATELY,
        sort=sort if sort.removeprefix("-") in _orders() else "",
    )


def list_members(session: Session, actor: Actor, wanted: MemberFilter = MemberFilter()) -> MemberList:
    """The members, newest first unless another order is asked for; those of a search, best match first."""
    require_admin(actor)
    part = pagination.read_first_rows(
        session,
        Member,
        _conditions(wanted),
        text=wanted.text,
        compared=_SEARCHED,
        shown=wanted.shown,
        order=pagination.parse_order(_orders(), wanted.sort),
    )
    answers = last_answer.read_last_answers(session, [row.id for row in part.rows])
    return MemberList(
        count_label=f"{part.total} {'membres' if part.total > 1 else 'membre'} au total",
        found_label=_found_label(session, part.count, wanted),
        rows=tuple(_row(row, answers.get(row.id, LastAnswer())) for row in part.rows),
        found=part.count,
        more=part.more,
        ids=tuple(row.id for row in part.rows),
        counts=_count(session, part.total),
    )


def list_ids(session: Session, actor: Actor, wanted: MemberFilter) -> Sequence[str]:
    """The identifiers of all matching members, at most MOST_CHOSEN, in the order of the list."""
    require_admin(actor)
    return _find_ids(session, wanted)[: pagination.MOST_CHOSEN]


def read_neighbours(session: Session, actor: Actor, member_id: str, wanted: MemberFilter) -> Neighbours:
    """Who stands beside a member in the list."""
    require_admin(actor)
    ids = list(_find_ids(session, wanted))
    if member_id not in ids:
        return Neighbours()
    at = ids.index(member_id)
    return Neighbours(
        member_id,
        place=f"{at + 1} sur {len(ids)}",
        previous_href=routes.admin_member(ids[at - 1]) if at else "",
        next_href=routes.admin_member(ids[at + 1]) if at + 1 < len(ids) else "",
    )


def _find_ids(session: Session, wanted: MemberFilter) -> Sequence[str]:
    order = pagination.parse_order(_orders(), wanted.sort)
    return pagination.find_ids(session, Member, _conditions(wanted), text=wanted.text, compared=_SEARCHED, order=order)


def _orders() -> dict[str, Order]:
    return {
        "nom": Order((Member.name,)),
        "entreprise": Order((Member.company,)),
        "metier": Order((Member.expertise, Member.services), value=main_trade),
        "telephone": Order((Member.phone,)),
        "reponse": Order((last_answer.answered_at(),)),
    }


def _count(session: Session, total: int) -> MemberCounts:
    def among(condition: Any) -> Any:
        return func.coalesce(func.sum(case((condition, 1), else_=0)), 0)

    counted: Any = (
        col(Member.is_active).is_(True),
        last_answer.is_silent(),
        turnout.came_each_time(LAST_MEETINGS),
        _lacks_something(),
        lacks_picture(),
    )
    active, silent, came_lately, to_complete, without_picture = session.execute(select(*map(among, counted))).one()
    return MemberCounts(total, active, total - active, silent, came_lately, to_complete, without_picture)


def _conditions(wanted: MemberFilter) -> list[Any]:
    conditions: list[Any] = []
    if wanted.domain:
        conditions.append(col(Member.activity_domain) == wanted.domain)
    if wanted.status:
        conditions.append(col(Member.is_active).is_(wanted.status == "active"))
    if wanted.to_complete:
        conditions.append(_lacks_something())
    if wanted.without_picture:
        conditions.append(lacks_picture())
    if wanted.is_silent:
        conditions.append(last_answer.is_silent())
    if wanted.came_lately:
        conditions.append(turnout.came_each_time(LAST_MEETINGS))
    return conditions


def lacks_picture() -> Any:
    """Those whose public page could show a photograph and has none."""
    return and_(col(Member.is_active), col(Member.is_listed), _has_no_picture())


def _has_no_picture() -> Any:
    """Of the animator the bundled portrait is shown."""
    is_other = func.lower(col(Member.name)) != settings().animator_name.lower()
    return and_(col(Member.image_url) == "", is_other)


def _lacks_something() -> Any:
    lacks = [col(column) == "" for column in (Member.role, Member.company, Member.description)]
    return or_(_has_no_picture(), col(Member.email).is_(None), *lacks)


def _found_label(session: Session, count: int, wanted: MemberFilter) -> str:
    if not wanted.narrows:
        return ""
    if not replace(wanted, is_silent=False).narrows and (day := last_answer.read_day_at_hand(session)):
        who = f"{count} membres n’ont" if count > 1 else f"{count} membre n’a"
        return f"{who} pas répondu pour le {day}"
    if not replace(wanted, came_lately=False).narrows:
        who = f"{count} membres sont venus" if count > 1 else f"{count} membre est venu"
        return f"{who} aux trois dernières rencontres"
    return f"{count} membres correspondent" if count > 1 else f"{count} membre correspond"


def main_trade(expertise: Sequence[str], services: Sequence[str]) -> str:
    """The first that a member names, empty when they name none."""
    return next(iter([*expertise, *services]), "")


def list_missing(member: Member) -> list[str]:
    """What a record lacks that the public page shows: 'photo', 'e-mail'."""
    parts = {
        "photo": member.image_url or initials.is_animator(member.name),
        "e-mail": member.email,
        "fonction": member.role,
        "entreprise": member.company,
        "description": member.description,
    }
    return [name for name, value in parts.items() if not value]


def _row(member: Member, answer: LastAnswer) -> MemberRow:
    missing = list_missing(member)
    return MemberRow(
        id=member.id,
        name=member.name,
        role=member.role,
        company=member.company,
        domain=member.activity_domain,
        trade=main_trade(member.expertise, member.services),
        phone=phone_numbers.format_phone(member.phone),
        phone_href=phone_numbers.tel_link(member.phone),
        answer=answer,
        picture=_picture(member),
        missing=", ".join(missing),
        parts=ALL_PARTS - len(missing),
        is_active=member.is_active,
    )


def _picture(member: Member) -> Picture:
    found = responsive_images.list_picture(member.image_url)
    side = responsive_images.FACE.side
    return found if found.src else Picture(src=initials.person_image_url(member.name), width=side, height=side)
