"""The list of members: searched, narrowed, read a page at a time; and the question before one is deleted."""

from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any, ClassVar

import reflex as rx

from clubapp.refusals import Refusal
from clubapp.services import member_list, members
from clubapp.services.member_list import MemberFilter, MemberList
from clubapp.services.paging import PAGE
from clubapp.services.search import LONGEST_QUERY
from clubapp.ui.records import ALL
from clubapp.web.feedback import toast_error, toast_success
from clubapp.web.guard import Access
from clubapp.web.session import actor
from clubapp.web.work import read, write

DELETED = "Membre supprimé avec succès !"


class MembersState(rx.State):
    """The members that answer the filter. `doomed` is the one whose deletion is being asked about."""

    ACCESS: ClassVar[Access] = Access.ADMIN

    listing: MemberList = MemberList()
    wanted: MemberFilter = MemberFilter()
    is_loaded: bool = False
    has_failed: bool = False
    doomed: str = ""
    doomed_name: str = ""
    is_busy: bool = False

    @rx.event
    async def load(self) -> None:
        """Read the list again, as far as it was shown."""
        try:
            self.listing = await read(member_list.listing, actor(), self.wanted)
        except Exception:
            self.has_failed = not self.is_loaded
            raise
        self.is_loaded, self.has_failed = True, False

    @rx.event
    async def search(self, text: str) -> None:
        """Those that a text finds."""
        await self._narrow(text=str(text)[:LONGEST_QUERY])

    @rx.event
    async def choose_domain(self, domain: str) -> None:
        """Those of one activity domain."""
        await self._narrow(domain="" if domain == ALL else str(domain)[:LONGEST_QUERY])

    @rx.event
    async def choose_status(self, status: str) -> None:
        """The active ones, or the others."""
        await self._narrow(status=status if status in ("active", "inactive") else "")

    @rx.event
    async def choose_completeness(self, which: str) -> None:
        """Those whose public page lacks something."""
        await self._narrow(to_complete=which == "to_complete")

    @rx.event
    async def show_more(self) -> None:
        """One more page."""
        self.wanted = replace(self.wanted, shown=self.wanted.shown + PAGE)
        await self.load()

    @rx.event
    def ask_to_delete(self, member_id: str, name: str) -> None:
        """Ask before deleting."""
        self.doomed, self.doomed_name, self.is_busy = str(member_id), str(name), False

    @rx.event
    def keep(self) -> None:
        """The answer is no."""
        self.doomed = ""

    @rx.event
    async def delete(self) -> AsyncIterator[Any]:
        """Delete the member that was asked about, once, however often the button is pressed."""
        if not self.doomed or self.is_busy:
            return
        person, self.is_busy = actor(), True
        yield
        try:
            await write(members.delete, person, self.doomed)
        except Refusal as refusal:
            await toast_error(self, "Erreur", refusal.text)
        else:
            await toast_success(self, DELETED)
        finally:
            self.is_busy, self.doomed = False, ""
        await self.load()

    async def _narrow(self, **changes: Any) -> None:
        self.wanted = replace(self.wanted, **changes, shown=PAGE)
        await self.load()
