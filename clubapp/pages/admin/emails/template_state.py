"""The words of an event's three mails: opened, tested, saved."""

from collections.abc import AsyncIterator
from typing import Any, ClassVar

import reflex as rx

from clubapp.mail.messages.texts import COLUMNS
from clubapp.pages.admin.emails.form_values import Failure, TemplateErrors, known_errors
from clubapp.pages.admin.emails.preview_state import PreviewState
from clubapp.pages.admin.emails.state import EmailsState
from clubapp.refusals import Refusal
from clubapp.services.base.edit_conflicts import TextChanged
from clubapp.services.base.form_fields import InvalidForm
from clubapp.services.mailings import event_templates
from clubapp.services.mailings.event_templates import EventTemplates
from clubapp.services.mailings.test_mails import TYPES
from clubapp.ui.mail.test_mail_dialog import TestMailState
from clubapp.ui.react.forms.draft_form import text_of
from clubapp.web.screens.toasts import toast_success
from clubapp.web.security.current_actor import actor
from clubapp.web.security.guard import Access
from clubapp.web.service_calls import read, write

SAVE_FAILED = "Erreur lors de la sauvegarde des templates"
SAVED = "Templates enregistrés avec succès !"
_NAMES = tuple(name for columns in COLUMNS.values() for name in columns)


class TemplateState(rx.State):
    """One event's texts. What is typed stays in the browser until it is saved. `asked` is the tab to show."""

    ACCESS: ClassVar[Access] = Access.ADMIN

    is_open: bool = False
    form: EventTemplates = EventTemplates()
    seen: str = ""
    errors: TemplateErrors = TemplateErrors()
    failure: Failure = Failure()
    is_saving: bool = False
    attempt: int = 0
    saved: int = 0
    asked: str = ""

    @rx.event
    async def open(self, event_id: str) -> None:
        """The texts of an event."""
        self.form = await read(event_templates.open_form, actor(), event_id)
        self.seen, self.asked = self.form.seen, ""
        self.errors, self.failure = TemplateErrors(), Failure()
        self.is_saving = False
        shown = {name: getattr(self.form, name) for name in TYPES}
        words = {name: (text.subject, text.content) for name, text in shown.items()}
        preview = await self.get_state(PreviewState)
        await preview._open(words, event_id=event_id, shown=next(iter(TYPES)))
        self.is_open = True

    @rx.event
    def close(self) -> None:
        """Leave without saving."""
        self.is_open = False

    @rx.event
    def restore(self, entries: dict[str, Any]) -> None:
        """Typed text was taken up again: it began over the version it names."""
        self.seen = text_of(entries, "seen")[:100]

    @rx.event
    async def save(self, entries: dict[str, Any]) -> AsyncIterator[Any]:
        """Save the three texts; when one is refused, say why beside it and keep everything."""
        typed = {name: text_of(entries, name) for name in _NAMES}
        person, self.is_saving = actor(), True
        yield
        try:
            await write(event_templates.save, person, self.form.event_id, text_of(entries, "seen"), typed)
        except Refusal as refusal:
            self._refuse(refusal)
        except Exception:  # raised again below: the guard logs it, here the person is told what it stopped
            self._tell(Failure(SAVE_FAILED))
            raise
        else:
            self.saved += 1
            yield  # the form hears it before it goes
            self.is_open = False
            await toast_success(self, SAVED)
            yield EmailsState.load
        finally:
            self.is_saving = False

    @rx.event
    async def test(self, email_type: str) -> None:
        """Send oneself the text as it stands in the form, saved or not; it must be one that may be saved."""
        preview = await self.get_state(PreviewState)
        subject, content = COLUMNS[TYPES[email_type]] if email_type in TYPES else COLUMNS[TYPES["invitation"]]
        try:
            text = event_templates.check_template(*preview._words.get(email_type, ("", "")))
        except InvalidForm as refusal:
            errors = {"subject": subject, "content": content}
            self._refuse(InvalidForm({errors[name]: said for name, said in refusal.errors.items()}))
            return
        self.errors, self.failure = TemplateErrors(), Failure()
        trial = await self.get_state(TestMailState)
        trial._open(event_id=self.form.event_id, email_type=email_type, text=(text.subject, text.body))

    def _refuse(self, refusal: Refusal) -> None:
        if isinstance(refusal, InvalidForm):
            first, reason = next(iter(refusal.errors.items()))
            tab = next(name for name, which in TYPES.items() if first in COLUMNS[which])
            self.asked = f"{tab} {self.attempt}"
            self._tell(Failure(SAVE_FAILED, reason), TemplateErrors(**known_errors(refusal.errors, TemplateErrors)))
        else:
            self._tell(Failure(SAVE_FAILED, refusal.text))
        if isinstance(refusal, TextChanged):
            self.seen = refusal.seen

    def _tell(self, failure: Failure, errors: TemplateErrors | None = None) -> None:
        self.failure, self.errors = failure, errors or TemplateErrors()
        self.attempt += 1
