"""What the landing page shows of the next event."""

from typing import ClassVar

import reflex as rx

from clubapp.services.events import next_event
from clubapp.services.events.next_event import NextEvent
from clubapp.web.screens.toasts import log_unexpected
from clubapp.web.security.guard import Access
from clubapp.web.service_calls import read


class LandingState(rx.State):
    """The next event, if any. `is_loaded` is true once it was read."""

    ACCESS: ClassVar[Access] = Access.EVERYONE

    event: NextEvent = NextEvent()
    is_loaded: bool = False

    @rx.event
    async def load(self) -> None:
        """Read the next event; the page is shown without it when the database is away."""
        try:
            self.event = await read(next_event.find_next_event)
        except Exception as error:  # the page is shown without it
            log_unexpected(error)
        self.is_loaded = True
