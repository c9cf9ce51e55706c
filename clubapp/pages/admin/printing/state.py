"""What one event has on paper, and how its badges are wanted."""

from dataclasses import replace
from typing import Any, ClassVar

import reflex as rx

from clubapp import routes
from clubapp.refusals import NotFound
from clubapp.services.attendance import printouts
from clubapp.services.attendance.badges import BadgeOptions
from clubapp.services.attendance.printouts import Printouts
from clubapp.web.security.current_actor import actor
from clubapp.web.security.guard import Access
from clubapp.web.service_calls import read
from clubapp.web.states.loading import LoadingRecord, Missing

_LONGEST = 10


class PrintingState(LoadingRecord, rx.State):
    """The event in the address. `options` are those of its badges."""

    ACCESS: ClassVar[Access] = Access.ADMIN

    printouts: Printouts = Printouts()
    options: BadgeOptions = BadgeOptions()

    async def _read(self) -> None:
        event_id = routes.record_above(self.router.url.path, routes.ADMIN_EVENTS)
        if not event_id:  # the browser is not there yet, or has left
            return
        self.options, self.missing = BadgeOptions(), Missing()
        await self._read_event(event_id)

    @rx.event
    async def choose_kind(self, kind: str) -> None:
        """Choose the sheet of labels."""
        await self._choose(kind=kind)

    @rx.event
    async def choose_order(self, order: str) -> None:
        """Choose the order."""
        await self._choose(order=order)

    @rx.event
    async def choose_first(self, first: str) -> None:
        """Choose the first label that is not used yet."""
        await self._choose(first=first)

    @rx.event
    async def choose_since(self, since: str) -> None:
        """Choose the day from which on answers count; empty for all."""
        await self._choose(since=since)

    async def _choose(self, **chosen: str) -> None:
        changes: dict[str, Any] = {name: str(value)[:_LONGEST] for name, value in chosen.items()}
        options = replace(self.options, **changes)
        self.options = replace(options, first=str(options.skipped + 1))  # another sheet may have fewer labels
        await self._read_event(self.printouts.event_id)

    async def _read_event(self, event_id: str) -> None:
        try:
            self.printouts = await read(printouts.read_printouts, actor(), event_id, self.options)
        except NotFound as gone:
            self.printouts = Printouts()
            self._miss(event_id, gone)
