"""Records of inactive members that nobody has touched for years: proposed to be looked at, never deleted by itself."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlmodel import Session, col, or_, select

from clubapp import clock
from clubapp.models import Member
from clubapp.services.base.actors import Actor, require_admin
from clubapp.settings import settings


@dataclass(frozen=True)
class ToReview:
    """An inactive member's record."""

    id: str
    name: str


def list_to_review(session: Session, actor: Actor) -> list[ToReview]:
    """The records to look at, the longest untouched first."""
    require_admin(actor)
    before = _limit()
    query = select(Member.id, Member.name).where(
        col(Member.is_active).is_(False),
        col(Member.updated_at) < before,
        or_(col(Member.reviewed_at).is_(None), col(Member.reviewed_at) < before),
    )
    return [ToReview(*row) for row in session.exec(query.order_by(col(Member.updated_at), Member.id))]


def is_to_review(member: Member) -> bool:
    """Whether the record of a member is to be looked at."""
    touched = max(filter(None, (member.updated_at, member.reviewed_at)))
    return not member.is_active and touched < _limit()


def format_years() -> str:
    """'trois ans', as the settings say."""
    names = ("un an", "deux ans", "trois ans", "quatre ans", "cinq ans")
    years = settings().review_years
    return names[years - 1] if years <= len(names) else f"{years}\u00a0ans"


def _limit() -> datetime:
    return clock.now() - timedelta(days=365 * settings().review_years)
