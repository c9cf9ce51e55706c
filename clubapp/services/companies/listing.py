"""The administrators' list of companies, with filters and search."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import or_
from sqlmodel import Session, col, func, select

from clubapp.models import DOMAINS, Company, Member
from clubapp.services.base import pagination
from clubapp.services.base.actors import Actor, require_admin
from clubapp.services.base.pagination import PAGE_SIZE, Order
from clubapp.services.base.search import LONGEST_QUERY
from clubapp.services.images import initials, responsive_images
from clubapp.services.images.responsive_images import Picture
from clubapp.text import phone_numbers

# The parameters of the list's address.
TEXT, DOMAIN, RECORDS, SORT = "q", "domaine", "fiches", "tri"
TO_COMPLETE = "a-completer"
ALL_PARTS = 4  # of a record that the public page shows
_COMPLETE = (Company.email, Company.logo_url, Company.activity_domain, Company.description)
_PEOPLE = select(func.count()).where(Member.company_id == Company.id).scalar_subquery()
_ORDERS = {
    "nom": Order((Company.name,)),
    "domaine": Order((Company.activity_domain,)),
    "ville": Order((Company.city,)),
    "telephone": Order((Company.phone,)),
    "membres": Order((_PEOPLE,)),
}


@dataclass(frozen=True)
class CompanyFilter:
    """The filters of the list; `shown` is the maximum number of rows, `sort` a name of an order, '-' before it for the
    reverse."""

    text: str = ""
    domain: str = ""
    to_complete: bool = False
    sort: str = ""
    shown: int = PAGE_SIZE

    @property
    def narrows(self) -> bool:
        """Whether any filter is set."""
        return bool(self.text.strip() or self.domain or self.to_complete)


@dataclass(frozen=True)
class CompanyRow:
    """A company in the list; `letters` stand in for a logo that is missing, `people` is how many members it has.

    `missing` says what the public page lacks, as 'logo, e-mail'; it has `parts` of ALL_PARTS.
    """

    id: str
    name: str
    domain: str
    city: str
    phone: str
    phone_href: str
    people: int
    logo: Picture
    letters: str
    missing: str
    parts: int


@dataclass(frozen=True)
class CompanyList:
    """The first matching companies, with labels for how many exist and match; `more` further ones match."""

    count_label: str = ""
    found_label: str = ""
    rows: tuple[CompanyRow, ...] = ()
    more: int = 0


def parse_filter(typed: Mapping[str, str]) -> CompanyFilter:
    """The filter that an address asks for; unknown values ask for nothing."""
    domain, sort = typed.get(DOMAIN, ""), typed.get(SORT, "")
    return CompanyFilter(
        text=typed.get(TEXT, "")[:LONGEST_QUERY],
        domain=domain if domain in DOMAINS else "",
        to_complete=typed.get(RECORDS) == TO_COMPLETE,
        sort=sort if sort.removeprefix("-") in _ORDERS else "",
    )


def list_companies(session: Session, actor: Actor, wanted: CompanyFilter = CompanyFilter()) -> CompanyList:
    """The companies, newest first unless another order is asked for; those of a search, best match first."""
    require_admin(actor)
    part = pagination.read_first_rows(
        session,
        Company,
        _conditions(wanted),
        text=wanted.text,
        compared=(Company.name, Company.city, Company.activity_domain, Company.services, Company.description),
        shown=wanted.shown,
        order=pagination.parse_order(_ORDERS, wanted.sort),
    )
    people = _count_people(session, [row.id for row in part.rows])
    return CompanyList(
        count_label=f"{part.total} {'entreprises' if part.total > 1 else 'entreprise'} au total",
        found_label=_found_label(part.count) if wanted.narrows else "",
        rows=tuple(_row(row, people.get(row.id, 0)) for row in part.rows),
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


def _count_people(session: Session, company_ids: list[str]) -> dict[str, int]:
    query = select(Member.company_id, func.count()).where(col(Member.company_id).in_(company_ids))
    rows = session.exec(query.group_by(col(Member.company_id)))
    return {company_id: count for company_id, count in rows if company_id}


def _row(company: Company, people: int) -> CompanyRow:
    parts = {
        "logo": company.logo_url,
        "e-mail": company.email,
        "domaine": company.activity_domain,
        "description": company.description,
    }
    missing = [name for name, value in parts.items() if not value]
    return CompanyRow(
        id=company.id,
        name=company.name,
        domain=company.activity_domain,
        city=company.city,
        phone=phone_numbers.format_phone(company.phone),
        phone_href=phone_numbers.tel_link(company.phone),
        people=people,
        logo=responsive_images.list_picture(company.logo_url),
        letters=initials.company_letters(company.name),
        missing=", ".join(missing),
        parts=ALL_PARTS - len(missing),
    )
