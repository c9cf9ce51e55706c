"""The club's identity, read from the settings when a page is served, so that one build serves any club."""

from typing import ClassVar

import reflex as rx

from clubapp.services.public_site.club_presentation import Presentation, build_presentation
from clubapp.web.security.guard import Access


class ClubState(rx.State):
    """The club of this installation. Empty while the front end is compiled: a build holds nothing of one club."""

    ACCESS: ClassVar[Access] = Access.EVERYONE

    @rx.var(initial_value=Presentation(), auto_deps=False)
    def club(self) -> Presentation:
        """The club, as the settings describe it."""
        return build_presentation()
