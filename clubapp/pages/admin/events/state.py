"""The calendar and the upcoming list."""

from typing import ClassVar

import reflex as rx

from clubapp import clock
from clubapp.services import event_views
from clubapp.services.event_views import CalendarEntry, EventRow
from clubapp.web.guard import Access
from clubapp.web.session import actor
from clubapp.web.work import read


class CalendarState(rx.State):
    """Every event on the calendar, and those to come."""

    ACCESS: ClassVar[Access] = Access.ADMIN

    entries: list[CalendarEntry] = []
    upcoming: list[EventRow] = []
    today: str = ""
    is_loaded: bool = False
    has_failed: bool = False
    is_sending: bool = False

    @rx.event
    async def load(self) -> None:
        """Read everything again."""
        try:
            self.entries = list(await read(event_views.calendar, actor()))
            await self._read_upcoming()
        except Exception:
            self.has_failed = not self.is_loaded
            raise
        self.today = clock.to_form(clock.now())
        self.is_loaded, self.has_failed = True, False

    @rx.event
    async def follow_sending(self) -> None:
        """Read the upcoming list again while mails are on their way."""
        await self._read_upcoming()

    async def _read_upcoming(self) -> None:
        rows = list(await read(event_views.upcoming, actor()))
        if rows != self.upcoming:
            self.upcoming = rows
        self.is_sending = any(row.is_sending for row in rows)
