"""The directory of members, chosen by the domain and the search in the address."""

from typing import ClassVar

import reflex as rx

from clubapp.services.directory import for_members
from clubapp.services.directory.for_members import MemberDirectory
from clubapp.services.directory.for_visitors import PARAMETERS
from clubapp.web.security.current_actor import actor
from clubapp.web.security.guard import Access
from clubapp.web.service_calls import read
from clubapp.web.states.loading import Loading


class MemberDirectoryState(Loading, rx.State):
    """The members that match, with what each shows to members."""

    ACCESS: ClassVar[Access] = Access.MEMBER

    found: MemberDirectory = MemberDirectory()

    async def _read(self) -> None:
        asked = self.router.url.query_parameters
        wanted = (asked.get(name, "") for name in PARAMETERS)
        self.found = await read(for_members.search_members, actor(), *wanted)
