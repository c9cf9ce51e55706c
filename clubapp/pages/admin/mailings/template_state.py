"""The form of an event's three templates."""

from collections.abc import AsyncIterator
from typing import Any, ClassVar

import reflex as rx

from clubapp.mail.messages.text_choice import COLUMNS
from clubapp.pages.admin.mailings.form_values import FormFailure, TemplateErrors
from clubapp.pages.admin.mailings.preview_state import PreviewState
from clubapp.pages.admin.mailings.state import EmailsState
from clubapp.pages.admin.mailings.text_form import TextForm
from clubapp.services.base.form_fields import InvalidForm
from clubapp.services.mailings import event_templates
from clubapp.services.mailings.event_templates import EventTemplates
from clubapp.services.mailings.test_mails import TYPES
from clubapp.ui.mail.test_mail_dialog import TestMailState
from clubapp.ui.react.forms.draft_form import text_of
from clubapp.web.screens import proof
from clubapp.web.security.current_actor import actor
from clubapp.web.security.guard import Access
from clubapp.web.service_calls import read

SAVE_FAILED = "Erreur lors de la sauvegarde des templates"
SAVED = "Modèles enregistrés avec succès\u00a0!"
_NAMES = tuple(name for columns in COLUMNS.values() for name in columns)


class TemplateState(TextForm, rx.State):
    """The templates of one event, each in a tab; `requested_tab` is explained in `ui.react.lists.tabs`."""

    ACCESS: ClassVar[Access] = Access.ADMIN
    ERRORS: ClassVar[type[TemplateErrors]] = TemplateErrors

    form: EventTemplates = EventTemplates()
    errors: TemplateErrors = TemplateErrors()
    requested_tab: str = ""
    first_tab: str = ""

    @rx.event
    async def open(self, event_id: str) -> None:
        """Open the form with the templates of an event."""
        await self._open(event_id, next(iter(TYPES)))

    async def _open(self, event_id: str, shown: str) -> None:
        self.form = await read(event_templates.open_form, actor(), event_id)
        self.seen, self.requested_tab = self.form.seen, ""
        self.first_tab = shown
        self._clear_errors()
        self.is_saving = False
        texts = {name: getattr(self.form, name) for name in TYPES}
        words = {name: (text.subject, text.content) for name, text in texts.items()}
        preview = await self.get_state(PreviewState)
        await preview._open(words, event_id=event_id, shown=shown)
        self.is_open = True

    @rx.event
    async def open_addressed(self) -> None:
        """Open the form of the event in the address (`?evenement=`), if one is there, at a text of it (`&texte=`)."""
        asked = self.router.url.query_parameters
        text = asked.get("texte", "")
        if event_id := asked.get("evenement", ""):
            await self._open(event_id, text if text in TYPES else next(iter(TYPES)))

    @rx.event
    async def save(self, entries: dict[str, Any]) -> AsyncIterator[Any]:
        """Save the three texts, or none when one is refused."""
        typed = {name: text_of(entries, name) for name in _NAMES}
        values = (self.form.event_id, text_of(entries, "seen"), typed)
        proving = proof.ask_again(self, "save", entries=entries)
        said = {"failed": SAVE_FAILED, "success": SAVED}
        async for update in self._save(event_templates.save, *values, **said, proving=proving):
            yield update
        if not self.is_open:
            yield EmailsState.load

    @rx.event
    async def test(self, email_type: str) -> None:
        """Open the test-mail dialog for the text as it stands in the form, saved or not; it must be valid."""
        preview = await self.get_state(PreviewState)
        subject, content = COLUMNS[TYPES[email_type]] if email_type in TYPES else COLUMNS[TYPES["invitation"]]
        try:
            text = event_templates.check_template(*preview._words.get(email_type, ("", "")))
        except InvalidForm as refusal:
            errors = {"subject": subject, "content": content}
            self._refuse(InvalidForm({errors[name]: text for name, text in refusal.errors.items()}), SAVE_FAILED)
            return
        self._clear_errors()
        test_mail = await self.get_state(TestMailState)
        test_mail._open(event_id=self.form.event_id, email_type=email_type, text=(text.subject, text.body))

    def _show_wrong_field(self, refusal: InvalidForm) -> FormFailure:
        first, reason = next(iter(refusal.errors.items()))
        tab = next(name for name, which in TYPES.items() if first in COLUMNS[which])
        self.requested_tab = f"{tab} {self.attempt}"
        return FormFailure(SAVE_FAILED, reason)
