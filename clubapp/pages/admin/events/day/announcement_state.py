"""Telling the caterer and the host of an event its numbers."""

from collections.abc import AsyncIterator
from typing import Any, ClassVar

import reflex as rx

from clubapp.pages.admin.events.detail_state import EventDetailState
from clubapp.refusals import Refusal
from clubapp.services.events import announcement
from clubapp.web.security.current_actor import actor
from clubapp.web.security.guard import Access
from clubapp.web.service_calls import write

NOT_SENT = "Les nombres n’ont pas été envoyés"


class AnnouncementState(rx.State):
    """The press of the open event."""

    ACCESS: ClassVar[Access] = Access.ADMIN
    HANDLER_ACCESS: ClassVar[dict[str, Access]] = {"send": Access.ADMIN_FRESH}

    is_busy: bool = False

    @rx.event
    async def send(self, event_id: str) -> AsyncIterator[Any]:
        """Freeze the numbers and send them, or what has changed of them; a second press at once finds none to send."""
        detail = await self.get_state(EventDetailState)
        if self.is_busy or not detail.detail.announcement.label:
            return
        person, self.is_busy = actor(), True
        yield
        try:
            told = await write(announcement.announce, person, str(event_id))
            await detail._read(str(event_id))
        except Refusal as refusal:
            await detail._fail(NOT_SENT, refusal.text)
        else:
            await detail._succeed(told)
        finally:
            self.is_busy = False
