"""The calendar and the upcoming list."""

import re
from datetime import date
from typing import Any, ClassVar

import reflex as rx

from clubapp import clock
from clubapp.services.events import admin_views, season_list
from clubapp.services.events.admin_views import UPCOMING, CalendarItem, EventRow
from clubapp.services.events.season_list import Season
from clubapp.web.security.current_actor import actor
from clubapp.web.security.guard import Access
from clubapp.web.service_calls import read, read_shared
from clubapp.web.states.loading import Loading

# The months read are around a middle month, which only changes when the shown date is further away than this.
_STEADY_MONTHS = 6
_MOST_UPCOMING = 1200
SEASON = "saison"  # in the address: '2026-2027', instead of that of the calendar


class CalendarState(Loading, rx.State):
    """The events around the date in the address, those of its season, and the first upcoming ones."""

    ACCESS: ClassVar[Access] = Access.ADMIN

    entries: list[CalendarItem] = []
    upcoming: list[EventRow] = []
    season: Season = Season()
    has_more: bool = False
    today: str = ""
    is_sending: bool = False
    _middle: str = ""
    _most: int = UPCOMING

    @rx.event
    async def follow(self) -> None:
        """Read again: other people's changes, and the progress of mailings."""
        if self.is_loaded:
            await self._read(read_shared)

    @rx.event
    async def show_more(self) -> None:
        """Show more upcoming events."""
        self._most = min(self._most + UPCOMING, _MOST_UPCOMING)
        await self.load()

    async def _read(self, ask: Any = read) -> None:
        today = clock.to_form(clock.now())
        shown = _day(self.router.url.query_parameters.get("date", ""))
        self._middle = _middle(self._middle, shown or today)
        entries = list(await ask(admin_views.list_calendar, actor(), self._middle))
        coming = await ask(admin_views.list_upcoming_events, actor(), self._most)
        chosen = re.fullmatch(r"(20[0-9]{2})-20[0-9]{2}", self.router.url.query_parameters.get(SEASON, ""))
        season = await ask(season_list.list_season, actor(), f"{chosen[1]}-12-01" if chosen else shown)
        rows = list(coming.rows)
        if entries != self.entries:
            self.entries = entries
        if season != self.season:
            self.season = season
        if rows != self.upcoming:
            self.upcoming = rows
        if today[:10] != self.today[:10]:
            self.today = today
        self.has_more = coming.has_more
        self.is_sending = any(row.is_sending for row in rows)


def _day(text: str) -> str:
    """The day in the address, or an empty text if it is invalid."""
    try:
        return date.fromisoformat(text).isoformat() if re.fullmatch(r"20\d\d-\d\d-\d\d", text) else ""
    except ValueError:
        return ""


def _middle(before: str, day: str) -> str:
    """The middle month of what is read: unchanged unless the day is far from it."""
    is_near = before and abs(_months(day) - _months(before)) <= _STEADY_MONTHS
    return before if is_near else day[:7]


def _months(day: str) -> int:
    return int(day[:4]) * 12 + int(day[5:7])
