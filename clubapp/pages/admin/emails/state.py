"""The mails of the events to come, and the last broadcasts."""

from typing import ClassVar

import reflex as rx

from clubapp.services import mailings
from clubapp.services.mailings import Mailings
from clubapp.web.guard import Access
from clubapp.web.session import actor
from clubapp.web.work import read


class EmailsState(rx.State):
    """Read when the screen opens, after every change, and while a broadcast is on its way."""

    ACCESS: ClassVar[Access] = Access.ADMIN

    mailings: Mailings = Mailings()
    is_loaded: bool = False
    has_failed: bool = False

    @rx.event
    async def load(self) -> None:
        """Read again; only what changed is sent."""
        try:
            found = await read(mailings.overview, actor())
        except Exception:
            self.has_failed = not self.is_loaded
            raise
        if found != self.mailings:
            self.mailings = found
        self.is_loaded, self.has_failed = True, False
