"""The member's own company."""

from typing import ClassVar

import reflex as rx

from clubapp.services import membership
from clubapp.services.membership import OwnCompany
from clubapp.web.guard import Access
from clubapp.web.session import actor
from clubapp.web.work import read


class OwnCompanyState(rx.State):
    """What 'Mon entreprise' shows."""

    ACCESS: ClassVar[Access] = Access.MEMBER

    company: OwnCompany = OwnCompany()
    is_loaded: bool = False
    has_company: bool = False

    @rx.event
    async def load(self) -> None:
        """Read the company."""
        found = await read(membership.company, actor())
        self.has_company = found is not None
        self.company = found or OwnCompany()
        self.is_loaded = True
