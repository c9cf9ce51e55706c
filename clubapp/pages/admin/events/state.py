"""The calendar and the upcoming list."""

from typing import Any, ClassVar

import reflex as rx

from clubapp import clock
from clubapp.services import event_views
from clubapp.services.event_views import CalendarEntry, EventRow
from clubapp.web.guard import Access
from clubapp.web.loading import Loading
from clubapp.web.session import actor
from clubapp.web.work import look, read


class CalendarState(Loading, rx.State):
    """Every event on the calendar, and those to come."""

    ACCESS: ClassVar[Access] = Access.ADMIN

    entries: list[CalendarEntry] = []
    upcoming: list[EventRow] = []
    today: str = ""
    is_sending: bool = False

    @rx.event
    async def follow(self) -> None:
        """Keep up with what others do, and with mails on their way."""
        if self.is_loaded:
            await self._read(look)

    async def _read(self, ask: Any = read) -> None:
        entries = list(await ask(event_views.calendar, actor()))
        rows = list(await ask(event_views.upcoming, actor()))
        today = clock.to_form(clock.now())
        if entries != self.entries:
            self.entries = entries
        if rows != self.upcoming:
            self.upcoming = rows
        if today[:10] != self.today[:10]:
            self.today = today
        self.is_sending = any(row.is_sending for row in rows)
