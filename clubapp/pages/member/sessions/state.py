"""A person's own sessions."""

from typing import ClassVar

import reflex as rx

from clubapp.services import own_sessions
from clubapp.services.own_sessions import SignedIn
from clubapp.web.feedback import toast_success
from clubapp.web.guard import Access
from clubapp.web.loading import Loading
from clubapp.web.session import actor
from clubapp.web.work import read, write


class OwnSessionsState(Loading, rx.State):
    """What 'Mes sessions' shows."""

    ACCESS: ClassVar[Access] = Access.SIGNED_IN

    sessions: list[SignedIn] = []

    @rx.event
    async def end(self, session_id: str) -> None:
        """End one of the others."""
        await write(own_sessions.end, actor(), session_id)
        await self.load()
        await toast_success(self, "Session fermée.")

    @rx.event
    async def end_others(self) -> None:
        """End all but this one."""
        await write(own_sessions.end_others, actor())
        await self.load()
        await toast_success(self, "Vos autres sessions sont fermées.")

    async def _read(self) -> None:
        found = list(await read(own_sessions.listing, actor()))
        if found != self.sessions:
            self.sessions = found
