"""The list of members."""

from typing import ClassVar

import reflex as rx

from clubapp.services import members
from clubapp.services.members import MemberList
from clubapp.web.guard import Access
from clubapp.web.session import actor
from clubapp.web.work import read


class MembersState(rx.State):
    """Every member, read when the screen opens."""

    ACCESS: ClassVar[Access] = Access.ADMIN

    listing: MemberList = MemberList()
    is_loaded: bool = False

    @rx.event
    async def load(self) -> None:
        """Read the list again."""
        self.listing = await read(members.listing, actor())
        self.is_loaded = True
