"""The companies on the administrators' screen: the filtered list, and the form."""

from typing import Any, ClassVar

import reflex as rx

from clubapp import routes
from clubapp.pages.admin.companies.company_page_state import CompanyRecordState
from clubapp.services.base.actors import Actor
from clubapp.services.companies import editing
from clubapp.services.companies import listing as company_listing
from clubapp.services.companies.admin_form import LABELS, CompanyForm
from clubapp.services.companies.listing import CompanyFilter, CompanyList
from clubapp.ui.react.forms.draft_form import text_of
from clubapp.ui.records.states import RecordForm, RecordList
from clubapp.web.security.current_actor import actor
from clubapp.web.security.guard import Access
from clubapp.web.service_calls import read, write
from clubapp.web.states.loading import Loading

_NO_ERRORS = dict.fromkeys(LABELS, "")


class CompaniesState(RecordList, rx.State):
    """The companies that match the filter."""

    ACCESS: ClassVar[Access] = Access.ADMIN
    DELETED: ClassVar[str] = "Entreprise supprimée avec succès !"

    listing: CompanyList = CompanyList()
    wanted: CompanyFilter = CompanyFilter()

    async def _read(self) -> None:
        self._follow(company_listing.parse_filter(dict(self.router.url.query_parameters)))
        self.listing = await read(company_listing.list_companies, actor(), self.wanted)

    async def _delete(self, person: Actor, record_id: str) -> None:
        await write(editing.delete, person, record_id)


class CompanyFormState(RecordForm, rx.State):
    """The form of a company."""

    ACCESS: ClassVar[Access] = Access.ADMIN
    CREATED: ClassVar[str] = "Entreprise créée avec succès !"
    UPDATED: ClassVar[str] = "Entreprise mise à jour avec succès !"
    LIST: ClassVar[type[RecordList]] = CompaniesState
    PAGE: ClassVar[type[Loading]] = CompanyRecordState
    AT: ClassVar[str] = routes.ADMIN_COMPANIES
    NO_ERRORS: ClassVar[dict[str, str]] = _NO_ERRORS

    form: CompanyForm = CompanyForm()
    errors: dict[str, str] = _NO_ERRORS

    async def _form(self, record_id: str) -> CompanyForm:
        return await read(editing.open_form, actor(), record_id) if record_id else CompanyForm()

    def _typed(self, entries: dict[str, Any]) -> CompanyForm:
        return CompanyForm(**{name: text_of(entries, name) for name in ("id", "seen", *LABELS)})

    async def _save(self, person: Actor, typed: CompanyForm, _entries: dict[str, Any], /) -> None:
        await write(editing.save, person, typed)
