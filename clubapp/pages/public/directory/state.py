"""The members a visitor sees, chosen by the domain and the search in the address."""

from typing import ClassVar

import reflex as rx

from clubapp.refusals import Refusal
from clubapp.services import directory
from clubapp.services.directory import DOMAIN_PARAMETER, SEARCH_PARAMETER, Directory
from clubapp.web.feedback import NEUTRAL, log_unexpected
from clubapp.web.guard import Access
from clubapp.web.work import read


class DirectoryState(rx.State):
    """What the directory shows; `is_loaded` holds once there is a list, `error` is the sentence when there is none."""

    ACCESS: ClassVar[Access] = Access.EVERYONE

    found: Directory = Directory()
    is_loaded: bool = False
    error: str = ""

    @rx.event
    async def load(self) -> None:
        """Read the members that the address asks for."""
        asked = self.router.url.query_parameters
        domain, text = asked.get(DOMAIN_PARAMETER, ""), asked.get(SEARCH_PARAMETER, "")
        try:
            self.found = await read(directory.search, domain, text)
        except Refusal as refusal:
            self._fail(domain, refusal.text)
        except Exception as error:  # the screen says so, with its reference
            self._fail(domain, NEUTRAL.format(log_unexpected(error)))
        else:
            self.is_loaded, self.error = True, ""

    def _fail(self, domain: str, text: str) -> None:
        self.found = Directory(chosen=directory.slug(directory.domain_named(domain)))
        self.is_loaded, self.error = False, text
