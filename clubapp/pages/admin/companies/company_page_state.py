"""The page of one company."""

from typing import ClassVar

import reflex as rx

from clubapp import routes
from clubapp.refusals import NotFound
from clubapp.services.companies import company_page
from clubapp.services.companies.company_page import FIRST_LINES, MOST_LINES, CompanyRecord
from clubapp.web.security.current_actor import actor
from clubapp.web.security.guard import Access
from clubapp.web.service_calls import read
from clubapp.web.states.loading import LoadingRecord, Missing


class CompanyRecordState(LoadingRecord, rx.State):
    """The company of the address; `missing` says that there is none. The history has `lines` lines."""

    ACCESS: ClassVar[Access] = Access.ADMIN

    page: CompanyRecord = CompanyRecord()
    lines: int = FIRST_LINES

    @rx.event
    def begin(self) -> None:
        """The screen appears: show the history from its top."""
        self.lines = FIRST_LINES

    @rx.event
    async def show_older(self) -> None:
        """Show more of the history."""
        self.lines = min(self.lines + FIRST_LINES, MOST_LINES)
        await self.load()

    async def _read(self) -> None:
        company_id = routes.record_in(self.router.url.path, routes.ADMIN_COMPANIES)
        if not company_id:  # the form is saved on another screen
            return
        if company_id != self.page.id:
            self.page = CompanyRecord()
        try:
            self.page = await read(company_page.read_company, actor(), company_id, self.lines)
            self.missing = Missing()
        except NotFound as gone:
            self.page = CompanyRecord()
            self._miss(company_id, gone)
