"""What the landing page shows of this club's settings."""

from typing import ClassVar

import reflex as rx

from clubapp.services.club import Presentation, presentation
from clubapp.web.guard import Access


class LandingState(rx.State):
    """Empty while the front end is compiled: nothing of one club is baked in."""

    ACCESS: ClassVar[Access] = Access.EVERYONE

    club: Presentation = Presentation()

    @rx.event
    def load(self) -> None:
        """Read the settings."""
        self.club = presentation()
