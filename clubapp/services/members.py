"""The members, as administrators see them (specification, section 2)."""

from dataclasses import dataclass

from sqlmodel import Session, col, select

from clubapp.models import Member
from clubapp.services import avatars
from clubapp.services.actors import Actor, require_admin


@dataclass(frozen=True)
class MemberRow:
    """A member in the list; `image` is a photo, or the initials."""

    id: str
    name: str
    position: str
    domain: str
    image: str


@dataclass(frozen=True)
class MemberList:
    """All the members, and how many."""

    count_label: str = ""
    rows: tuple[MemberRow, ...] = ()


def listing(session: Session, actor: Actor) -> MemberList:
    """Every member, newest first."""
    require_admin(actor)
    query = select(Member).order_by(col(Member.created_at).desc(), col(Member.name))
    rows = tuple(_row(member) for member in session.exec(query))
    return MemberList(f"{len(rows)} {'membres' if len(rows) > 1 else 'membre'} au total", rows)


def _row(member: Member) -> MemberRow:
    return MemberRow(
        id=member.id,
        name=member.name,
        position=", ".join(text for text in (member.role, member.company) if text),
        domain=member.activity_domain,
        image=member.image_url or avatars.person_image(member.name),
    )
