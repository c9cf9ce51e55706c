"""The signature: opened, looked at as it is typed, saved."""

from collections.abc import AsyncIterator
from typing import Any, ClassVar

import reflex as rx

from clubapp.pages.admin.emails.form_values import Failure, SignatureErrors, known_errors
from clubapp.pages.admin.emails.preview_state import PreviewState
from clubapp.refusals import Refusal
from clubapp.services.base.edit_conflicts import TextChanged
from clubapp.services.base.form_fields import InvalidForm
from clubapp.services.mailings import previews, signatures
from clubapp.services.mailings.signatures import SignatureForm
from clubapp.ui.react.forms.draft_form import text_of
from clubapp.web.screens.toasts import toast_success
from clubapp.web.security.current_actor import actor
from clubapp.web.security.guard import Access
from clubapp.web.service_calls import read, write

SAVED = "Signature enregistrée avec succès !"
SAVE_FAILED = "Erreur lors de la sauvegarde de la signature"
SIMPLE, HTML = "simple", "html"


class SignatureState(rx.State):
    """One form in two tabs. What is typed stays in the browser until it is saved. `asked` is the tab to show."""

    ACCESS: ClassVar[Access] = Access.ADMIN

    is_open: bool = False
    form: SignatureForm = SignatureForm()
    seen: str = ""
    errors: SignatureErrors = SignatureErrors()
    failure: Failure = Failure()
    is_saving: bool = False
    attempt: int = 0
    saved: int = 0
    asked: str = ""

    @rx.event
    async def open(self) -> None:
        """The club's signature."""
        self.form = await read(signatures.open_form, actor())
        self.seen, self.asked = self.form.seen, ""
        self.errors, self.failure = SignatureErrors(), Failure()
        preview = await self.get_state(PreviewState)
        preview.preview = await read(previews.preview_signature, actor(), self.form)
        self.is_saving, self.is_open = False, True

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
        """Save what was typed; when it is refused, say why beside it and keep it."""
        typed = signatures.form_from_entries({name: text_of(entries, name) for name in entries})
        person, self.is_saving = actor(), True
        yield
        try:
            await write(signatures.save, person, typed)
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
        finally:
            self.is_saving = False

    def _refuse(self, refusal: Refusal) -> None:
        if isinstance(refusal, InvalidForm):
            tab = HTML if next(iter(refusal.errors)) == "custom_html" else SIMPLE
            self.asked = f"{tab} {self.attempt}"
            self._tell(Failure(SAVE_FAILED), SignatureErrors(**known_errors(refusal.errors, SignatureErrors)))
        else:
            self._tell(Failure(SAVE_FAILED, refusal.text))
        if isinstance(refusal, TextChanged):
            self.seen = refusal.seen

    def _tell(self, failure: Failure, errors: SignatureErrors | None = None) -> None:
        self.failure, self.errors = failure, errors or SignatureErrors()
        self.attempt += 1
