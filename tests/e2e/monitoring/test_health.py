"""The Santé screen in front of a fault, its mending and an outage; the log and the figures beside it (W11)."""

import json
import re
import urllib.request
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, expect

from clubapp.services.demo import ADMIN_EMAIL
from tests.e2e.conftest import sign_in
from tests.e2e.invitation_steps import has_no_barrier
from tests.e2e.site import EMBEDDED, Site
from tests.servers import free_port
from tests.smtp_server import running_relay


def logged(site: Site) -> list[dict[str, Any]]:
    """Every line of the log; what is no JSON fails the test."""
    return [json.loads(line) for line in site.log.read_text().splitlines() if line]


@pytest.mark.console_errors("503")
def test_a_fault_is_told_with_its_mend_and_goes_when_it_is_mended(
    own_site: Callable[..., Site], new_context: Callable[..., BrowserContext]
) -> None:
    port = free_port()
    site = own_site(**EMBEDDED, CLUB_SMTP_URL=f"smtp://127.0.0.1:{port}", CLUB_LOG_FORMAT="json")
    page = new_context(site, viewport={"width": 1280, "height": 900}).new_page()
    sign_in(page, site, ADMIN_EMAIL, "/admin/sante")
    fault = page.locator("[data-health=ill]")
    expect(page.get_by_text("1 panne")).to_be_visible()
    expect(fault).to_contain_text("Envoi des e-mails")
    expect(fault).to_contain_text(f"127.0.0.1:{port}, connexion\u00a0: rien n’écoute")
    expect(fault).to_contain_text("Que faire\u00a0: Vérifiez CLUB_SMTP_URL.")
    has_no_barrier(page)
    page.set_viewport_size({"width": 320, "height": 800})
    has_no_barrier(page)
    assert page.evaluate("document.documentElement.scrollWidth") == 320

    with running_relay(port):
        page.get_by_role("button", name="Vérifier maintenant").click()
        expect(page.get_by_text("1 point à voir")).to_be_visible()
        expect(page.locator("[data-health=doubtful]")).to_contain_text("Sauvegardes")
    expect(page.get_by_text("Dernier passage à").first).to_be_visible()

    with site.without_database():
        page.get_by_role("button", name="Vérifier maintenant").click()
        told = page.get_by_text("transmettez-nous la référence").first.inner_text()
        (reference,) = re.findall(r"référence ([0-9A-F]{8})", told)
        figures = figures_of(site)
        assert "club_database_up 0.0" in figures
    page.get_by_role("button", name="Vérifier maintenant").click()

    (line,) = [line for line in logged(site) if "does not answer" in line["message"]]
    assert (line["level"], line["reference"]) == ("error", reference), "what is shown names the one line"
    assert f"{HANDLER}.look_again" in figures
    assert 'club_job_failed{job="send-mail"}' in figures


HANDLER = "pages.admin.health.state.HealthState"


def figures_of(site: Site) -> str:
    with urllib.request.urlopen(f"{site.url}/metrics", timeout=10) as answer:
        return answer.read().decode()
