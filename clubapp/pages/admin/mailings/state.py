"""The mails of upcoming events, and the last broadcasts."""

from typing import ClassVar

import reflex as rx

from clubapp.services.mailings import overview
from clubapp.services.mailings.overview import Mailings
from clubapp.web.security.current_actor import actor
from clubapp.web.security.guard import Access
from clubapp.web.service_calls import read
from clubapp.web.states.loading import Loading


class EmailsState(Loading, rx.State):
    """Read when the screen opens, after every change, and polled while a broadcast is being sent."""

    ACCESS: ClassVar[Access] = Access.ADMIN

    mailings: Mailings = Mailings()

    async def _read(self) -> None:
        mailings = await read(overview.read_mailings, actor())
        if mailings != self.mailings:  # only changes are sent to the browser
            self.mailings = mailings
