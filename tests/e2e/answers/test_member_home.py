"""'Mes rencontres': a member sees the next event and who comes, and goes on to the answer or to the profile."""

import re
from collections.abc import Callable

from playwright.sync_api import BrowserContext, expect

from clubapp.services.demo import MEMBER_EMAIL
from tests.e2e.conftest import sign_in
from tests.e2e.invitation_steps import fits, has_no_barrier
from tests.e2e.site import Site


def test_home_shows_the_next_event_and_leads_to_its_answer(
    site: Site, new_context: Callable[..., BrowserContext]
) -> None:
    page = new_context(site, viewport={"width": 320, "height": 700}).new_page()
    sign_in(page, site, MEMBER_EMAIL, "/member/rencontres")
    expect(page.get_by_role("heading", level=1, name="Mes rencontres")).to_be_visible()
    expect(page.get_by_role("heading", level=2, name="Rencontres passées")).to_be_visible()
    coming = page.get_by_role("region", name="Prochaine rencontre")
    title = coming.get_by_role("heading", level=2).inner_text()
    expect(page.get_by_role("heading", level=2, name="Qui vient")).to_be_visible()
    has_no_barrier(page)
    fits(page)
    coming.get_by_role("link", name=re.compile("Répondre|Changer ma réponse")).click()
    expect(page.get_by_role("heading", level=1, name="Mes invitations")).to_be_visible()
    expect(page.get_by_role("heading", level=2, name=title).first).to_be_visible()
