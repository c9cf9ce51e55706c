"""The form of the signature."""

from collections.abc import AsyncIterator
from typing import Any, ClassVar

import reflex as rx

from clubapp.pages.admin.mailings.form_values import FormFailure, SignatureErrors
from clubapp.pages.admin.mailings.preview_state import PreviewState
from clubapp.pages.admin.mailings.text_form import TextForm
from clubapp.services.base.form_fields import InvalidForm
from clubapp.services.mailings import previews, signatures
from clubapp.services.mailings.signatures import SignatureForm
from clubapp.ui.react.forms.draft_form import text_of
from clubapp.web.security.current_actor import actor
from clubapp.web.security.guard import Access
from clubapp.web.service_calls import read

SAVED = "Signature enregistrée avec succès !"
SAVE_FAILED = "Erreur lors de la sauvegarde de la signature"
SIMPLE, HTML = "simple", "html"


class SignatureState(TextForm, rx.State):
    """One form in two tabs; `requested_tab` is explained in `ui.react.lists.tabs`."""

    ACCESS: ClassVar[Access] = Access.ADMIN
    HANDLER_ACCESS: ClassVar[dict[str, Access]] = {"save": Access.ADMIN_FRESH}
    ERRORS: ClassVar[type[SignatureErrors]] = SignatureErrors

    form: SignatureForm = SignatureForm()
    errors: SignatureErrors = SignatureErrors()
    requested_tab: str = ""

    @rx.event
    async def open(self) -> None:
        """Open the form with the club's signature."""
        self.form = await read(signatures.open_form, actor())
        self.seen, self.requested_tab = self.form.seen, ""
        self._clear_errors()
        preview = await self.get_state(PreviewState)
        preview.preview = await read(previews.preview_signature, actor(), self.form)
        self.is_saving, self.is_open = False, True

    @rx.event
    async def save(self, entries: dict[str, Any]) -> AsyncIterator[Any]:
        """Save what was typed."""
        typed = signatures.form_from_entries({name: text_of(entries, name) for name in entries})
        async for update in self._save(signatures.save, typed, failed=SAVE_FAILED, success=SAVED):
            yield update

    def _show_wrong_field(self, refusal: InvalidForm) -> FormFailure:
        tab = HTML if next(iter(refusal.errors)) == "custom_html" else SIMPLE
        self.requested_tab = f"{tab} {self.attempt}"
        return FormFailure(SAVE_FAILED)
