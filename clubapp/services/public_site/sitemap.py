"""The sitemap: every public page with the time of its last change."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import func, select
from sqlmodel import Session, col

from clubapp import routes
from clubapp.models import Company, Member

_PUBLIC = (col(Member.is_active), col(Member.is_listed))


@dataclass(frozen=True)
class PublicPage:
    """A page by its path. `changed_at` is None when its content depends on the settings only."""

    path: str
    changed_at: datetime | None = None


def list_public_pages(session: Session) -> tuple[PublicPage, ...]:
    """The pages of the club, then those of each listed member and each company."""
    members = session.execute(
        select(col(Member.id), col(Member.updated_at)).where(*_PUBLIC).order_by(col(Member.id))
    ).all()
    return (
        PublicPage(routes.HOME),
        PublicPage(routes.DIRECTORY, max((changed_at for _, changed_at in members), default=None)),
        *(PublicPage(routes.member_profile(member_id), changed_at) for member_id, changed_at in members),
        *_companies(session),
        PublicPage(routes.LEGAL),
        PublicPage(routes.PRIVACY),
    )


def _companies(session: Session) -> list[PublicPage]:
    """The pages of companies; one changes with the company and with its members."""
    team = (
        select(col(Member.company_id), func.max(col(Member.updated_at)).label("changed_at"))
        .where(*_PUBLIC)
        .group_by(col(Member.company_id))
        .subquery()
    )
    rows = session.execute(
        select(col(Company.id), col(Company.updated_at), team.c.changed_at)
        .outerjoin(team, team.c.company_id == col(Company.id))
        .order_by(col(Company.id))
    )
    return [
        PublicPage(routes.company(company_id), max(filter(None, changes), default=None))
        for company_id, *changes in rows
    ]
