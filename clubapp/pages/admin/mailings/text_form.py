"""The state that the forms of this screen share: templates, broadcasts and the signature."""

from collections.abc import AsyncIterator, Callable
from dataclasses import fields
from typing import TYPE_CHECKING, Any, ClassVar

import reflex as rx
from reflex.event import EventSpec

from clubapp.pages.admin.mailings.form_values import FormFailure
from clubapp.refusals import ProofRequired, Refusal
from clubapp.services.base.edit_conflicts import TextChanged
from clubapp.services.base.form_fields import InvalidForm
from clubapp.ui.react.forms.draft_form import text_of
from clubapp.web.screens.toasts import dismiss_errors, explain_failure, toast_success
from clubapp.web.security.current_actor import actor
from clubapp.web.service_calls import write


class TextForm(rx.State, mixin=True):
    """A form in a dialog. What is typed stays in the browser until it is saved.

    `seen` is the version the form was opened with, `failure` is shown above its buttons, and `ERRORS` is the class of
    the errors beside its fields. `attempt` rises with each refusal, `saved` with each success.
    """

    ERRORS: ClassVar[type[Any]]

    is_open: bool = False
    seen: str = ""
    failure: FormFailure = FormFailure()
    is_saving: bool = False
    attempt: int = 0
    saved: int = 0
    if TYPE_CHECKING:  # declared by the form's state
        errors: Any

    @rx.event
    async def close(self) -> None:
        """Close the dialog without saving."""
        if self.is_open:
            self.is_open = False
            await dismiss_errors(self)

    @rx.event
    def restore(self, entries: dict[str, Any]) -> None:
        """A draft is restored: the version it was begun on comes back."""
        self.seen = text_of(entries, "seen")[:100]

    def _clear_errors(self) -> None:
        self.errors, self.failure = self.ERRORS(), FormFailure()

    async def _save(
        self, service: Callable[..., Any], *values: Any, failed: str, success: str, proving: EventSpec | None = None
    ) -> AsyncIterator[Any]:
        """Call the service, then close the dialog; a refusal is shown in the form, which keeps its text.

        `proving` asks for a recent proof and saves again, of a form whose service may need one.
        """
        person, self.is_saving = actor(), True
        yield
        try:
            await write(service, person, *values)
        except Refusal as refusal:
            if proving is not None and isinstance(refusal, ProofRequired):
                yield proving
            else:
                self._refuse(refusal, failed)
        except Exception as error:  # the sentence of what failed stays, with the reference of the log line
            self._fail(FormFailure(failed, explain_failure(error)))
        else:
            self.saved += 1
            yield  # the form must receive `saved` before it is closed
            self.is_open = False
            await toast_success(self, success)
        finally:
            self.is_saving = False

    def _refuse(self, refusal: Refusal, title: str) -> None:
        if isinstance(refusal, InvalidForm):
            self._fail(self._show_wrong_field(refusal), refusal.errors)
        else:
            self._fail(FormFailure(title, refusal.text))
        if isinstance(refusal, TextChanged):
            self.seen = refusal.seen

    def _fail(self, failure: FormFailure, errors: dict[str, str] | None = None) -> None:
        names = {each.name for each in fields(self.ERRORS)}
        self.errors = self.ERRORS(**{name: text for name, text in (errors or {}).items() if name in names})
        self.failure = failure
        self.attempt += 1

    def _show_wrong_field(self, _refusal: InvalidForm) -> FormFailure:
        """Open the tab of the first wrong field, and return what is shown above the buttons."""
        return FormFailure()
