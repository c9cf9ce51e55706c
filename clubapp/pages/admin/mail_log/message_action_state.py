"""The actions on one message: resend, correct the address, settle an uncertain one."""

from collections.abc import AsyncIterator, Callable
from typing import Any, ClassVar

import reflex as rx

from clubapp.pages.admin.mail_log.state import MailLogState
from clubapp.refusals import Invalid, Refusal
from clubapp.services.mail_log import listing, resending
from clubapp.services.mail_log.listing import MailLogEntry
from clubapp.ui.react.forms.entries_form import pairs_of
from clubapp.web.screens.toasts import toast_error, toast_success
from clubapp.web.security.current_actor import actor
from clubapp.web.security.guard import Access
from clubapp.web.service_calls import read, write

RESENT = "Le message est de nouveau dans la file d’envoi."
SETTLED = "Le message est marqué comme reçu."
CORRECTED_MAIL = "corriger"  # in the address: the message whose correction is open
RESEND, CORRECT, SETTLE = "resend", "correct", "settle"


class MessageActionState(rx.State):
    """The open question: `asking` is one of resend, correct, settle, or empty."""

    ACCESS: ClassVar[Access] = Access.ADMIN
    HANDLER_ACCESS: ClassVar[dict[str, Access]] = {"correct": Access.ADMIN_FRESH}

    asking: str = ""
    message: MailLogEntry = MailLogEntry()
    typed: str = ""
    problem: str = ""
    attempt: int = 0
    is_busy: bool = False

    @rx.event
    async def ask(self, question: str, mail_id: str) -> None:
        """Read a message and open a question about it."""
        message = await read(listing.read_entry, actor(), str(mail_id))
        if message is None:
            await toast_error(self, "Erreur", resending.GONE)
        elif question in (RESEND, CORRECT, SETTLE):
            self.message, self.asking, self.typed, self.problem = message, question, message.address, ""

    @rx.event
    async def follow_address(self) -> None:
        """Open the correction that the address asks for (`?corriger=`), while it can be made."""
        mail_id = self.router.url.query_parameters.get(CORRECTED_MAIL, "")[:36]
        message = await read(listing.read_entry, actor(), mail_id) if mail_id else None
        self.asking = ""
        if message and message.can_correct:
            await self.ask(CORRECT, mail_id)

    @rx.event
    def close(self) -> None:
        """Close the question."""
        self.asking, self.is_busy = "", False

    @rx.event
    async def resend(self) -> AsyncIterator[Any]:
        """Put the message back in the queue."""
        async for step in self._do(resending.resend_mail, lambda _: RESENT):
            yield step

    @rx.event
    async def settle(self) -> AsyncIterator[Any]:
        """Mark an uncertain message as arrived."""
        async for step in self._do(resending.mark_as_arrived, lambda _: SETTLED):
            yield step

    @rx.event
    async def correct(self, entries: list[list[str]]) -> AsyncIterator[Any]:
        """Give the member another address, and send there what failed."""
        self.typed = dict(pairs_of(entries)).get("email", "")[:320]
        async for step in self._do(resending.correct_and_resend, _corrected, self.typed):
            yield step

    async def _do(self, service: Callable[..., Any], success: Callable[[Any], str], *given: str) -> AsyncIterator[Any]:
        """Call the service once; further presses do nothing."""
        if not self.asking or self.is_busy:
            return
        person, mail_id, self.is_busy = actor(), self.message.id, True
        yield
        try:
            done = await write(service, person, mail_id, *given)
        except Invalid as refusal:
            self.problem, self.attempt = refusal.text, self.attempt + 1
        except Refusal as refusal:
            self.asking = ""
            await toast_error(self, "Erreur", refusal.text)
        else:
            self.asking = ""
            await toast_success(self, success(done))
        finally:
            self.is_busy = False
        yield MailLogState.load


def _corrected(count: int) -> str:
    if count > 1:
        return f"Adresse corrigée, {count} messages sont de nouveau dans la file d’envoi."
    return "Adresse corrigée, le message est de nouveau dans la file d’envoi."
