"""The members a visitor sees, chosen by the domain in the address."""

from typing import ClassVar

import reflex as rx

from clubapp.refusals import Refusal
from clubapp.services import directory
from clubapp.services.directory import DOMAIN_PARAMETER, MemberCard
from clubapp.web.feedback import NEUTRAL, log_unexpected
from clubapp.web.guard import Access
from clubapp.web.work import read


class DirectoryState(rx.State):
    """What the directory shows; `is_loaded` holds once there is a list, `error` is the sentence when there is none."""

    ACCESS: ClassVar[Access] = Access.EVERYONE

    members: tuple[MemberCard, ...] = ()
    chosen: str = ""
    count_label: str = ""
    is_loaded: bool = False
    error: str = ""

    @rx.event
    async def load(self) -> None:
        """Read the members of the domain in the address."""
        wanted = self.router.url.query_parameters.get(DOMAIN_PARAMETER, "")
        try:
            found = await read(directory.search, wanted)
        except Refusal as refusal:
            self._fail(wanted, refusal.text)
        except Exception as error:
            self._fail(wanted, NEUTRAL.format(log_unexpected(error)))
        else:
            self.members, self.chosen, self.count_label = found.members, found.chosen, found.count_label
            self.is_loaded, self.error = True, ""

    def _fail(self, wanted: str, text: str) -> None:
        self.members, self.chosen, self.count_label = (), directory.slug(directory.domain_named(wanted)), ""
        self.is_loaded, self.error = False, text
