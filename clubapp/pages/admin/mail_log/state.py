"""The mail log: searched, filtered, read a page at a time, polled."""

from typing import ClassVar

import reflex as rx

from clubapp.services.mail_log import listing
from clubapp.services.mail_log.listing import FilterOptions, MailLog, MailLogQuery
from clubapp.web.security.current_actor import actor
from clubapp.web.security.guard import Access
from clubapp.web.service_calls import read
from clubapp.web.states.loading import show_failure


class MailLogState(rx.State):
    """The messages that the address asks for."""

    ACCESS: ClassVar[Access] = Access.ADMIN

    journal: MailLog = MailLog()
    filters: FilterOptions = FilterOptions()
    wanted: MailLogQuery = MailLogQuery()
    is_loaded: bool = False
    has_failed: bool = False

    @rx.event
    async def load(self) -> None:
        """Read the messages again."""
        wanted = listing.parse_query(dict(self.router.url.query_parameters))
        if wanted != self.wanted:
            self.wanted = wanted
        await self._read()

    async def _read(self) -> None:
        try:
            journal = await read(listing.read_page, actor(), self.wanted)
            filters = await read(listing.list_filter_options, actor())
        except Exception:  # an empty screen shows it, and the guard logs it
            await show_failure(self)
            raise
        if journal != self.journal:
            self.journal = journal
        if filters != self.filters:
            self.filters = filters
        self.is_loaded, self.has_failed = True, False
