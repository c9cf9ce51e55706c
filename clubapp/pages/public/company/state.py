"""The company whose page is open."""

from typing import Any, ClassVar

import reflex as rx

from clubapp import routes
from clubapp.refusals import Refusal
from clubapp.services.directory import for_visitors
from clubapp.services.directory.for_visitors import CompanyPage
from clubapp.web.screens.toasts import log_unexpected
from clubapp.web.security.guard import Access
from clubapp.web.service_calls import read


class CompanyPageState(rx.State):
    """One company's page; empty until it is read."""

    ACCESS: ClassVar[Access] = Access.EVERYONE

    company: CompanyPage = CompanyPage()

    @rx.event
    async def load(self) -> Any:
        """Read the company in the address. If that fails, go back to the directory without a message."""
        company_id = self.router.url.path.rstrip("/").rsplit("/", 1)[-1]
        if company_id != self.company.id:
            self.company = CompanyPage()
            yield
        try:
            self.company = await read(for_visitors.read_company_page, company_id)
        except Refusal:
            yield rx.redirect(routes.DIRECTORY, replace=True)
        except Exception as error:  # a visitor is shown the same as for an unknown address
            log_unexpected(error)
            yield rx.redirect(routes.DIRECTORY, replace=True)
