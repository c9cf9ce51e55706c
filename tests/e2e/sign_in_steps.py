"""People who sign in: an administrator of a test's own, and the page where someone arrives."""

from urllib.parse import urlsplit

from playwright.sync_api import Page

from clubapp.database import transaction
from tests.e2e.invitation_steps import database_of
from tests.e2e.site import Site
from tests.factories import add_admin


def admin(site: Site, name: str) -> str:
    """An administrator of this test's own."""
    email = f"{name}@beffroi.example"
    with database_of(site), transaction() as session:
        add_admin(session, email)
    return email


def expect_path(page: Page, path: str) -> None:
    """Be on a path, whatever follows it."""
    page.wait_for_url(lambda url: urlsplit(url).path.rstrip("/") == path, wait_until="commit")
