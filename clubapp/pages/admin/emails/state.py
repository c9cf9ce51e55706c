"""The mails of the events to come, and the last broadcasts."""

from typing import ClassVar

import reflex as rx

from clubapp.services import mailings
from clubapp.services.mailings import Mailings
from clubapp.web.guard import Access
from clubapp.web.loading import Loading
from clubapp.web.session import actor
from clubapp.web.work import read


class EmailsState(Loading, rx.State):
    """Read when the screen opens, after every change, and while a broadcast is on its way."""

    ACCESS: ClassVar[Access] = Access.ADMIN

    mailings: Mailings = Mailings()

    async def _read(self) -> None:
        found = await read(mailings.overview, actor())
        if found != self.mailings:  # only what changed is sent
            self.mailings = found
