"""Creation, change and deletion of companies by administrators."""

from typing import Any

from sqlmodel import Session, select

from clubapp import clock
from clubapp.models import Company, Member
from clubapp.refusals import NotFound
from clubapp.services.base import audit, edit_conflicts
from clubapp.services.base.actors import Actor, require_admin
from clubapp.services.base.form_fields import NOTHING, FormCheck
from clubapp.services.companies.admin_form import LABELS, CompanyForm, build_columns, fill_form, format_form
from clubapp.services.images import uploads

GONE = "Cette entreprise n’existe plus\u00a0: elle a été supprimée entre-temps."


def open_form(session: Session, actor: Actor, company_id: str) -> CompanyForm:
    """The form of a company.

    Raises:
        NotFound: when it was deleted.
    """
    require_admin(actor)
    company = _find(session, company_id)
    return fill_form(company, edit_conflicts.version_of_row(company))


def save(session: Session, actor: Actor, typed: CompanyForm, optional: frozenset[str] = frozenset()) -> str:
    """Create the company, or update the one whose id the form holds. Saving an unchanged form changes nothing.
    The fields of `optional` may be empty.

    The copies of its name in members are updated, and so is the activity domain of members who had the company's.

    Returns:
        The company's id.

    Raises:
        InvalidForm: when fields are wrong.
        RecordChanged: when someone saved the company since the form was opened, and something differs.
        NotFound: when it was deleted.
    """
    require_admin(actor)
    company = _find(session, typed.id, lock=True) if typed.id else _fresh()
    is_stale = bool(typed.id) and typed.seen != edit_conflicts.version_of_row(company)
    wanted = _checked(session, typed, company, optional, is_stale=is_stale)
    if is_stale:
        _refuse_stale(session, actor, company, wanted)
    changed = {name: value for name, value in wanted.items() if getattr(company, name) != value}
    if typed.id and not changed:
        return company.id
    columns, logo = audit.read_columns(company if typed.id else None), company.logo_url
    if typed.id:
        _update_members(session, company, changed)
    for name, value in changed.items():
        setattr(company, name, value)
    company.updated_at = clock.now()
    session.add(company)
    session.flush()
    uploads.remove_replaced_logo(session, logo)
    changes = audit.compare(columns, audit.read_columns(company))
    audit.record(session, actor, f"company.{'updated' if typed.id else 'created'}", company.id, changes=changes)
    return company.id


def delete(session: Session, actor: Actor, company_id: str) -> None:
    """Delete a company with its logo. Its members stay, and so does its name on their pages.

    Raises:
        NotFound: when it was already deleted.
    """
    require_admin(actor)
    company = _find(session, company_id, lock=True)
    session.delete(company)
    uploads.remove_replaced_logo(session, company.logo_url)
    audit.record(session, actor, "company.deleted", company_id, name=company.name)


def _find(session: Session, company_id: str, *, lock: bool = False) -> Company:
    company = session.get(Company, company_id, with_for_update=lock or None)
    if company is None:
        raise NotFound(GONE)
    return company


def _fresh() -> Company:
    return Company(name="", created_at=clock.now(), updated_at=clock.now())


def _checked(
    session: Session, typed: CompanyForm, company: Company, optional: frozenset[str], *, is_stale: bool
) -> dict[str, Any]:
    found = FormCheck(optional=optional)
    wanted = build_columns(found, typed, company)
    uploads.check_form_image(session, found, "logos", wanted["logo_url"], company.logo_url, is_stale=is_stale)
    found.raise_errors()
    return wanted


def _refuse_stale(session: Session, actor: Actor, company: Company, wanted: dict[str, Any]) -> None:
    edit_conflicts.refuse_changed_record(
        session,
        actor,
        company,
        theirs=format_form({name: getattr(company, name) for name in LABELS}),
        mine=format_form({name: wanted[name] for name in LABELS}),
        labels=LABELS,
        words=lambda _, value: "" if value == NOTHING else value,
    )


def _update_members(session: Session, company: Company, changed: dict[str, Any]) -> None:
    for member in session.exec(select(Member).where(Member.company_id == company.id).with_for_update()):
        if "name" in changed:
            member.company = changed["name"]
        if "activity_domain" in changed and member.activity_domain == company.activity_domain:
            member.activity_domain = changed["activity_domain"]
        if member in session.dirty:
            member.updated_at = clock.now()
