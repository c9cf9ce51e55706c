"""The event of the address: what stands around the tabs, and the content of the open one; polled while it is open."""

from contextlib import suppress
from typing import Any, ClassVar

import reflex as rx

from clubapp import routes
from clubapp.pages.admin.events.detail_state import EventDetailState
from clubapp.pages.admin.events.people_state import PeopleState
from clubapp.refusals import NotFound
from clubapp.services.attendance import answer_list
from clubapp.services.attendance.answer_list import FIRST_ROWS, MOST_ROWS, AnswerList
from clubapp.services.base.search import LONGEST_QUERY
from clubapp.services.events import meeting_mails, meeting_page
from clubapp.services.events.meeting_mails import MeetingMails
from clubapp.services.events.meeting_page import Meeting
from clubapp.services.events.stages import DAY_TAB, REVIEW_TAB
from clubapp.services.today import next_meeting
from clubapp.web.security.current_actor import actor
from clubapp.web.security.guard import Access
from clubapp.web.service_calls import read, read_shared
from clubapp.web.states.loading import LoadingRecord, Missing, send_changes

ANSWERS, MESSAGES, DAY, REVIEW = "reponses", "messages", DAY_TAB, REVIEW_TAB
TABS = (ANSWERS, MESSAGES, DAY, REVIEW)


class MeetingState(LoadingRecord, rx.State):
    """The event and the open tab, which is `?onglet=`; `missing` says that there is no such event.

    The answers are narrowed by `?reponse=`, searched by `?q=` and sorted by `?tri=`; who came, by `?groupe=` and `?q=`.
    """

    ACCESS: ClassVar[Access] = Access.ADMIN

    meeting: Meeting = Meeting()
    answers: AnswerList = AnswerList()
    mails: MeetingMails = MeetingMails()
    tab: str = ANSWERS
    is_printing: bool = False
    _limit: int = FIRST_ROWS
    _narrowed: tuple[str, ...] = ()

    @rx.event
    async def follow(self) -> None:
        """Read again: other people's answers and acts, the progress of mails."""
        if self.meeting.id:
            await self._read(read_shared)

    @rx.event
    async def show_all(self) -> None:
        """Show everyone of the list."""
        self._limit = MOST_ROWS
        await self.load()

    @rx.event
    async def print_page(self) -> None:
        """Show everyone of the list, then print the page: paper has no button that shows the others."""
        await self.show_all()
        self.is_printing = True

    @rx.event
    def end_printing(self) -> None:
        """The browser's own dialog is closed."""
        self.is_printing = False

    @rx.event
    async def prepare(self) -> None:
        """Send the head of the next event beforehand: its page stands at once when it is opened, and reads again."""
        event_id = await read(next_meeting.find_next, actor())
        if event_id:
            self.tab = ANSWERS
            with suppress(NotFound):
                await self._read_head(event_id)

    async def _read_head(self, event_id: str, ask: Any = read) -> None:
        if event_id != self.meeting.id:
            self.meeting, self.answers, self.mails = Meeting(), AnswerList(), MeetingMails()
        page = await ask(meeting_page.read_meeting, actor(), event_id)
        (await self.get_state(EventDetailState))._show_changes(page.overview)
        if page.meeting != self.meeting:
            self.meeting = page.meeting
        self.missing = Missing()

    async def _read(self, ask: Any = read) -> None:
        event_id = routes.record_in(self.router.url.path, routes.ADMIN_EVENTS)
        if not event_id:  # the browser has left the page
            return
        is_new = event_id != self.meeting.id
        asked = self.router.url.query_parameters
        tab = asked.get("onglet", "")
        self.tab = tab if tab in TABS else ANSWERS
        try:
            await self._read_head(event_id, ask)
            self.is_loaded = True
            if is_new:
                await send_changes(self)  # its list of people takes a phone longer to draw
            await self._read_tab(ask, event_id, asked)
        except NotFound as gone:
            self.meeting = Meeting()
            self._miss(event_id, gone)

    async def _read_tab(self, ask: Any, event_id: str, asked: Any) -> None:
        if self.tab == MESSAGES:
            mails = await ask(meeting_mails.read_mails, actor(), event_id)
            if mails != self.mails:
                self.mails = mails
        if self.tab == REVIEW:
            await (await self.get_state(PeopleState))._follow_address(asked, ask)
        if self.tab != ANSWERS:
            return
        chosen, wanted, order = (asked.get(name, "")[:LONGEST_QUERY] for name in ("reponse", "q", "tri"))
        if (event_id, chosen, wanted) != self._narrowed:
            self._narrowed, self._limit = (event_id, chosen, wanted), FIRST_ROWS
        found = await ask(
            answer_list.list_answers, actor(), event_id, chosen, wanted=wanted, order=order, limit=self._limit
        )
        if found != self.answers:
            self.answers = found
