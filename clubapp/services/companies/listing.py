"""The administrators' list of companies, with filters and search."""

from dataclasses import dataclass
from typing import Any

from sqlalchemy import or_
from sqlmodel import Session, col

from clubapp.models import Company
from clubapp.services.base import pagination
from clubapp.services.base.actors import Actor, require_admin
from clubapp.services.base.pagination import PAGE_SIZE
from clubapp.services.images import initials, responsive_images
from clubapp.services.images.responsive_images import Picture

_COMPLETE = (Company.email, Company.logo_url, Company.activity_domain, Company.description)


@dataclass(frozen=True)
class CompanyFilter:
    """The filters of the list; `shown` is the maximum number of rows."""

    text: str = ""
    domain: str = ""
    to_complete: bool = False
    shown: int = PAGE_SIZE

    @property
    def narrows(self) -> bool:
        """Whether any filter is set."""
        return bool(self.text.strip() or self.domain or self.to_complete)


@dataclass(frozen=True)
class CompanyRow:
    """A company in the list; `letters` stand in for a logo that is missing."""

    id: str
    name: str
    domain: str
    city: str
    logo: Picture
    letters: str
    missing: str


@dataclass(frozen=True)
class CompanyList:
    """The first matching companies, with labels for how many exist and match; `more` further ones match."""

    count_label: str = ""
    found_label: str = ""
    rows: tuple[CompanyRow, ...] = ()
    more: int = 0


def list_companies(session: Session, actor: Actor, wanted: CompanyFilter = CompanyFilter()) -> CompanyList:
    """The companies, newest first; those of a search, best match first."""
    require_admin(actor)
    part = pagination.read_first_rows(
        session,
        Company,
        _conditions(wanted),
        text=wanted.text,
        compared=(Company.name, Company.city, Company.activity_domain, Company.services, Company.description),
        shown=wanted.shown,
    )
    return CompanyList(
        count_label=f"{part.total} {'entreprises' if part.total > 1 else 'entreprise'} au total",
        found_label=_found_label(part.count) if wanted.narrows else "",
        rows=tuple(_row(row) for row in part.rows),
        more=part.more,
    )


def _conditions(wanted: CompanyFilter) -> list[Any]:
    conditions: list[Any] = []
    if wanted.domain:
        conditions.append(col(Company.activity_domain) == wanted.domain)
    if wanted.to_complete:
        conditions.append(or_(*(col(one) == "" for one in _COMPLETE)))
    return conditions


def _found_label(count: int) -> str:
    return f"{count} entreprises correspondent" if count > 1 else f"{count} entreprise correspond"


def _row(company: Company) -> CompanyRow:
    missing = {
        "logo": company.logo_url,
        "e-mail": company.email,
        "domaine": company.activity_domain,
        "description": company.description,
    }
    return CompanyRow(
        id=company.id,
        name=company.name,
        domain=company.activity_domain,
        city=company.city,
        logo=responsive_images.list_picture(company.logo_url),
        letters=initials.company_letters(company.name),
        missing=", ".join(name for name, value in missing.items() if not value),
    )
