"""The detail of an event: figures that follow the answers, sending the invitations, deleting."""

from collections.abc import AsyncIterator
from typing import Any, ClassVar

import reflex as rx

from clubapp.pages.admin.events.state import CalendarState
from clubapp.pages.admin.events.typed import Notice
from clubapp.refusals import NotFound, Refusal
from clubapp.services import event_views, events, invitations
from clubapp.services.event_views import EventDetail
from clubapp.services.invitations import Sending
from clubapp.web.feedback import toast_error, toast_success
from clubapp.web.guard import Access
from clubapp.web.session import actor
from clubapp.web.work import read, write

SENT = "Les invitations ont été envoyées avec succès !"
SEND_FAILED = "Erreur lors de l'envoi des invitations"
DELETED = "Événement supprimé avec succès !"
DELETE_FAILED = "Erreur lors de la suppression de l'événement"


class EventDetailState(rx.State):
    """The event that is looked at. `question` is what is being asked about `subject`: "send", "delete" or nothing."""

    ACCESS: ClassVar[Access] = Access.ADMIN

    detail: EventDetail = EventDetail()
    sending: Sending = Sending()
    is_open: bool = False
    question: str = ""
    subject: str = ""
    notice: Notice = Notice()
    is_busy: bool = False

    @rx.event
    async def show(self, event_id: str) -> None:
        """Open an event."""
        await self._read(event_id)
        self.notice = Notice()
        self.is_open = True

    @rx.event
    def close(self) -> None:
        """Back to the calendar."""
        self.is_open = False

    @rx.event
    async def follow(self) -> Any:
        """Read the figures and the sending again; close when the event is gone."""
        if not self.is_open:
            return None
        try:
            await self._read(self.detail.id)
        except NotFound as gone:
            self.is_open, self.question = False, ""
            await toast_error(self, "", gone.text)
            return CalendarState.load
        return None

    @rx.event
    def ask_to_send(self, event_id: str) -> None:
        """Ask before inviting everyone."""
        self.subject, self.question, self.is_busy = event_id, "send", False

    @rx.event
    def ask_to_delete(self, event_id: str) -> None:
        """Ask before deleting."""
        self.subject, self.question, self.is_busy = event_id, "delete", False

    @rx.event
    def cancel(self) -> None:
        """The answer is no."""
        self.question = ""

    @rx.event
    async def send(self, event_id: str) -> AsyncIterator[Any]:
        """Invite every member; told in the dialog when it is open, in a toast otherwise.

        The second press of a double press finds the question answered, and does nothing.
        """
        if self.question != "send":
            return
        person, self.is_busy = actor(), True
        yield
        try:
            await write(invitations.send, person, event_id)
            if self.is_open:
                await self._read(event_id)
        except Refusal as refusal:
            await self._fail(SEND_FAILED, refusal.text)
        except Exception:
            await self._fail(SEND_FAILED)
            raise
        else:
            await self._succeed(SENT)
        finally:
            self.is_busy, self.question = False, ""
        yield CalendarState.load

    @rx.event
    async def delete(self, event_id: str) -> AsyncIterator[Any]:
        """Delete the event, once, however often the button is pressed."""
        if self.question != "delete":
            return
        person, self.is_busy = actor(), True
        yield
        try:
            await write(events.delete, person, event_id)
        except Refusal as refusal:
            await self._fail(DELETE_FAILED, refusal.text)
        except Exception:
            await self._fail(DELETE_FAILED)
            raise
        else:
            self.is_open = False
            await self._succeed(DELETED)
        finally:
            self.is_busy, self.question = False, ""
        yield CalendarState.load

    async def _read(self, event_id: str) -> None:
        detail = await read(event_views.detail, actor(), event_id)
        sending = await read(invitations.progress, actor(), event_id)
        if detail != self.detail:
            self.detail = detail
        if sending != self.sending:
            self.sending = sending

    async def _succeed(self, text: str) -> None:
        if self.is_open:
            self.notice = Notice("green", text)
        else:
            await toast_success(self, text)

    async def _fail(self, title: str, reason: str = "") -> None:
        if self.is_open:
            self.notice = Notice("red", title, reason)
        else:
            await toast_error(self, title, reason)
