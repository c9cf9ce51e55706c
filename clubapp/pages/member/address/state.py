"""Confirming a new e-mail address. The token is not stored in the state."""

from typing import ClassVar

import reflex as rx

from clubapp.refusals import Refusal
from clubapp.services.access import email_change
from clubapp.text.email_addresses import mask_address
from clubapp.web.security.guard import Access
from clubapp.web.service_calls import write


class NewAddressState(rx.State):
    """`step` is 'ask', 'done' or 'failed'."""

    ACCESS: ClassVar[Access] = Access.EVERYONE

    step: str = "ask"
    email: str = ""
    reason: str = ""

    @rx.event
    def begin(self) -> None:
        """The page is opened; opening it confirms nothing (S4)."""
        self.reset()

    @rx.event
    async def confirm(self, token: str) -> None:
        """Make the new address the one of the member, and close the sessions opened with the old one."""
        try:
            self.email = mask_address(await write(email_change.confirm_change, token))
        except Refusal as refusal:
            self.step, self.reason = "failed", refusal.text
        else:
            self.step = "done"
