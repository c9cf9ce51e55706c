"""The administrators' list of members, with filters and search."""

from dataclasses import dataclass
from typing import Any

from sqlalchemy import or_
from sqlmodel import Session, col

from clubapp.models import Member
from clubapp.services.base import pagination
from clubapp.services.base.actors import Actor, require_admin
from clubapp.services.base.pagination import PAGE_SIZE
from clubapp.services.images import initials, responsive_images
from clubapp.services.images.responsive_images import Picture

_SEARCHED = (
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
    """The filters of the list. `status` is 'active', 'inactive' or empty; `shown` is the maximum number of rows."""

    text: str = ""
    domain: str = ""
    status: str = ""
    to_complete: bool = False
    shown: int = PAGE_SIZE

    @property
    def narrows(self) -> bool:
        """Whether any filter is set."""
        return bool(self.text.strip() or self.domain or self.status or self.to_complete)


@dataclass(frozen=True)
class MemberRow:
    """A member in the list; `missing` says what the public page lacks, as 'photo, e-mail'."""

    id: str
    name: str
    position: str
    domain: str
    picture: Picture
    missing: str
    is_active: bool


@dataclass(frozen=True)
class MemberList:
    """The first matching members, with labels for how many exist and match; `more` further ones match."""

    count_label: str = ""
    found_label: str = ""
    rows: tuple[MemberRow, ...] = ()
    more: int = 0


def list_members(session: Session, actor: Actor, wanted: MemberFilter = MemberFilter()) -> MemberList:
    """The members, newest first; those of a search, best match first."""
    require_admin(actor)
    part = pagination.read_first_rows(
        session,
        Member,
        _conditions(wanted),
        text=wanted.text,
        compared=_SEARCHED,
        shown=wanted.shown,
    )
    return MemberList(
        count_label=f"{part.total} {'membres' if part.total > 1 else 'membre'} au total",
        found_label=_found_label(part.count) if wanted.narrows else "",
        rows=tuple(_row(row) for row in part.rows),
        more=part.more,
    )


def _conditions(wanted: MemberFilter) -> list[Any]:
    conditions: list[Any] = []
    if wanted.domain:
        conditions.append(col(Member.activity_domain) == wanted.domain)
    if wanted.status:
        conditions.append(col(Member.is_active).is_(wanted.status == "active"))
    if wanted.to_complete:
        lacks = [col(column) == "" for column in (Member.image_url, Member.role, Member.company, Member.description)]
        conditions.append(or_(col(Member.email).is_(None), *lacks))
    return conditions


def _found_label(count: int) -> str:
    return f"{count} membres correspondent" if count > 1 else f"{count} membre correspond"


def _row(member: Member) -> MemberRow:
    missing = {
        "photo": member.image_url,
        "e-mail": member.email,
        "fonction": member.role,
        "entreprise": member.company,
        "description": member.description,
    }
    return MemberRow(
        id=member.id,
        name=member.name,
        position=", ".join(text for text in (member.role, member.company) if text),
        domain=member.activity_domain,
        picture=_picture(member),
        missing=", ".join(name for name, value in missing.items() if not value),
        is_active=member.is_active,
    )


def _picture(member: Member) -> Picture:
    found = responsive_images.list_picture(member.image_url)
    side = responsive_images.FACE.side
    return found if found.src else Picture(src=initials.person_image_url(member.name), width=side, height=side)
