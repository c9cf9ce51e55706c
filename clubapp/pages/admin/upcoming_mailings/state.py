"""The planned mailings: list, suspend, resume, send now."""

from collections.abc import AsyncIterator
from typing import Any, ClassVar

import reflex as rx

from clubapp.refusals import Refusal
from clubapp.services.reminders import upcoming_mailings
from clubapp.services.reminders.upcoming_mailings import UpcomingMailings
from clubapp.web.screens.toasts import toast_error, toast_success
from clubapp.web.security.current_actor import actor
from clubapp.web.security.guard import Access
from clubapp.web.service_calls import read, write
from clubapp.web.states.loading import Loading


class UpcomingMailingsState(Loading, rx.State):
    """The planned mailings. `chosen` is the id of the one about to be sent now, `question` the text that asks."""

    ACCESS: ClassVar[Access] = Access.ADMIN
    HANDLER_ACCESS: ClassVar[dict[str, Access]] = dict.fromkeys(("resume", "send"), Access.ADMIN_FRESH)

    agenda: UpcomingMailings = UpcomingMailings()
    chosen: str = ""
    question: str = ""
    is_busy: bool = False

    @rx.event
    async def suspend(self, mailing_id: str) -> None:
        """Suspend a mailing."""
        await self._change(
            upcoming_mailings.suspend_mailing, mailing_id, "Envoi suspendu\u00a0: il ne partira pas de lui-même."
        )

    @rx.event
    async def resume(self, mailing_id: str) -> None:
        """Let a suspended mailing be sent at its due time."""
        await self._change(upcoming_mailings.release_mailing, mailing_id, "L’envoi partira à la date prévue.")

    @rx.event
    def ask_to_send(self, mailing_id: str, question: str) -> None:
        """Ask before sending a mailing now."""
        self.chosen, self.question, self.is_busy = str(mailing_id), str(question)[:300], False

    @rx.event
    def keep(self) -> None:
        """Close the question."""
        self.chosen = ""

    @rx.event
    async def send(self) -> AsyncIterator[Any]:
        """Send the mailing `chosen`; further presses do nothing."""
        if not self.chosen or self.is_busy:
            return
        person, self.is_busy = actor(), True
        yield
        try:
            count = await write(upcoming_mailings.send_mailing_now, person, self.chosen)
        except Refusal as refusal:
            await toast_error(self, "Erreur", refusal.text)
        else:
            await toast_success(self, f"{count} {'messages' if count > 1 else 'message'} dans la file d’envoi.")
        finally:
            self.is_busy, self.chosen = False, ""
        await self.load()

    async def _read(self) -> None:
        agenda = await read(upcoming_mailings.list_upcoming_mailings, actor())
        if agenda != self.agenda:
            self.agenda = agenda

    async def _change(self, service: Any, mailing_id: str, success: str) -> None:
        try:
            await write(service, actor(), str(mailing_id))
        except Refusal as refusal:
            await toast_error(self, "Erreur", refusal.text)
        else:
            await toast_success(self, success)
        await self.load()
