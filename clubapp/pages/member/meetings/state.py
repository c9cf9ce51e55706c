"""The member's home."""

from typing import ClassVar

import reflex as rx

from clubapp.services.members import home
from clubapp.services.members.home import Home
from clubapp.web.security.current_actor import actor
from clubapp.web.security.guard import Access
from clubapp.web.service_calls import read
from clubapp.web.states.loading import Loading


class OwnMeetingsState(Loading, rx.State):
    """The next event with who comes, the past ones, and what the profile lacks."""

    ACCESS: ClassVar[Access] = Access.MEMBER

    home: Home = Home()

    async def _read(self) -> None:
        self.home = await read(home.read_home, actor())
