"""The company form: what it opens with, and what saving it answers."""

from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any, ClassVar

import reflex as rx

from clubapp.pages.admin.companies.state import CompaniesState
from clubapp.refusals import Refusal
from clubapp.services import companies
from clubapp.services.company_form import LABELS, CompanyForm
from clubapp.services.differences import Difference, Stale
from clubapp.services.event_form import InvalidForm
from clubapp.ui.differences import kept_theirs
from clubapp.ui.vendor.kept_form import text_of
from clubapp.web.feedback import toast_error, toast_success
from clubapp.web.guard import Access
from clubapp.web.session import actor
from clubapp.web.work import read, write

CREATED = "Entreprise créée avec succès !"
UPDATED = "Entreprise mise à jour avec succès !"
_TEXTS = ("id", "seen", *LABELS)
_NO_ERRORS = dict.fromkeys(LABELS, "")


class CompanyFormState(rx.State):
    """One form, for a new company or an existing one. What is typed stays in the browser until it is saved.

    `rivals` are the fields that someone else changed meanwhile, `_theirs` what they hold.
    """

    ACCESS: ClassVar[Access] = Access.ADMIN

    is_open: bool = False
    form: CompanyForm = CompanyForm()
    opening: int = 0
    errors: dict[str, str] = _NO_ERRORS
    rivals: list[Difference] = []
    told: str = ""
    is_saving: bool = False
    attempt: int = 0
    _theirs: dict[str, Any] = {}

    @rx.event
    def toggle_new(self) -> None:
        """An empty form; or none, when that is what is shown."""
        if self.is_open and not self.form.id:
            self.is_open = False
            return
        self._show(CompanyForm())

    @rx.event
    async def edit(self, company_id: str) -> None:
        """The form of a company."""
        self._show(await read(companies.form, actor(), str(company_id)))

    @rx.event
    async def close(self) -> Any:
        """Leave without saving: the list is read again."""
        self.is_open = False
        return CompaniesState.load

    @rx.event
    def drop(self, company_id: str) -> None:
        """A company is being deleted: its form has nothing left to be about."""
        if self.form.id == company_id:
            self.is_open = False

    @rx.event
    def begin(self) -> None:
        """The screen appears: without a form. (Asked for by the screen itself: before anyone can press a button.)"""
        self.is_open = False

    @rx.event
    def restore(self, entries: dict[str, Any]) -> None:
        """A draft is taken up again: it was begun on the version that it names."""
        self.form = replace(self.form, seen=text_of(entries, "seen")[:100])

    @rx.event
    async def save(self, entries: dict[str, Any]) -> AsyncIterator[Any]:
        """Save what was typed; when it is refused, say why and keep it."""
        person, typed = actor(), self._typed(entries)
        self.is_saving = True
        yield
        try:
            await write(companies.save, person, typed)
        except Refusal as refusal:
            await self._refuse(refusal, typed)
        except Exception:
            self.attempt += 1
            raise
        else:
            self.is_open = False
            await toast_success(self, UPDATED if typed.id else CREATED)
            yield CompaniesState.load
        finally:
            self.is_saving = False

    def _show(self, form: CompanyForm) -> None:
        self.form, self.errors, self.rivals, self.told, self._theirs = form, _NO_ERRORS, [], "", {}
        self.is_saving, self.attempt = False, 0
        self.opening += 1
        self.is_open = True

    def _typed(self, entries: dict[str, Any]) -> CompanyForm:
        values = {name: text_of(entries, name) for name in _TEXTS}
        chosen = kept_theirs(entries, self.rivals)
        return CompanyForm(**values | {name: self._theirs[name] for name in chosen if name in self._theirs})

    async def _refuse(self, refusal: Refusal, typed: CompanyForm) -> None:
        wrong = refusal.errors if isinstance(refusal, InvalidForm) else {}
        self.errors = {name: wrong.get(name, "") for name in LABELS}
        if isinstance(refusal, Stale):
            self.rivals, self.told, self._theirs = refusal.with_choices(self.form, typed), refusal.told, refusal.theirs
            self.form = replace(self.form, seen=refusal.seen)
        else:  # a stale version is told where it is settled
            await toast_error(self, "Erreur", refusal.text)
        self.attempt += 1
