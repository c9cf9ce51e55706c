"""What the landing page shows of the next event."""

from typing import ClassVar

import reflex as rx

from clubapp.services.events import next_event
from clubapp.services.events.next_event import NextEvent
from clubapp.web.screens.toasts import log_unexpected
from clubapp.web.security.guard import Access
from clubapp.web.service_calls import read


class LandingState(rx.State):
    """`is_loaded` holds once the event was looked for."""

    ACCESS: ClassVar[Access] = Access.EVERYONE

    event: NextEvent = NextEvent()
    is_loaded: bool = False

    @rx.event
    async def load(self) -> None:
        """Read the next event; without the database the rest of the page is there all the same."""
        try:
            self.event = await read(next_event.find_next_event)
        except Exception as error:  # the page stands without it
            log_unexpected(error)
        self.is_loaded = True
