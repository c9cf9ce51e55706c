"""The member's own company: what it opens with, and what saving it answers."""

from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any, ClassVar

import reflex as rx

from clubapp.pages.member.company.typed import NO_TEXTS, FieldTexts, company_form, errors_of, theirs_of
from clubapp.refusals import Refusal
from clubapp.services import own_company
from clubapp.services.differences import Stale
from clubapp.services.event_form import InvalidForm
from clubapp.services.own_company import OwnCompany
from clubapp.ui.vendor.kept_form import text_of
from clubapp.web.feedback import toast_error, toast_success
from clubapp.web.guard import Access
from clubapp.web.session import actor
from clubapp.web.work import read, write

UPDATED = "Entreprise mise à jour avec succès !"
WRONG_FIELDS = "Certains champs sont à corriger."
CHANGED_MEANWHILE = "Cette fiche a été modifiée pendant que vous la remplissiez."


class OwnCompanyState(rx.State):
    """What 'Mon entreprise' shows. What is typed stays in the browser until it is saved."""

    ACCESS: ClassVar[Access] = Access.MEMBER

    company: OwnCompany = OwnCompany()
    errors: FieldTexts = NO_TEXTS
    theirs: FieldTexts = NO_TEXTS
    conflict: str = ""
    is_loaded: bool = False
    is_saving: bool = False
    attempt: int = 0
    saved: int = 0

    @rx.event
    async def load(self) -> None:
        """Read the company."""
        self.errors, self.theirs, self.conflict = NO_TEXTS, NO_TEXTS, ""
        self.is_saving = False
        await self._read()

    @rx.event
    async def save(self, entries: dict[str, Any]) -> AsyncIterator[None]:
        """Write what was typed; when it is refused, say why and keep it."""
        person = actor()
        self.is_saving = True
        yield
        try:
            await write(own_company.save, person, company_form(entries))
        except Refusal as refusal:
            await self._refuse(refusal)
        else:
            self.errors, self.theirs, self.conflict = NO_TEXTS, NO_TEXTS, ""
            await self._read()
            self.saved += 1
            await toast_success(self, UPDATED)
        finally:
            self.is_saving = False

    @rx.event
    def restore(self, entries: dict[str, Any]) -> None:
        """A text found again was typed over the version it was begun with."""
        form = replace(self.company.form, seen=text_of(entries, "seen"), logo_url=text_of(entries, "logo_url"))
        self.company = replace(self.company, form=form)

    async def _read(self) -> None:
        self.company = await read(own_company.own, actor()) or OwnCompany()
        self.is_loaded = True

    async def _refuse(self, refusal: Refusal) -> None:
        self.errors, self.theirs, self.conflict = NO_TEXTS, NO_TEXTS, ""
        self.attempt += 1
        if isinstance(refusal, InvalidForm):
            self.errors = errors_of(refusal.errors)
            await toast_error(self, "Erreur", WRONG_FIELDS)
            return
        if isinstance(refusal, Stale):
            self.conflict, self.theirs = refusal.told, theirs_of(refusal.theirs)
            self.company = replace(self.company, form=replace(self.company.form, seen=refusal.seen))
            await toast_error(self, "Erreur", CHANGED_MEANWHILE)
            return
        await toast_error(self, "Erreur", refusal.text)
