"""Closing the doors of an event, after one question that shows the numbers; and taking that back."""

from collections.abc import AsyncIterator
from typing import Any, ClassVar

import reflex as rx

from clubapp.pages.admin.events.detail_state import EventDetailState
from clubapp.pages.admin.events.meeting.state import MeetingState
from clubapp.pages.admin.events.state import CalendarState
from clubapp.refusals import Refusal
from clubapp.services.attendance import closing
from clubapp.services.attendance.closing import ClosingPreview
from clubapp.web.security.current_actor import actor
from clubapp.web.security.guard import Access
from clubapp.web.service_calls import read, write

CLOSED = "L’accueil est clos\u00a0: l’événement est terminé."
REOPENED = "L’accueil est rouvert."
NOT_CLOSED = "L’accueil n’a pas été clos"


class ClosingState(rx.State):
    """The event whose doors are about to be closed, while `is_asking`."""

    ACCESS: ClassVar[Access] = Access.ADMIN

    is_asking: bool = False
    is_busy: bool = False
    preview: ClosingPreview = ClosingPreview()

    @rx.event
    async def ask(self, event_id: str) -> None:
        """Ask before closing."""
        self.preview = await read(closing.preview_closing, actor(), str(event_id))
        self.is_asking, self.is_busy = True, False

    @rx.event
    def cancel(self) -> None:
        """Close the question."""
        self.is_asking = False

    @rx.event
    async def close(self) -> AsyncIterator[Any]:
        """Close the doors. A second press does nothing."""
        if not self.is_asking or self.is_busy:
            return
        person, self.is_busy = actor(), True
        yield
        try:
            await self._act(closing.close_doors, person, self.preview.event_id, CLOSED)
        finally:
            self.is_busy = self.is_asking = False
        yield [CalendarState.load, MeetingState.load]

    @rx.event
    async def reopen(self, event_id: str) -> Any:
        """Take the closing back."""
        await self._act(closing.reopen_doors, actor(), str(event_id), REOPENED)
        return [CalendarState.load, MeetingState.load]

    async def _act(self, act: Any, person: Any, event_id: str, done: str) -> None:
        detail = await self.get_state(EventDetailState)
        try:
            await write(act, person, event_id)
            await detail._read(event_id)
        except Refusal as refusal:
            await detail._fail(NOT_CLOSED, refusal.text)
        else:
            await detail._succeed(done)
