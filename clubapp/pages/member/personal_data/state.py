"""The member's request to be erased."""

from typing import ClassVar

import reflex as rx

from clubapp.services.privacy import erasure
from clubapp.web.screens.toasts import toast_success
from clubapp.web.security.current_actor import actor
from clubapp.web.security.guard import Access
from clubapp.web.service_calls import read, write

SENT = "Votre demande est partie. Le club vous répondra sous un mois."


class PersonalDataState(rx.State):
    """When the erasure was requested, and whether the question before it is open."""

    ACCESS: ClassVar[Access] = Access.MEMBER

    asked_on: str = ""
    is_asking: bool = False

    @rx.event
    async def load(self) -> None:
        """Read whether an erasure was requested."""
        self.asked_on = await read(erasure.erasure_requested_on, actor())

    @rx.event
    def question(self) -> None:
        """Open the question."""
        self.is_asking = True

    @rx.event
    def stay(self) -> None:
        """Close the question."""
        self.is_asking = False

    @rx.event
    async def ask(self) -> None:
        """Request the erasure; does nothing unless the question is open."""
        if not self.is_asking:
            return
        self.is_asking = False
        await write(erasure.request_erasure, actor())
        self.asked_on = await read(erasure.erasure_requested_on, actor())
        await toast_success(self, SENT)
