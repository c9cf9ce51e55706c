"""The event that is looked at: its facts and its figures, which follow the answers."""

from typing import Any, ClassVar

import reflex as rx

from clubapp.pages.admin.events.form_values import Notice
from clubapp.pages.admin.events.state import CalendarState
from clubapp.refusals import NotFound
from clubapp.services.events import admin_views
from clubapp.services.events.admin_views import EventDetail, EventOverview
from clubapp.services.events.change_notice_progress import LastNotice
from clubapp.services.events.invitation_follow_up import Newcomers
from clubapp.services.events.invitations import SendingProgress
from clubapp.web.screens.toasts import toast_error, toast_success
from clubapp.web.security.current_actor import actor
from clubapp.web.security.guard import Access
from clubapp.web.service_calls import read, read_shared

OVERVIEW = "overview"


class EventDetailState(rx.State):
    """The open dialog. `tab` is the part of it that is shown; `notice` what just went well or wrong."""

    ACCESS: ClassVar[Access] = Access.ADMIN

    detail: EventDetail = EventDetail()
    sending: SendingProgress = SendingProgress()
    newcomers: Newcomers = Newcomers()
    told: LastNotice = LastNotice()
    is_open: bool = False
    tab: str = OVERVIEW
    notice: Notice = Notice()

    @rx.event
    async def show(self, event_id: str) -> None:
        """Open an event."""
        await self._read(str(event_id))
        self.notice, self.tab = Notice(), OVERVIEW
        self.is_open = True

    @rx.event
    def close(self) -> None:
        """Back to the calendar."""
        self.is_open = False

    @rx.event
    def turn(self, tab: str) -> None:
        """Another part of the dialog."""
        self.tab = str(tab)[:20]

    @rx.event
    async def follow(self) -> Any:
        """Read the figures and the sending again; close when the event is gone."""
        return await self._catch_up()

    async def _catch_up(self) -> Any:
        if not self.is_open:
            return None
        try:
            self._draw(await read_shared(admin_views.read_overview, actor(), self.detail.id))
        except NotFound as gone:
            self.is_open = False
            await toast_error(self, "", gone.text)
            return CalendarState.load
        return None

    async def _read(self, event_id: str) -> None:
        self._draw(await read(admin_views.read_overview, actor(), event_id))

    def _draw(self, found: EventOverview) -> None:
        if found.detail != self.detail:
            self.detail = found.detail
        if found.sending != self.sending:
            self.sending = found.sending
        if found.newcomers != self.newcomers:
            self.newcomers = found.newcomers
        if found.last_notice != self.told:
            self.told = found.last_notice

    async def _succeed(self, text: str) -> None:
        """Told in the dialog when it is open, in a toast otherwise."""
        if self.is_open:
            self.notice = Notice("green", text)
        else:
            await toast_success(self, text)

    async def _fail(self, title: str, reason: str = "") -> None:
        if self.is_open:
            self.notice = Notice("red", title, reason)
        else:
            await toast_error(self, title, reason)
