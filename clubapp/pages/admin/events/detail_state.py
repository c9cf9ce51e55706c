"""The open event: its facts, and its figures, which are polled."""

from typing import Any, ClassVar

import reflex as rx

from clubapp.pages.admin.events.form_values import FormNotice
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
    """The dialog of an event. `tab` is the key of the open tab; `notice` says what just succeeded or failed."""

    ACCESS: ClassVar[Access] = Access.ADMIN

    detail: EventDetail = EventDetail()
    sending: SendingProgress = SendingProgress()
    newcomers: Newcomers = Newcomers()
    last_notice: LastNotice = LastNotice()
    is_open: bool = False
    tab: str = OVERVIEW
    notice: FormNotice = FormNotice()

    @rx.event
    async def show(self, event_id: str) -> None:
        """Open an event."""
        await self._read(str(event_id))
        self.notice, self.tab = FormNotice(), OVERVIEW
        self.is_open = True

    @rx.event
    def close(self) -> None:
        """Close the dialog."""
        self.is_open = False

    @rx.event
    def turn(self, tab: str) -> None:
        """Note which tab is open."""
        self.tab = str(tab)[:20]

    @rx.event
    async def follow(self) -> Any:
        """Read the figures and the mailing progress again; close when the event was deleted."""
        return await self._catch_up()

    async def _catch_up(self) -> Any:
        if not self.is_open:
            return None
        try:
            self._show_changes(await read_shared(admin_views.read_overview, actor(), self.detail.id))
        except NotFound as gone:
            self.is_open = False
            await toast_error(self, "", gone.text)
            return CalendarState.load
        return None

    async def _read(self, event_id: str) -> None:
        self._show_changes(await read(admin_views.read_overview, actor(), event_id))

    def _show_changes(self, overview: EventOverview) -> None:
        for name in ("detail", "sending", "newcomers", "last_notice"):
            if getattr(overview, name) != getattr(self, name):
                setattr(self, name, getattr(overview, name))

    async def _succeed(self, text: str) -> None:
        """Shown in the dialog when it is open, in a toast otherwise."""
        if self.is_open:
            self.notice = FormNotice("green", text)
        else:
            await toast_success(self, text)

    async def _fail(self, title: str, reason: str = "") -> None:
        if self.is_open:
            self.notice = FormNotice("red", title, reason)
        else:
            await toast_error(self, title, reason)
