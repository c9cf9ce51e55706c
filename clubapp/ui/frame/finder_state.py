"""What the search over everything has found."""

from dataclasses import dataclass
from typing import ClassVar

import reflex as rx

from clubapp.services.base.search import LONGEST_QUERY
from clubapp.services.finder import finding
from clubapp.services.finder.finding import Findings
from clubapp.web.screens.toasts import explain_failure
from clubapp.web.security.current_actor import actor
from clubapp.web.security.guard import Access
from clubapp.web.service_calls import read


@dataclass(frozen=True)
class FailedSearch:
    """The text whose search failed and the sentence that says so; `number` tells apart two failures of one text."""

    asked: str = ""
    text: str = ""
    number: int = 0


class FinderState(rx.State):
    """The last answer, and the last failure."""

    ACCESS: ClassVar[Access] = Access.ADMIN

    found: Findings = Findings()
    failed: FailedSearch = FailedSearch()

    @rx.event
    async def search(self, text: str) -> None:
        """Find what matches a text."""
        asked = str(text)[:LONGEST_QUERY]
        try:
            self.found = await read(finding.find_anything, actor(), asked)
        except Exception as error:  # of whatever kind: it is said where the results would be
            self.failed = FailedSearch(asked, explain_failure(error), self.failed.number + 1)
