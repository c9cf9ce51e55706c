"""The public page that the typed company would make."""

from typing import Any, ClassVar

import reflex as rx

from clubapp.pages.member.company.state import OwnCompanyState
from clubapp.pages.member.company.typed import company_form, errors_of
from clubapp.services import own_company
from clubapp.services.directory import CompanyPage
from clubapp.services.event_form import InvalidForm
from clubapp.web.guard import Access
from clubapp.web.session import actor
from clubapp.web.work import read


class CompanyPreviewState(rx.State):
    """What 'Aperçu' shows. Nothing is written."""

    ACCESS: ClassVar[Access] = Access.MEMBER

    page: CompanyPage = CompanyPage()
    is_open: bool = False

    @rx.event
    async def show(self, entries: dict[str, Any]) -> None:
        """Draw the page of what is typed, or say what is wrong with it."""
        mine = await self.get_state(OwnCompanyState)
        try:
            self.page = await read(own_company.preview, actor(), company_form(entries))
        except InvalidForm as refusal:
            mine.errors = errors_of(refusal.errors)
            mine.attempt += 1
            return
        self.is_open = True

    @rx.event
    def close(self) -> None:
        """Back to the form."""
        self.is_open = False
