"""The mail log: searched, filtered, read a page at a time, polled."""

from dataclasses import replace
from typing import Any, ClassVar

import reflex as rx

from clubapp.mail.messages.registry import MAIL_KINDS
from clubapp.services.base.search import LONGEST_QUERY
from clubapp.services.mail_log import mail_log
from clubapp.services.mail_log.mail_log import FilterOptions, MailLog, MailLogQuery
from clubapp.ui.records.rows import ALL
from clubapp.web.security.current_actor import actor
from clubapp.web.security.guard import Access
from clubapp.web.service_calls import read
from clubapp.web.states.loading import show_failure

_LAST_PAGE = 1_000_000


class MailLogState(rx.State):
    """The messages that match `wanted`, which starts from the address (`?etat=`, `?evenement=`, `?message=`).

    `generation` rises whenever the address resets the search field.
    """

    ACCESS: ClassVar[Access] = Access.ADMIN

    journal: MailLog = MailLog()
    filters: FilterOptions = FilterOptions()
    wanted: MailLogQuery = MailLogQuery()
    is_loaded: bool = False
    has_failed: bool = False
    generation: int = 0
    _from_address: tuple[str, str, str] | None = None

    @rx.event
    async def begin(self) -> None:
        """The screen appears: forget earlier filters."""
        self._from_address = None
        await self._follow()

    @rx.event
    async def load(self) -> None:
        """Read the messages again."""
        await self._follow()

    @rx.event
    async def search(self, text: str) -> None:
        """Keep the messages whose name or address contains the words."""
        await self._narrow(text=str(text)[:LONGEST_QUERY])

    @rx.event
    async def choose_state(self, state: str) -> None:
        """Keep the messages in one state; the same state again removes the filter."""
        state = str(state) if str(state) in mail_log.STATES else ""
        await self._narrow(state="" if state == self.wanted.state else state)

    @rx.event
    async def choose_kind(self, kind: str) -> None:
        """Keep the messages of one kind, or all."""
        await self._narrow(kind=str(kind) if str(kind) in MAIL_KINDS else "")

    @rx.event
    async def choose_event(self, event_id: str) -> None:
        """Keep the messages about one event, or all."""
        await self._narrow(event_id="" if event_id == ALL else str(event_id))

    @rx.event
    async def turn(self, page: int) -> None:
        """Show another page."""
        self.wanted = replace(self.wanted, page=min(page, _LAST_PAGE) if isinstance(page, int) else 1)
        await self._read()

    async def _follow(self) -> None:
        """Take the filters of the address when it has changed, then read."""
        query = self.router.url.query_parameters
        address = query.get("etat", ""), query.get("evenement", ""), query.get("message", "")
        if address != self._from_address:
            self._from_address = address
            self.wanted = MailLogQuery(state=address[0], event_id=address[1], broadcast_id=address[2])
            self.generation += 1
        await self._read()

    async def _narrow(self, **changes: Any) -> None:
        self.wanted = replace(self.wanted, **changes, page=1)
        await self._read()

    async def _read(self) -> None:
        try:
            journal = await read(mail_log.read_page, actor(), self.wanted)
            filters = await read(mail_log.list_filter_options, actor())
        except Exception:  # an empty screen shows it, and the guard logs it
            await show_failure(self)
            raise
        if journal != self.journal:
            self.journal = journal
        if filters != self.filters:
            self.filters = filters
        self.is_loaded, self.has_failed = True, False
