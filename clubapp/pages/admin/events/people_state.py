"""The people of the open event: one group, filtered by the search, polled; on the page of an event both stand in the
address."""

from collections.abc import Mapping
from typing import Any, ClassVar

import reflex as rx

from clubapp.pages.admin.events.detail_state import EventDetailState
from clubapp.refusals import NotFound, Refusal
from clubapp.services.attendance import attendee_list, closing
from clubapp.services.attendance.attendee_list import People
from clubapp.services.attendance.attendee_status import AttendeeStatus
from clubapp.services.base.search import LONGEST_QUERY
from clubapp.web.screens.toasts import toast_error
from clubapp.web.security.current_actor import actor
from clubapp.web.security.guard import Access
from clubapp.web.service_calls import read, read_shared, write

PAGE, EVERYONE = 50, 5000
GROUP, TEXT = "groupe", "q"  # in the address
FIRST_GROUP = AttendeeStatus.COMING.value


class PeopleState(rx.State):
    """The shown group. `event_id` is the event it was read for, `leaving` whom the question before forgetting names."""

    ACCESS: ClassVar[Access] = Access.ADMIN

    people: People = People()
    event_id: str = ""
    wanted: str = ""
    leaving: str = ""
    _leaving_person: str = ""
    _group: str = FIRST_GROUP
    _limit: int = PAGE

    @rx.event
    async def open(self) -> None:
        """The tab is opened: another event starts with those who come, the same one where it was left."""
        if (await self.get_state(EventDetailState)).detail.id != self.event_id:
            self._group, self.wanted, self._limit = FIRST_GROUP, "", PAGE
        await self._read()

    @rx.event
    async def follow(self) -> None:
        """Read again."""
        await self._read(read_shared)

    @rx.event
    async def keep_up(self) -> Any:
        """Read the figures of the event and its people again, in one event of the browser."""
        gone = await (await self.get_state(EventDetailState))._catch_up()
        await self._read(read_shared)
        return gone

    @rx.event
    async def choose(self, group: str) -> None:
        """Show another group."""
        self._group, self._limit = str(group), PAGE
        await self._read()

    @rx.event
    async def search(self, text: str) -> None:
        """Keep the people whose name or company contains the words."""
        self.wanted, self._limit = str(text)[:LONGEST_QUERY], PAGE
        await self._read()

    @rx.event
    async def show_all(self) -> None:
        """Show the whole group."""
        self._limit = EVERYONE
        await self._read()

    @rx.event
    async def mark(self, person: str, came: bool) -> Any:
        """Note by hand that somebody came, or did not; ask first where the guest, unannounced, would be forgotten."""
        unannounced = {row.person: row.name for row in self.people.rows if row.is_unannounced}
        if came is not True and str(person) in unannounced:
            self.leaving, self._leaving_person = unannounced[str(person)], str(person)
            return None
        return await self._note(str(person)[:80], came is True)

    @rx.event
    async def forget(self) -> Any:
        """The guest did not come, and is forgotten."""
        person = self._leaving_person
        self.keep()
        return await self._note(person, False) if person else None

    @rx.event
    def keep(self) -> None:
        """The question is closed, and nothing changes."""
        self.leaving = self._leaving_person = ""

    async def _note(self, person: str, came: bool) -> Any:
        try:
            await write(closing.mark_arrival, actor(), self.event_id, person, came)
        except Refusal as refusal:
            await toast_error(self, "La venue n’a pas été notée", refusal.text)
        return await self.keep_up()

    async def _follow_address(self, asked: Mapping[str, str], ask: Any) -> None:
        """Take the group and the search of the address of the event's page, then read."""
        group, wanted = asked.get(GROUP) or FIRST_GROUP, asked.get(TEXT, "")[:LONGEST_QUERY]
        if (group, wanted) != (self._group, self.wanted):
            self._group, self.wanted, self._limit = group, wanted, PAGE
        await self._read(ask)

    async def _read(self, ask: Any = read) -> None:
        event_id = (await self.get_state(EventDetailState)).detail.id
        if not event_id:
            return
        try:
            people = await ask(
                attendee_list.list_people, actor(), event_id, self._group, wanted=self.wanted, limit=self._limit
            )
        except NotFound:
            return  # deleted meanwhile: the dialog shows that and closes
        if people != self.people:
            self.people = people
        if event_id != self.event_id:
            self.event_id = event_id
