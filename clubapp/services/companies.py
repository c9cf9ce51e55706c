"""The companies, as administrators see them (specification, section 2)."""

from dataclasses import dataclass

from sqlmodel import Session, col, select

from clubapp.models import Company
from clubapp.services.actors import Actor, require_admin


@dataclass(frozen=True)
class CompanyRow:
    """A company in the list; `letters` stand in for a logo that is missing."""

    id: str
    name: str
    domain: str
    city: str
    logo: str
    letters: str


@dataclass(frozen=True)
class CompanyList:
    """All the companies, and how many."""

    count_label: str = ""
    rows: tuple[CompanyRow, ...] = ()


def listing(session: Session, actor: Actor) -> CompanyList:
    """Every company, newest first."""
    require_admin(actor)
    query = select(Company).order_by(col(Company.created_at).desc(), col(Company.name))
    rows = tuple(_row(company) for company in session.exec(query))
    return CompanyList(f"{len(rows)} {'entreprises' if len(rows) > 1 else 'entreprise'} au total", rows)


def _row(company: Company) -> CompanyRow:
    return CompanyRow(
        id=company.id,
        name=company.name,
        domain=company.activity_domain,
        city=company.city,
        logo=company.logo_url,
        letters=company.name[:3].upper(),
    )
