"""Asking for a sign-in mail."""

from collections.abc import AsyncIterator
from typing import Any, ClassVar

import reflex as rx

from clubapp import routes
from clubapp.refusals import Refusal
from clubapp.services.access import sign_in
from clubapp.web.screens.toasts import ToastState, toast_error, toast_success
from clubapp.web.security.current_actor import actor
from clubapp.web.security.guard import Access
from clubapp.web.service_calls import write

EXPIRED = "expiree"
CODE = "code"


class SignInState(rx.State):
    """The sign-in screen. The nonce only proves that this browser requested the link; it grants nothing (S4).

    `is_known` is true once the reason in the address and the session were read.
    """

    ACCESS: ClassVar[Access] = Access.EVERYONE

    email: str = ""
    error: str = ""
    code: str = ""
    code_error: str = ""
    passkey_error: str = ""
    is_sending: bool = False
    is_sent: bool = False
    has_code: bool = False
    is_expired: bool = False
    is_known: bool = False
    signed_in_as: str = ""
    home: str = ""
    nonce: str = rx.LocalStorage("", name="club-nonce")

    @rx.event
    def begin(self) -> None:
        """The screen appears: read the reason in the address and the session.

        The reason selects a fixed text; it is never shown itself.
        """
        self.is_expired = self.router.url.query_parameters.get("motif") == EXPIRED
        self.is_sending = self.is_sent = self.has_code = False
        self.error = self.code_error = self.passkey_error = ""
        person = actor()
        self.signed_in_as = person.email if person.is_signed_in else ""
        self.home = routes.ADMIN if person.is_admin else routes.MEMBER
        # Who has asked by the plain form goes on with plain forms: what the server wrote stays.
        self.is_known = self.router.url.query_parameters.get("etape") != CODE

    @rx.event
    def fill_address(self, email: str) -> None:
        """The session of this address has expired in this tab: it need not be typed again."""
        if not self.email:
            self.email = str(email)[:320]

    @rx.event
    async def send(self, form: dict[str, Any]) -> AsyncIterator[None]:
        """Send the mail to the typed address."""
        self.email = str(form.get("email", ""))[:320]
        async for _ in self._send():
            yield

    @rx.event
    async def send_again(self) -> AsyncIterator[None]:
        """Send another mail to the same address."""
        async for _ in self._send():
            yield

    @rx.event
    def change_address(self) -> None:
        """Go back to the form of the address, which keeps its text."""
        self.is_sent = self.has_code = False
        self.error = self.code_error = ""

    @rx.event
    def show_code(self) -> None:
        """Show the form of the code, for a mail that this browser requested earlier."""
        self.has_code = True

    @rx.event
    def refuse_code(self, text: str) -> None:
        """Show why the server refused the code."""
        self.code_error = text[:300]

    @rx.event
    def refuse_passkey(self, text: str) -> None:
        """Show why the passkey was refused."""
        self.passkey_error = str(text)[:300]

    async def _send(self) -> AsyncIterator[None]:
        self.error = self.code_error = ""
        self.is_sending = True
        (await self.get_state(ToastState)).toasts = []
        yield
        try:
            self.nonce = await write(sign_in.request_link, self.email, requester=self.router.session.client_ip)
            self.is_sent, self.is_expired = True, False
            await toast_success(self, "Vérifiez votre boîte mail pour vous connecter.", title="Email envoyé !")
        except Refusal as refusal:
            self.error = refusal.text
            await toast_error(self, "Erreur", refusal.text)
        finally:
            self.is_sending = False
