"""The journal: searched, narrowed, read a page at a time, live while something is on its way."""

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
    """The messages that answer the search: what the address asks for (`?etat=`, `?evenement=`), then what is chosen."""

    ACCESS: ClassVar[Access] = Access.ADMIN

    journal: MailLog = MailLog()
    filters: FilterOptions = FilterOptions()
    wanted: MailLogQuery = MailLogQuery()
    is_loaded: bool = False
    has_failed: bool = False
    begun: int = 0
    _asked: tuple[str, str] | None = None

    @rx.event
    async def begin(self) -> None:
        """The journal is opened: nothing is chosen yet."""
        self._asked = None
        await self._follow()

    @rx.event
    async def load(self) -> None:
        """Read what is shown."""
        await self._follow()

    @rx.event
    async def search(self, text: str) -> None:
        """Those whose name or address holds these words."""
        await self._narrow(text=str(text)[:LONGEST_QUERY])

    @rx.event
    async def choose_state(self, state: str) -> None:
        """Those in one state; chosen again, all."""
        state = str(state) if str(state) in mail_log.STATES else ""
        await self._narrow(state="" if state == self.wanted.state else state)

    @rx.event
    async def choose_kind(self, kind: str) -> None:
        """Those of one kind."""
        await self._narrow(kind=str(kind) if str(kind) in MAIL_KINDS else "")

    @rx.event
    async def choose_event(self, event_id: str) -> None:
        """Those about one event."""
        await self._narrow(event_id="" if event_id == ALL else str(event_id))

    @rx.event
    async def turn(self, page: int) -> None:
        """Another page."""
        self.wanted = replace(self.wanted, page=min(page, _LAST_PAGE) if isinstance(page, int) else 1)
        await self._read()

    async def _follow(self) -> None:
        """Read what the address asks for when it changed, and else what was chosen since."""
        query = self.router.url.query_parameters
        asked = query.get("etat", ""), query.get("evenement", "")
        if asked != self._asked:
            self._asked, self.wanted = asked, MailLogQuery(state=asked[0], event_id=asked[1])
            self.begun += 1
        await self._read()

    async def _narrow(self, **changes: Any) -> None:
        self.wanted = replace(self.wanted, **changes, page=1)
        await self._read()

    async def _read(self) -> None:
        try:
            found = await read(mail_log.read_page, actor(), self.wanted)
            filters = await read(mail_log.list_filter_options, actor())
        except Exception:  # an empty screen says so, and the guard tells of it
            await show_failure(self)
            raise
        if found != self.journal:
            self.journal = found
        if filters != self.filters:
            self.filters = filters
        self.is_loaded, self.has_failed = True, False
