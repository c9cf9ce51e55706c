"""What the landing page shows of this club's settings, and its next event."""

from typing import ClassVar

import reflex as rx

from clubapp.services import next_event
from clubapp.services.club import Presentation, presentation
from clubapp.services.next_event import NextEvent
from clubapp.web.feedback import log_unexpected
from clubapp.web.guard import Access
from clubapp.web.work import read


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
