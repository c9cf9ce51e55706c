"""The members a visitor sees, chosen by the domain and the search in the address."""

from typing import ClassVar

import reflex as rx

from clubapp.refusals import Refusal
from clubapp.services.directory import for_visitors
from clubapp.services.directory.for_visitors import DOMAIN_PARAMETER, PARAMETERS, DirectoryPage
from clubapp.web.screens.toasts import NEUTRAL, log_unexpected
from clubapp.web.security.guard import Access
from clubapp.web.service_calls import read


class DirectoryState(rx.State):
    """The members that match. `is_loaded` is true once they are read; otherwise `error` says why not."""

    ACCESS: ClassVar[Access] = Access.EVERYONE

    found: DirectoryPage = DirectoryPage()
    is_loaded: bool = False
    error: str = ""

    @rx.event
    async def load(self) -> None:
        """Read the members that the address asks for."""
        asked = self.router.url.query_parameters
        try:
            self.found = await read(for_visitors.search_members, *(asked.get(name, "") for name in PARAMETERS))
        except Refusal as refusal:
            self._fail(asked.get(DOMAIN_PARAMETER, ""), refusal.text)
        except Exception as error:  # shown on the screen, with the reference of the log line
            self._fail(asked.get(DOMAIN_PARAMETER, ""), NEUTRAL.format(log_unexpected(error)))
        else:
            self.is_loaded, self.error = True, ""

    def _fail(self, domain: str, text: str) -> None:
        self.found = DirectoryPage(chosen=for_visitors.domain_slug(for_visitors.find_domain(domain)))
        self.is_loaded, self.error = False, text
