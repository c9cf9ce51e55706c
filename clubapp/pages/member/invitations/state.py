"""The member's own invitations, and answering them."""

from typing import ClassVar

import reflex as rx

from clubapp.services.answers import signed_in
from clubapp.services.answers.signed_in import Invitations
from clubapp.ui.records.own_answer_state import OwnAnswers
from clubapp.web.security.current_actor import actor
from clubapp.web.security.guard import Access
from clubapp.web.service_calls import read


class InvitationsState(OwnAnswers, rx.State):
    """The invitations of the member."""

    ACCESS: ClassVar[Access] = Access.MEMBER

    shown: Invitations = Invitations()

    @rx.event
    async def follow(self) -> None:
        """Read again; places, offers and the event may have changed."""
        if self.is_loaded and (now := await read(signed_in.list_invitations, actor())) != self._plain():
            self.shown = now

    async def _read(self) -> None:
        self.saving = ""
        self.shown = await read(signed_in.list_invitations, actor())

    def _plain(self) -> Invitations:
        return getattr(self.shown, "__wrapped__", self.shown)
