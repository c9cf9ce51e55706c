"""The result of redeeming the sign-in link, as the browser reports it. No token is sent here."""

from typing import ClassVar

import reflex as rx

from clubapp.web.security.guard import Access

STEPS = ("checking", "confirm", "done", "error")


class CallbackState(rx.State):
    """The step the screen shows. It grants nothing: only the response to /auth/redeem sets the cookie."""

    ACCESS: ClassVar[Access] = Access.EVERYONE

    step: str = "checking"
    email: str = ""
    error: str = ""

    @rx.event
    def show(self, step: str, email: str, text: str) -> None:
        """Show a step."""
        self.step = step if step in STEPS else "error"
        self.email, self.error = email[:320], text[:300]
