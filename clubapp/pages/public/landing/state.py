"""What the landing page shows of this club's settings, and its next event."""

from typing import ClassVar

import reflex as rx

from clubapp.services.events import next_event
from clubapp.services.events.next_event import NextEvent
from clubapp.services.public_site.club_presentation import Presentation, presentation
from clubapp.web.screens.toasts import log_unexpected
from clubapp.web.security.guard import Access
from clubapp.web.service_calls import read


class LandingState(rx.State):
    """Empty while the front end is compiled: nothing of one club is baked in."""

    ACCESS: ClassVar[Access] = Access.EVERYONE

    club: Presentation = Presentation()
    event: NextEvent = NextEvent()

    @rx.event
    async def load(self) -> None:
        """Read the settings and the next event; without the database the rest of the page is there all the same."""
        try:
            self.event = await read(next_event.announced)
        except Exception as error:  # the page stands without it
            log_unexpected(error)
        self.club = presentation()
