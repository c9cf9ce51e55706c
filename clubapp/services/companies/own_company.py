"""A member's own company: reading and writing it (W3)."""

from dataclasses import dataclass
from typing import Any

from sqlmodel import Session

from clubapp import clock, routes
from clubapp.models import Company, Member
from clubapp.refusals import NotFound
from clubapp.services.base import audit, edit_conflicts
from clubapp.services.base.actors import Actor, require_member
from clubapp.services.base.form_fields import FormCheck, format_columns
from clubapp.services.companies.admin_form import LABELS as COMPANY_LABELS
from clubapp.services.directory import for_visitors
from clubapp.services.directory.for_visitors import CompanyPage
from clubapp.services.images import initials as image_initials
from clubapp.services.images import uploads

NO_COMPANY = "Aucune entreprise associée"
_NOT_THEIRS = ("name", "activity_domain", "founded_year", "employee_count")
LABELS = {name: label for name, label in COMPANY_LABELS.items() if name not in _NOT_THEIRS}


@dataclass(frozen=True)
class OwnCompanyForm:
    """The fields a member may write of their company, as typed. `seen` is the version that was opened."""

    seen: str = ""
    description: str = ""
    address: str = ""
    city: str = ""
    postal_code: str = ""
    phone: str = ""
    email: str = ""
    website: str = ""
    logo_url: str = ""
    services: str = ""
    certifications: str = ""


@dataclass(frozen=True)
class OwnCompany:
    """A company as its member sees it. `initials` is the image that stands in for a logo."""

    id: str = ""
    name: str = ""
    domain: str = ""
    initials: str = ""
    public_href: str = ""
    form: OwnCompanyForm = OwnCompanyForm()


def read_own_company(session: Session, actor: Actor) -> OwnCompany | None:
    """The actor's own company; None when they have none.

    Raises:
        Forbidden: for anyone but a member.
    """
    company = _company(session, actor)
    if company is None:
        return None
    return OwnCompany(
        id=company.id,
        name=company.name,
        domain=company.activity_domain,
        initials=image_initials.company_image_url(company.name),
        public_href=routes.company(company.id),
        form=_form(company),
    )


def save(session: Session, actor: Actor, typed: OwnCompanyForm) -> None:
    """Save the actor's own company.

    Raises:
        InvalidForm: when fields are wrong.
        RecordChanged: when someone saved it since it was opened, and something differs.
        NotFound: when the member has none.
    """
    company = _company(session, actor, lock=True)
    if company is None:
        raise NotFound(f"{NO_COMPANY}.")
    is_stale = typed.seen != edit_conflicts.version_of_row(company)
    checked = _checked(session, company, typed, is_stale=is_stale)
    if is_stale:
        mine, theirs = format_columns(checked), _typed(company)
        words = lambda _, text: text  # noqa: E731 - what is shown is the text itself
        edit_conflicts.refuse_changed_record(
            session, actor, company, theirs=theirs, mine=mine, labels=LABELS, words=words
        )
    if all(getattr(company, name) == value for name, value in checked.items()):
        return
    columns, logo = audit.read_columns(company), company.logo_url
    for name, value in checked.items():
        setattr(company, name, value)
    company.updated_at = clock.now()
    changes = audit.compare(columns, audit.read_columns(company))
    audit.record(session, actor, "company.updated", company.id, changes=changes)
    uploads.remove_replaced_logo(session, logo)


def preview(session: Session, actor: Actor, typed: OwnCompanyForm) -> CompanyPage:
    """The public page of the typed company, without saving it.

    Raises:
        InvalidForm: when fields are wrong.
        NotFound: when the member has none.
    """
    company = _company(session, actor)
    if company is None:
        raise NotFound(f"{NO_COMPANY}.")
    typed_row: dict[str, Any] = {**company.model_dump(), **_checked(session, company, typed)}
    return for_visitors.build_company_page(session, Company(**typed_row))


def _checked(session: Session, company: Company, typed: OwnCompanyForm, *, is_stale: bool = False) -> dict[str, Any]:
    found = FormCheck()
    columns: dict[str, Any] = {
        "email": found.email("email", typed.email, company.email),
        "phone": found.phone("phone", typed.phone, company.phone),
        "website": found.web("website", typed.website, company.website),
        "address": found.line("address", typed.address),
        "postal_code": found.line("postal_code", typed.postal_code),
        "city": found.line("city", typed.city),
        "description": found.block("description", typed.description),
        "services": found.listing("services", typed.services, company.services),
        "certifications": found.listing("certifications", typed.certifications, company.certifications),
        "logo_url": uploads.check_form_image(
            session, found, "logos", typed.logo_url, company.logo_url, is_stale=is_stale
        ),
    }
    found.raise_errors()
    return columns


def _form(company: Company) -> OwnCompanyForm:
    return OwnCompanyForm(seen=edit_conflicts.version_of_row(company), **_typed(company))


def _typed(company: Company) -> dict[str, str]:
    return format_columns({name: getattr(company, name) for name in LABELS})


def _company(session: Session, actor: Actor, *, lock: bool = False) -> Company | None:
    member = session.get(Member, require_member(actor))
    if member is None or member.company_id is None:
        return None
    return session.get(Company, member.company_id, with_for_update=lock or None)
