"""People who sign in: an administrator of a test's own, and the page where someone arrives."""

import re
from datetime import UTC, datetime, timedelta
from urllib.parse import urlsplit

from playwright.sync_api import Page
from sqlalchemy import update
from sqlmodel import col

from clubapp.database import transaction
from clubapp.models import UserSession
from tests.e2e.invitation_steps import database_of
from tests.e2e.site import Site, link_in
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


def mailed_link(site: Site, email: str) -> str:
    """The link of the newest sign-in mail."""
    return link_in(site.wait_for_mail(email, "sign_in"), "/auth/callback")


def mailed_code(site: Site, email: str) -> str:
    """The six digits of the newest sign-in mail."""
    body = site.wait_for_mail(email, "sign_in").get_body(("plain",))
    assert body is not None
    found = re.search(r"^\s*(\d{6})\s*$", body.get_content(), re.MULTILINE)
    assert found
    return found[1]


def set_end(site: Site, email: str, left: timedelta) -> None:
    """Let the sessions of an address end that much later than now."""
    mine = update(UserSession).where(col(UserSession.email) == email)
    with database_of(site), transaction() as session:
        session.execute(mine.values(expires_at=datetime.now(UTC) + left))
