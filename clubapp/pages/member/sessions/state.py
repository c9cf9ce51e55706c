"""A person's own sessions."""

from typing import ClassVar

import reflex as rx

from clubapp.services.access import session_list
from clubapp.services.access.session_list import SessionRow
from clubapp.web.screens.toasts import toast_success
from clubapp.web.security.current_actor import actor
from clubapp.web.security.guard import Access
from clubapp.web.service_calls import read, write
from clubapp.web.states.loading import Loading


class OwnSessionsState(Loading, rx.State):
    """The open sessions of the signed-in person."""

    ACCESS: ClassVar[Access] = Access.SIGNED_IN

    sessions: list[SessionRow] = []

    @rx.event
    async def end(self, session_id: str) -> None:
        """End one of the other sessions."""
        await write(session_list.end_own_session, actor(), session_id)
        await self.load()
        await toast_success(self, "Session fermée.")

    @rx.event
    async def end_others(self) -> None:
        """End all sessions except this one."""
        await write(session_list.end_other_sessions, actor())
        await self.load()
        await toast_success(self, "Vos autres sessions sont fermées.")

    async def _read(self) -> None:
        sessions = list(await read(session_list.list_own_sessions, actor()))
        if sessions != self.sessions:
            self.sessions = sessions
