"""The form of a broadcast, and the actions on broadcasts: send, pause, stop, delete."""

from collections.abc import AsyncIterator, Callable
from dataclasses import fields
from typing import Any, ClassVar

import reflex as rx

from clubapp.pages.admin.mailings.form_values import BroadcastErrors, FormFailure
from clubapp.pages.admin.mailings.preview_state import PreviewState
from clubapp.pages.admin.mailings.state import EmailsState
from clubapp.pages.admin.mailings.text_form import TextForm
from clubapp.refusals import Refusal
from clubapp.services.mailings import audiences, broadcasts
from clubapp.services.mailings.broadcasts import BroadcastForm, BroadcastRecipients
from clubapp.ui.mail.test_mail_dialog import TestMailState
from clubapp.ui.react.forms.draft_form import text_of
from clubapp.web.screens import proof
from clubapp.web.screens.toasts import explain_failure, toast_error, toast_success
from clubapp.web.security.current_actor import actor
from clubapp.web.security.guard import Access
from clubapp.web.service_calls import read, write

DRAFT, TEST, SEND = "draft", "test", "send"
SAVE_FAILED = "Erreur lors de la sauvegarde"
TEST_SAVE_FAILED = "Erreur lors de la sauvegarde temporaire"
SAVED = "Le brouillon a été enregistré."
SEND_FAILED = "Erreur lors de l'envoi de l'email"
# For each question: the service, and the texts of its success, unless the service says it, and of its failure.
_ACTS: dict[str, tuple[Callable[..., Any], str, str]] = {
    "send": (broadcasts.send_broadcast, "", SEND_FAILED),
    "stop": (broadcasts.stop_broadcast, "L’envoi a été arrêté.", "Erreur lors de l’arrêt de l’envoi"),
    "delete": (broadcasts.delete, "Le brouillon a été supprimé.", "Erreur lors de la suppression"),
}


class BroadcastState(TextForm, rx.State):
    """The form of one broadcast. `draft` is the name of its draft in the browser.

    `_created` are the entries that created the broadcast: the same press again must not create a second one.
    """

    ACCESS: ClassVar[Access] = Access.ADMIN
    ERRORS: ClassVar[type[BroadcastErrors]] = BroadcastErrors

    form: BroadcastForm = BroadcastForm()
    draft: str = ""
    audiences: list[tuple[str, str]] = []
    errors: BroadcastErrors = BroadcastErrors()
    _created: dict[str, Any] | None = None

    @rx.event
    async def open_new(self) -> None:
        """Open an empty form."""
        await self._show(BroadcastForm())

    @rx.event
    async def open(self, broadcast_id: str) -> None:
        """Open the form of a saved broadcast that was not sent."""
        await self._show(await read(broadcasts.open_form, actor(), broadcast_id))

    @rx.event
    async def submit(self, entries: dict[str, Any]) -> AsyncIterator[Any]:
        """Save what was typed, then do what the pressed button says: close, test, or ask before sending."""
        if entries == self._created:  # the same press again
            return
        action = text_of(entries, "action")
        failed = TEST_SAVE_FAILED if action == TEST else SAVE_FAILED
        typed = BroadcastForm(*(text_of(entries, each.name) for each in fields(BroadcastForm)))
        person, self.is_saving = actor(), True
        yield
        try:
            saved = await write(broadcasts.save, person, typed)
        except Refusal as refusal:
            self._refuse(refusal, failed)
        except Exception as error:  # the sentence of what failed stays, with the reference of the log line
            self._fail(FormFailure(failed, explain_failure(error)))
        else:
            self._keep(saved)
            yield  # the form must receive `saved` before it is closed
            self._created = None if typed.id else entries
            await self._go_on(action, saved.id)
            yield EmailsState.load
        finally:
            self.is_saving = False

    async def _go_on(self, action: str, broadcast_id: str) -> None:
        if action == TEST:
            (await self.get_state(TestMailState))._open(broadcast_id=broadcast_id)
        elif action == SEND:
            await (await self.get_state(BroadcastActionState))._ask(SEND, broadcast_id)
        else:
            self.is_open = False
            await toast_success(self, SAVED)

    async def _show(self, form: BroadcastForm) -> None:
        choices = await read(audiences.list_choices, actor(), form.audience)
        self.audiences = [(choice.value, choice.label) for choice in choices]
        self._keep(form)
        self.is_saving, self.is_open, self._created = False, True, None
        preview = await self.get_state(PreviewState)
        await preview._open({"": (form.subject, form.content)})

    def _keep(self, form: BroadcastForm) -> None:
        self.form, self.seen = form, form.seen
        self.draft = f"broadcast:{form.id or 'new'}"
        self._clear_errors()
        self.saved += 1


class BroadcastActionState(rx.State):
    """`question` is the open question about the broadcast `subject`: "send", "stop", "delete" or empty."""

    ACCESS: ClassVar[Access] = Access.ADMIN
    HANDLER_ACCESS: ClassVar[dict[str, Access]] = {"resume": Access.ADMIN_FRESH}

    question: str = ""
    subject: str = ""
    audience: BroadcastRecipients = BroadcastRecipients()
    is_busy: bool = False

    @rx.event
    async def ask(self, question: str, broadcast_id: str) -> None:
        """Open a question about a broadcast."""
        if question in _ACTS:
            await self._ask(question, broadcast_id)

    @rx.event
    def cancel(self) -> None:
        """Close the question."""
        self.question = ""

    @rx.event
    async def confirm(self) -> AsyncIterator[Any]:
        """Do what was asked; the second press of a double click finds no question, and does nothing."""
        if self.question not in _ACTS:
            return
        service, success, failed = _ACTS[self.question]
        person = actor()
        if self.question == SEND and person.needs_proof:  # stopping and deleting need none
            yield proof.ask_again(self, "confirm")
            return
        self.is_busy = True
        yield
        try:
            done = await write(service, person, self.subject)
        except Refusal as refusal:
            await toast_error(self, failed, refusal.text)
        except Exception as error:  # the sentence of what failed stays, with the reference of the log line
            await toast_error(self, failed, explain_failure(error))
            return
        else:
            (await self.get_state(BroadcastState)).is_open = False
            await toast_success(self, done.sent if isinstance(done, BroadcastRecipients) else success)
        finally:
            self.is_busy, self.question = False, ""
        yield EmailsState.load

    @rx.event
    async def pause(self, broadcast_id: str) -> Any:
        """Pause the pending messages of a broadcast."""
        await write(broadcasts.pause_broadcast, actor(), broadcast_id)
        return EmailsState.load

    @rx.event
    async def resume(self, broadcast_id: str) -> Any:
        """Resume the pending messages of a broadcast."""
        await write(broadcasts.resume_broadcast, actor(), broadcast_id)
        return EmailsState.load

    async def _ask(self, question: str, broadcast_id: str) -> None:
        try:
            if question == SEND:
                self.audience = await read(broadcasts.count_recipients, actor(), broadcast_id)
        except Refusal as refusal:  # a question whose answer would be refused is none
            await toast_error(self, SEND_FAILED, refusal.text)
        else:
            self.question, self.subject, self.is_busy = question, broadcast_id, False
