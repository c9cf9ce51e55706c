"""Members made in a site's own database for one test, so that tests share a site without meeting."""

from collections.abc import Callable
from itertools import count
from typing import Any

from playwright.sync_api import Page
from sqlmodel import Session

from clubapp.database import reading, transaction
from clubapp.models import Company, Member
from tests.e2e.conftest import sign_in
from tests.e2e.invitation_steps import database_of
from tests.e2e.site import Site
from tests.factories import add_company, add_member

_numbers = count(1)


def employed(site: Site, name: str = "Jeanne Delcroix", **given: Any) -> Member:
    """A member with a company of their own."""
    with database_of(site), transaction() as session:
        company = add_company(session, f"Maison {next(_numbers)}", description="Nous bâtissons.", services=["Toits"])
        return _member(session, name, company=company.name, company_id=company.id, **given)


def alone(site: Site, name: str = "Rosalie Vandamme", **given: Any) -> Member:
    """A member without a company."""
    with database_of(site), transaction() as session:
        return _member(session, name, **given)


def as_member(page: Page, site: Site, member: Member, user_agent: str = "") -> Page:
    """Let a browser be signed in; the member stands on their profile."""
    sign_in(page, site, str(member.email), "/member", user_agent)
    page.get_by_role("button", name="Enregistrer").wait_for()
    return page


def stored(site: Site, member: Member) -> Member:
    """The member as the database has them now."""
    return _read(site, lambda session: session.get(Member, member.id))


def company_of(site: Site, member: Member) -> Company:
    """Their company, likewise."""
    return _read(site, lambda session: session.get(Company, member.company_id))


def _read(site: Site, look: Callable[[Session], Any]) -> Any:
    with database_of(site), reading() as session:
        found = look(session)
    assert found
    return found


def _member(session: Session, name: str, **given: Any) -> Member:
    given.setdefault("email", f"membre-{next(_numbers)}@espace.example")
    given = {"role": "Gérante", "description": "Je construis.", "expertise": ["Charpente", "Zinc"]} | given
    return add_member(session, name, activity_domain="Bâtiment & Travaux", **given)
