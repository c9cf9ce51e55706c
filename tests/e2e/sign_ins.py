"""People who sign in: an administrator of a test's own, and the page where someone arrives."""

from urllib.parse import urlsplit

from playwright.sync_api import Page

from tests.e2e.site import Site


def admin(site: Site, name: str) -> str:
    """An administrator of this test's own."""
    email = f"{name}@beffroi.example"
    site.command("admin", "add", email)
    return email


def expect_path(page: Page, path: str) -> None:
    """Be on a path, whatever follows it."""
    page.wait_for_url(lambda url: urlsplit(url).path.rstrip("/") == path)
