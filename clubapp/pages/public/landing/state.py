"""What the landing page reads: the next event, and the animator's picture."""

from typing import ClassVar

import reflex as rx

from clubapp.services.events import next_event
from clubapp.services.events.next_event import NextEvent
from clubapp.services.images import responsive_images
from clubapp.services.images.responsive_images import BUNDLED_PORTRAIT, Picture
from clubapp.web.screens.toasts import log_unexpected
from clubapp.web.security.guard import Access
from clubapp.web.service_calls import read


class LandingState(rx.State):
    """The next event, if any, and the animator's picture. `is_loaded` is true once both were read."""

    ACCESS: ClassVar[Access] = Access.EVERYONE

    event: NextEvent = NextEvent()
    portrait: Picture = BUNDLED_PORTRAIT
    is_loaded: bool = False

    @rx.event
    async def load(self) -> None:
        """Read both; the page is shown without them when the database is away."""
        try:
            self.event = await read(next_event.find_next_event)
            self.portrait = await read(responsive_images.read_animator_portrait)
        except Exception as error:  # the page is shown without it
            log_unexpected(error)
        self.is_loaded = True
