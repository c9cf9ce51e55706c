"""The mails of the events to come, and the last broadcasts."""

from typing import ClassVar

import reflex as rx

from clubapp.services import mailings
from clubapp.services.mailings import Mailings
from clubapp.web.guard import Access
from clubapp.web.session import actor
from clubapp.web.work import read


class EmailsState(rx.State):
    """Read when the screen opens."""

    ACCESS: ClassVar[Access] = Access.ADMIN

    mailings: Mailings = Mailings()
    is_loaded: bool = False

    @rx.event
    async def load(self) -> None:
        """Read again."""
        self.mailings = await read(mailings.overview, actor())
        self.is_loaded = True
