"""The form of the member's own company."""

from typing import Any, ClassVar

import reflex as rx

from clubapp.services.base.actors import Actor
from clubapp.services.companies import own_company
from clubapp.services.companies.own_company import LABELS, OwnCompany, OwnCompanyForm
from clubapp.services.directory.for_visitors import CompanyPage
from clubapp.ui.react.forms.draft_form import text_of
from clubapp.ui.records.states import OwnForm
from clubapp.web.security.current_actor import actor
from clubapp.web.security.guard import Access
from clubapp.web.service_calls import read, write

_NO_ERRORS = dict.fromkeys(LABELS, "")


class OwnCompanyState(OwnForm, rx.State):
    """The form and the preview of 'Mon entreprise'."""

    ACCESS: ClassVar[Access] = Access.MEMBER
    UPDATED: ClassVar[str] = "Entreprise mise à jour avec succès !"
    NO_ERRORS: ClassVar[dict[str, str]] = _NO_ERRORS

    company: OwnCompany = OwnCompany()
    form: OwnCompanyForm = OwnCompanyForm()
    errors: dict[str, str] = _NO_ERRORS
    page: CompanyPage = CompanyPage()

    async def _open(self, person: Actor) -> None:
        self.company = await read(own_company.read_own_company, person) or OwnCompany()
        self.form = self.company.form

    def _typed(self, entries: dict[str, Any]) -> OwnCompanyForm:
        return OwnCompanyForm(**{name: text_of(entries, name) for name in ("seen", *LABELS)})

    async def _save(self, person: Actor, typed: OwnCompanyForm) -> None:
        await write(own_company.save, person, typed)

    async def _preview(self, typed: OwnCompanyForm) -> None:
        self.page = await read(own_company.preview, actor(), typed)
