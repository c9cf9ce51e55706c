"""The mails of the events to come, and the last broadcasts."""

from typing import ClassVar

import reflex as rx

from clubapp.services.mailings import overview
from clubapp.services.mailings.overview import Mailings
from clubapp.web.security.current_actor import actor
from clubapp.web.security.guard import Access
from clubapp.web.service_calls import read
from clubapp.web.states.loading import Loading


class EmailsState(Loading, rx.State):
    """Read when the screen opens, after every change, and while a broadcast is on its way."""

    ACCESS: ClassVar[Access] = Access.ADMIN

    mailings: Mailings = Mailings()

    async def _read(self) -> None:
        found = await read(overview.read_mailings, actor())
        if found != self.mailings:  # only what changed is sent
            self.mailings = found
