"""The waiting list of the open event."""

from typing import ClassVar

import reflex as rx

from clubapp.refusals import Refusal
from clubapp.services.answers import waiting_list_admin
from clubapp.services.answers.waiting_list_admin import WaitingList
from clubapp.web.screens.toasts import toast_error
from clubapp.web.security.current_actor import actor
from clubapp.web.security.guard import Access
from clubapp.web.service_calls import read, write


class WaitingState(rx.State):
    """Who waits for a place, in order. `said` tells screen readers the result of the last move."""

    ACCESS: ClassVar[Access] = Access.ADMIN

    listed: WaitingList = WaitingList()
    event_id: str = ""
    said: str = ""

    @rx.event
    async def follow(self, event_id: str) -> None:
        """Read the list of an event again."""
        if event_id != self.event_id:
            self.event_id, self.said = event_id, ""
        await self._read()

    @rx.event
    async def move(self, reservation_id: str, up: bool) -> None:
        """Move someone one place up or down."""
        try:
            await write(waiting_list_admin.move, actor(), reservation_id, up)
        except Refusal as refusal:
            await toast_error(self, "Erreur", refusal.text)
        await self._read()
        moved = next((row for row in self.listed.rows if row.reservation_id == reservation_id), None)
        if moved is not None:
            self.said = f"{moved.name}\u00a0: position {moved.position} sur {len(self.listed.rows)}."

    async def _read(self) -> None:
        listed = await read(waiting_list_admin.read_waiting_list, actor(), self.event_id)
        if listed != self.listed:
            self.listed = listed
