"""An open screen while the database is away, and after it (R7); what a tab keeps of a session that has ended (S9)."""

import os
from collections.abc import Callable
from pathlib import Path

from sqlalchemy import text
from sqlmodel import Session

from clubapp.database import make_engine
from clubapp.services import demo, sessions
from tests.e2e.site import Site
from tests.web.tab import Tab

EVENTS = "reflex___state____state.clubapp___pages___admin___events___"
CALENDAR = f"{EVENTS}state____calendar_state"
MEMBERS = "reflex___state____state.clubapp___pages___admin___members___state____members_state"
TOASTS = "reflex___state____state.clubapp___web___feedback____toast_state"


def admin_cookie(site: Site) -> str:
    with Session(make_engine(f"sqlite:///{site.data_dir / 'club.sqlite3'}")) as session, session.begin():
        return f"session={sessions.open(session, demo.ADMIN_EMAIL)[0]}"


def move(folder: Path, to: Path) -> None:
    to.mkdir(exist_ok=True)
    for each in folder.glob("club.sqlite3*"):
        os.replace(each, to / each.name)


def test_an_open_screen_says_what_is_wrong_once_and_works_again(own_site: Callable[..., Site], tmp_path: Path) -> None:
    site = own_site()
    with Tab(site.url, cookie=admin_cookie(site), path="/admin/events") as tab:
        tab.hydrate()
        move(site.data_dir, tmp_path / "away")
        tab.send(f"{CALENDAR}.load")
        told = tab.receive(5)
        assert told is not None
        assert "Une erreur inattendue" in str(told["delta"][TOASTS])
        assert tab.receive(1) is None
        move(tmp_path / "away", site.data_dir)
        tab.send(f"{CALENDAR}.load")
        shown = tab.receive(5)
        assert shown is not None
        assert shown["delta"][CALENDAR]["entries_rx_state_"]


def test_a_tab_forgets_everything_when_its_session_has_ended(own_site: Callable[..., Site]) -> None:
    site = own_site()
    with Tab(site.url, cookie=admin_cookie(site), path="/admin") as tab:
        empty = tab.hydrate()["delta"][MEMBERS]
        tab.call(f"{MEMBERS}.load")
        assert tab.hydrate()["delta"][MEMBERS] != empty
        with make_engine(f"sqlite:///{site.data_dir / 'club.sqlite3'}").begin() as connection:
            connection.execute(text("UPDATE sessions SET ended_at = '2026-01-01 00:00:00'"))
        assert tab.hydrate()["delta"][MEMBERS] == empty
        assert tab.is_closed_within(5)
