"""The dialog that asks who acts for a recent proof, and then does what was pressed (S13).

The guard opens it in the place of a handler that needs one. The event is kept as it was sent, and sent again once the
proof is given: what was typed stays where it is.
"""

import inspect
from collections.abc import AsyncIterator
from typing import Any, ClassVar, cast

import reflex as rx
from reflex.event import EventSpec
from reflex_base.registry import RegistrationContext

from clubapp.refusals import Refusal
from clubapp.services.access import fresh_proof, sign_in
from clubapp.web.security.current_actor import actor
from clubapp.web.security.guard import Access
from clubapp.web.service_calls import read, write


class ProofState(rx.State):
    """The open dialog. `nonce` is of the code that was sent by mail, for whoever has no second factor.

    `has_lost`: a recovery code is typed in the place of a lost factor.
    """

    ACCESS: ClassVar[Access] = Access.HALF_OPEN

    is_open: bool = False
    passkey_id: str = ""
    app_id: str = ""
    email: str = ""
    nonce: str = ""
    error: str = ""
    is_sending: bool = False
    has_lost: bool = False
    _event: str = ""
    _payload: dict[str, Any] = {}

    @rx.event
    async def ask(self, event_name: str, payload: dict[str, Any]) -> None:
        """Open the dialog before an event of ours, which is sent again once the proof is given."""
        person = actor()
        means = await read(fresh_proof.read_means, person)
        self._event, self._payload = event_name, payload
        self.passkey_id, self.app_id, self.email = means.passkey_id, means.app_id, person.email
        self.nonce = self.error = ""
        self.is_open, self.has_lost = True, False

    @rx.event
    async def send_code(self) -> AsyncIterator[None]:
        """Send a mail with a code to whoever acts."""
        if self.is_sending:
            return
        self.is_sending, self.error = True, ""
        yield
        try:
            self.nonce = await write(
                sign_in.request_link, actor().email, requester=self.router.session.client_ip, only_code=True
            )
        except Refusal as refusal:
            self.error = refusal.text
        finally:
            self.is_sending = False

    @rx.event
    def refuse(self, text: str) -> None:
        """Show why the proof was refused."""
        self.error = str(text)[:300]

    @rx.event
    def show_recovery(self) -> None:
        """Show the field of a recovery code."""
        self.has_lost, self.error = True, ""

    @rx.event
    def hide_recovery(self) -> None:
        """Go back to the factors."""
        self.has_lost, self.error = False, ""

    @rx.event
    def close(self) -> None:
        """Close the dialog; nothing is done."""
        self.reset()

    @rx.event
    def accept(self, recovery_codes: list[str]) -> Any:  # noqa: ARG002 - a factor's form gives them, here there are none
        """The proof was given: do what was pressed. Had it not been given, the guard would ask again."""
        return self._go_on()

    @rx.event
    def accept_code(self) -> Any:
        """The code of the mail was right."""
        return self._go_on()

    def _go_on(self) -> Any:
        registered, payload = RegistrationContext.get().event_handlers.get(self._event), self._payload
        self.reset()
        if registered is None:
            return None
        names = [name for name in inspect.signature(registered.handler.fn).parameters if name in payload]
        return registered.handler(*(payload[name] for name in names))


class DownloadState(rx.State):
    """Files of administrators, which need a recent proof like other exports."""

    ACCESS: ClassVar[Access] = Access.ADMIN
    HANDLER_ACCESS: ClassVar[dict[str, Access]] = {"fetch": Access.ADMIN_FRESH}

    @rx.event
    def fetch(self, path: str) -> Any:
        """Download a file of the administration."""
        return rx.download(url=path) if path.startswith("/admin/") else None


def ask_again(state: rx.State, handler: str, **payload: Any) -> EventSpec:
    """The event that asks for a proof, then calls a handler of a state again: what only its service knows needs one."""
    return cast(EventSpec, ProofState.ask(f"{state.get_full_name()}.{handler}", payload))
