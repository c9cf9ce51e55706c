"""The member's home."""

from dataclasses import replace
from typing import ClassVar

import reflex as rx

from clubapp.services.members import home
from clubapp.services.members.home import Home
from clubapp.ui.records.own_answer_state import OwnAnswers
from clubapp.web.security.current_actor import actor
from clubapp.web.security.guard import Access
from clubapp.web.service_calls import read, write


class OwnMeetingsState(OwnAnswers, rx.State):
    """The next event with who comes, the past ones, and what the profile lacks."""

    ACCESS: ClassVar[Access] = Access.MEMBER

    home: Home = Home()

    @rx.event
    async def choose_start(self, opens_here: bool) -> None:
        """Let the next sign-in lead here, or to the profile."""
        await write(home.choose_start_page, actor(), opens_here is True)
        self.home = replace(self.home, opens_here=opens_here is True)

    @rx.event
    async def follow(self) -> None:
        """Read again; the answer may have been given elsewhere."""
        if self.is_loaded and not self.saving:
            self.home = await read(home.read_home, actor())

    async def _read(self) -> None:
        self.saving = ""
        self.home = await read(home.read_home, actor())
