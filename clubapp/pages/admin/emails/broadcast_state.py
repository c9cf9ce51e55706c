"""Writing a broadcast, and what is asked before one is sent, stopped or thrown away."""

from collections.abc import AsyncIterator, Callable
from typing import Any, ClassVar

import reflex as rx

from clubapp.pages.admin.emails.form_values import BroadcastErrors, Failure, known_errors
from clubapp.pages.admin.emails.preview_state import PreviewState
from clubapp.pages.admin.emails.state import EmailsState
from clubapp.refusals import Refusal
from clubapp.services.base.edit_conflicts import TextChanged
from clubapp.services.base.form_fields import InvalidForm
from clubapp.services.mailings import broadcasts
from clubapp.services.mailings.broadcasts import BroadcastForm, BroadcastRecipients
from clubapp.ui.mail.test_mail_dialog import TestMailState
from clubapp.ui.react.forms.draft_form import text_of
from clubapp.web.screens.toasts import toast_error, toast_success
from clubapp.web.security.current_actor import actor
from clubapp.web.security.guard import Access
from clubapp.web.service_calls import read, write

DRAFT, TEST, SEND = "draft", "test", "send"
SAVE_FAILED = "Erreur lors de la sauvegarde"
TEST_SAVE_FAILED = "Erreur lors de la sauvegarde temporaire"
SAVED = "Le brouillon a été enregistré."
SENT = "L'email a été envoyé avec succès à tous les membres !"
SEND_FAILED = "Erreur lors de l'envoi de l'email"
# What each answer does, what is said then, and what is said when it fails.
_ACTS: dict[str, tuple[Callable[..., Any], str, str]] = {
    "send": (broadcasts.send_broadcast, SENT, SEND_FAILED),
    "stop": (broadcasts.stop_broadcast, "L'envoi a été arrêté.", "Erreur lors de l'arrêt de l'envoi"),
    "delete": (broadcasts.delete, "Le brouillon a été supprimé.", "Erreur lors de la suppression"),
}


class BroadcastState(rx.State):
    """One broadcast being written. `draft` names what the browser keeps of it, `_begun` the press that made it one."""

    ACCESS: ClassVar[Access] = Access.ADMIN

    is_open: bool = False
    form: BroadcastForm = BroadcastForm()
    draft: str = ""
    seen: str = ""
    errors: BroadcastErrors = BroadcastErrors()
    failure: Failure = Failure()
    is_saving: bool = False
    attempt: int = 0
    saved: int = 0
    _begun: dict[str, Any] | None = None

    @rx.event
    async def open_new(self) -> None:
        """An empty one."""
        await self._show(BroadcastForm())

    @rx.event
    async def open(self, broadcast_id: str) -> None:
        """Go on with a draft."""
        await self._show(await read(broadcasts.open_form, actor(), broadcast_id))

    @rx.event
    def close(self) -> None:
        """Leave; what was saved stays a draft."""
        self.is_open = False

    @rx.event
    def restore(self, entries: dict[str, Any]) -> None:
        """Typed text was taken up again: it began over the version it names."""
        self.seen = text_of(entries, "seen")[:100]

    @rx.event
    async def submit(self, entries: dict[str, Any]) -> AsyncIterator[Any]:
        """Save what was typed, then do what was pressed: keep it, test it, or ask before sending it."""
        if entries == self._begun:  # the same press again: there is one draft, and what was pressed is done
            return
        action = text_of(entries, "action")
        typed = BroadcastForm(*(text_of(entries, name) for name in ("id", "seen", "subject", "content")))
        person, self.is_saving = actor(), True
        yield
        try:
            saved = await write(broadcasts.save, person, typed)
        except Refusal as refusal:
            self._refuse(refusal, TEST_SAVE_FAILED if action == TEST else SAVE_FAILED)
        except Exception:  # raised again below: the guard logs it, here the person is told what it stopped
            self._tell(Failure(TEST_SAVE_FAILED if action == TEST else SAVE_FAILED))
            raise
        else:
            self._keep(saved)
            yield  # the form hears it before it goes
            self._begun = None if typed.id else entries
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
        self._keep(form)
        self.is_saving, self.is_open, self._begun = False, True, None
        preview = await self.get_state(PreviewState)
        await preview._open({"": (form.subject, form.content)})

    def _keep(self, form: BroadcastForm) -> None:
        self.form, self.seen = form, form.seen
        self.draft = f"broadcast:{form.id or 'new'}"
        self.errors, self.failure = BroadcastErrors(), Failure()
        self.saved += 1

    def _refuse(self, refusal: Refusal, title: str) -> None:
        if isinstance(refusal, InvalidForm):
            self._tell(Failure(), BroadcastErrors(**known_errors(refusal.errors, BroadcastErrors)))
        else:
            self._tell(Failure(title, refusal.text))
        if isinstance(refusal, TextChanged):
            self.seen = refusal.seen

    def _tell(self, failure: Failure, errors: BroadcastErrors | None = None) -> None:
        self.failure, self.errors = failure, errors or BroadcastErrors()
        self.attempt += 1


class BroadcastActionState(rx.State):
    """`question` is what is being asked about the broadcast `subject`: "send", "stop", "delete" or nothing."""

    ACCESS: ClassVar[Access] = Access.ADMIN

    question: str = ""
    subject: str = ""
    audience: BroadcastRecipients = BroadcastRecipients()
    is_busy: bool = False

    @rx.event
    async def ask(self, question: str, broadcast_id: str) -> None:
        """Ask first."""
        if question in _ACTS:
            await self._ask(question, broadcast_id)

    @rx.event
    def cancel(self) -> None:
        """The answer is no."""
        self.question = ""

    @rx.event
    async def confirm(self) -> AsyncIterator[Any]:
        """The answer is yes. The second press of a double press finds the question answered, and does nothing."""
        if self.question not in _ACTS:
            return
        act, done, failed = _ACTS[self.question]
        person, self.is_busy = actor(), True
        yield
        try:
            await write(act, person, self.subject)
        except Refusal as refusal:
            await toast_error(self, failed, refusal.text)
        except Exception:  # raised again below: the guard logs it, here the person is told what it stopped
            await toast_error(self, failed, "")
            raise
        else:
            (await self.get_state(BroadcastState)).is_open = False
            await toast_success(self, done)
        finally:
            self.is_busy, self.question = False, ""
        yield EmailsState.load

    @rx.event
    async def pause(self, broadcast_id: str) -> Any:
        """Hold back what is still waiting."""
        await write(broadcasts.pause_broadcast, actor(), broadcast_id)
        return EmailsState.load

    @rx.event
    async def resume(self, broadcast_id: str) -> Any:
        """Let the rest go out."""
        await write(broadcasts.resume_broadcast, actor(), broadcast_id)
        return EmailsState.load

    async def _ask(self, question: str, broadcast_id: str) -> None:
        self.audience = await read(broadcasts.count_recipients, actor())
        self.question, self.subject, self.is_busy = question, broadcast_id, False
