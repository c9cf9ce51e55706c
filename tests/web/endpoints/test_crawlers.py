"""Search engines, security researchers and browsers find what their standards promise."""

from collections.abc import Callable
from datetime import datetime
from urllib.robotparser import RobotFileParser
from xml.etree import ElementTree

import pytest
from starlette.routing import Router
from starlette.testclient import TestClient

from clubapp.database import transaction
from clubapp.web.endpoints import crawlers
from tests.conftest import forget_settings
from tests.factories import add_company, add_member

client = TestClient(Router(crawlers.routes()))
NAMES = {"s": "http://www.sitemaps.org/schemas/sitemap/0.9"}
OURS = "http://localhost:3000"


def _pages() -> dict[str, str | None]:
    answer = client.get("/sitemap.xml")
    assert answer.headers["content-type"] == "application/xml; charset=utf-8"
    root = ElementTree.fromstring(answer.content)
    entries = root.findall("s:url", NAMES)
    return {str(one.findtext("s:loc", None, NAMES)): one.findtext("s:lastmod", None, NAMES) for one in entries}


def test_the_sitemap_lists_every_public_page_and_when_it_changed(club: str, at: Callable[[str], datetime]) -> None:
    at("2026-01-05T10:00")
    with transaction() as session:
        home = add_company(session).id
        alone = add_company(session, name="Seule").id
        add_member(session, name="Parti", email=None, is_active=False, company_id=alone)
        at("2026-02-05T10:00")
        someone = add_member(session, company_id=home).id
    february, january = "2026-02-05T10:00:00+00:00", "2026-01-05T10:00:00+00:00"
    assert _pages() == {
        f"{OURS}/": None,
        f"{OURS}/membres": february,
        f"{OURS}/membres/{someone}": february,
        f"{OURS}/entreprises/{home}": february,
        f"{OURS}/entreprises/{alone}": january,
        f"{OURS}/mentions-legales": None,
        f"{OURS}/confidentialite": None,
    }


def test_the_sitemap_of_an_empty_club_is_still_one(club: str) -> None:
    assert _pages()[f"{OURS}/membres"] is None


def test_robots_stay_out_of_what_is_private(environment: pytest.MonkeyPatch) -> None:
    answer = client.get("/robots.txt")
    assert answer.headers["content-type"].startswith("text/plain")
    rules = RobotFileParser()
    rules.parse(answer.text.splitlines())
    assert rules.site_maps() == [f"{OURS}/sitemap.xml"]
    for path in ("/", "/membres", "/membres/abc", "/entreprises/abc", "/partage/club.png", "/assets/app.js"):
        assert rules.can_fetch("*", path)
    for path in ("/admin", "/admin/events", "/member", "/event/abc?token=x", "/auth/callback", "/boite-locale"):
        assert not rules.can_fetch("*", path)


def test_security_txt_never_expires_and_never_promises_a_year(
    environment: pytest.MonkeyPatch, at: Callable[[str], datetime]
) -> None:
    environment.setenv("CLUB_CONTACT_EMAIL", "bonjour@club.example")
    environment.setenv("CLUB_PUBLIC_URL", "https://club.example")
    forget_settings()
    now = at("2026-11-20T10:00")
    answer = client.get("/.well-known/security.txt")
    fields = dict(line.split(": ", 1) for line in answer.text.splitlines())
    assert fields["Contact"] == "mailto:bonjour@club.example"
    assert fields["Preferred-Languages"] == "fr"
    assert fields["Canonical"] == "https://club.example/.well-known/security.txt"
    assert 30 < (datetime.fromisoformat(fields["Expires"]) - now).days < 365
    assert answer.headers["content-type"] == "text/plain; charset=utf-8"


def test_the_manifest_has_the_clubs_name(environment: pytest.MonkeyPatch) -> None:
    environment.setenv("CLUB_NAME", 'Réseau "Escaut"')
    forget_settings()
    answer = client.get("/site.webmanifest")
    assert answer.headers["content-type"] == "application/manifest+json"
    assert answer.json()["name"] == 'Réseau "Escaut"'
    assert {icon["sizes"] for icon in answer.json()["icons"]} == {"any", "192x192", "512x512"}
