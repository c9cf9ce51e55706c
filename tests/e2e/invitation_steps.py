"""Invitations made in a site's own database, and what their page is asked in every test."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from typing import Any

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page, TimeoutError, expect
from sqlmodel import select

from clubapp import clock
from clubapp.database import reading, transaction
from clubapp.models import EventReservation, EventSpeaker, Member
from clubapp.services.demo import MEMBER_EMAIL
from tests.conftest import forget_settings
from tests.e2e.site import Site
from tests.factories import add_event, add_reservation

# Axe looks at the dialog on top, which alone can be reached while it is open, or at the whole page.
# What it finds right is not described: that takes half the time.
_SCAN = """async (enabled) => {
    const scope = [...document.querySelectorAll(":modal")].at(-1) ?? document;
    const found = await axe.run(scope, { resultTypes: ["violations"], rules: { "color-contrast": { enabled } } });
    const told = ({ id, nodes }) => [id, ...nodes.map((node) => `${node.html} ${node.failureSummary}`)];
    return found.violations.map(told);
}"""
# A dialog has come in, an answer has faded out. What turns for as long as one waits is left out.
AT_REST = """() => document.getAnimations().every((each) =>
    each.playState !== "running" || each.effect?.getComputedTiming().iterations === Infinity)"""

_past_years, _coming_years = count(1960), count(2100)


@dataclass(frozen=True)
class Invitation:
    """What Marie holds, and what the database knows of it."""

    site: Site
    event_id: str
    reservation_id: str
    token: str

    @property
    def path(self) -> str:
        return f"/event/{self.event_id}?token={self.token}"

    @property
    def answer(self) -> tuple[bool | None, bool | None, int]:
        """Will attend, with lunch, guests."""
        row = self.row
        return row.will_attend, row.with_lunch, row.guest_count

    @property
    def row(self) -> EventReservation:
        with database_of(self.site), reading() as session:
            return session.exec(select(EventReservation).where(EventReservation.id == self.reservation_id)).one()


@contextmanager
def database_of(site: Site) -> Iterator[None]:
    """Read and write the site's own database from here."""
    with pytest.MonkeyPatch.context() as patch:
        for name, value in site.variables().items():
            patch.setenv(name, value)
        forget_settings()
        yield
        forget_settings()


def invite(site: Site, *, past: bool = False, coming: int = 0, **event: Any) -> Invitation:
    """Invite Marie Durand to an event in a month of its own, far ahead or long gone; some others come already."""
    year = next(_past_years if past else _coming_years)
    event.setdefault("title", "Matinale d'hiver à l'Hôtel Élan")
    event.setdefault("status", "confirmed")
    event.setdefault("max_participants", 14)
    with database_of(site), transaction() as session:
        event.setdefault("date", clock.from_local(f"{year}-01-14T12:00"))
        event.setdefault("description", "Accueil café.")
        made = add_event(session, address="3 place d'Armes", **event)
        session.add(EventSpeaker(event_id=made.id, name="Zoé Lefèbvre", company="Atelier Lefèbvre"))
        marie = session.exec(select(Member).where(Member.email == MEMBER_EMAIL)).one()
        for other in session.exec(select(Member).where(Member.id != marie.id).limit(coming)):
            add_reservation(session, made, other, will_attend=True, with_lunch=True)
        reservation, token = add_reservation(session, made, marie)
        return Invitation(site, made.id, reservation.id, token)


# The innermost ones that reach beyond the screen.
_SHOW_WIDE = """() => [...document.querySelectorAll("body *")]
    .filter((node) => node.getBoundingClientRect().right > document.documentElement.clientWidth + 1)
    .filter((node, _at, all) => ![...node.children].some((child) => all.includes(child))).slice(0, 5)
    .map((node) => `<${node.localName} ${node.className}> ${node.textContent.slice(0, 60)}`)"""


def press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


def asked(page: Page, question: str) -> None:
    expect(page.get_by_role("heading", level=2, name=question)).to_be_visible()


def fits(page: Page) -> None:
    """Nothing is cut off, and nothing asks to scroll sideways."""
    try:
        page.wait_for_function("() => document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    except TimeoutError:
        pytest.fail(f"{page.url} is wider than the screen: {page.evaluate(_SHOW_WIDE)}")
    for tabs in page.locator(".tab-list").all():
        assert tabs.evaluate("(list) => list.scrollWidth - list.clientWidth") <= 0


def has_no_barrier(page: Page, *, with_contrast: bool = True) -> None:
    """Axe finds nothing wrong with the dialog on top, or with the page when none is open.

    Three quarters of its time go into contrasts, which are the same at every width.
    """
    page.wait_for_function(AT_REST)
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    found = page.evaluate(_SCAN, with_contrast)
    assert not found, f"{page.url}\n{found}"


def shuts_nobody_out(page: Page) -> None:
    """On a small phone and on a desk, nothing is cut off and axe finds nothing wrong (A1)."""
    size = page.viewport_size
    assert size
    for width in (320, 1280):
        page.set_viewport_size({"width": width, "height": size["height"]})
        fits(page)
        has_no_barrier(page, with_contrast=width == 1280)
    page.set_viewport_size(size)
