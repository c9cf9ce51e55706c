"""Which dialog of the page is open."""

from typing import ClassVar

import reflex as rx

from clubapp.web.security.guard import Access

DIALOGS = ("dialog", "question", "danger")


class KitState(rx.State):
    """Holds nothing of anybody."""

    ACCESS: ClassVar[Access] = Access.EVERYONE

    shown: str = ""

    @rx.event
    def show(self, name: str) -> None:
        """Open a dialog."""
        self.shown = name if name in DIALOGS else ""

    @rx.event
    def close(self) -> None:
        """Close it."""
        self.shown = ""
