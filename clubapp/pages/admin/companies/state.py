"""The list of companies."""

from typing import ClassVar

import reflex as rx

from clubapp.services import companies
from clubapp.services.companies import CompanyList
from clubapp.web.guard import Access
from clubapp.web.session import actor
from clubapp.web.work import read


class CompaniesState(rx.State):
    """Every company, read when the screen opens."""

    ACCESS: ClassVar[Access] = Access.ADMIN

    listing: CompanyList = CompanyList()
    is_loaded: bool = False

    @rx.event
    async def load(self) -> None:
        """Read the list again."""
        self.listing = await read(companies.listing, actor())
        self.is_loaded = True
