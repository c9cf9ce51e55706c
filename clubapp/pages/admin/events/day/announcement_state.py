"""Telling the caterer and the host of an event its numbers."""

from collections.abc import AsyncIterator, Callable
from functools import partial
from typing import Any, ClassVar

import reflex as rx

from clubapp.pages.admin.events.detail_state import EventDetailState
from clubapp.refusals import Refusal
from clubapp.services.base.form_fields import InvalidForm
from clubapp.services.events import announcement
from clubapp.ui.react.forms.entries_form import pairs_of
from clubapp.web.security.current_actor import actor
from clubapp.web.security.guard import Access
from clubapp.web.service_calls import write

NOT_SENT = "Les nombres n’ont pas été envoyés"


class AnnouncementState(rx.State):
    """The press of the open event; `problem` is what is wrong with the address that is typed beside it."""

    ACCESS: ClassVar[Access] = Access.ADMIN
    HANDLER_ACCESS: ClassVar[dict[str, Access]] = {"send": Access.ADMIN_FRESH, "send_to": Access.ADMIN_FRESH}

    is_busy: bool = False
    problem: str = ""
    attempt: int = 0

    @rx.event
    async def send_to(self, entries: list[list[str]]) -> AsyncIterator[Any]:
        """Keep the address of the caterer and send the numbers there; a refusal is shown beside the field."""
        typed = dict(pairs_of(entries))
        if self.is_busy:
            return
        person, self.is_busy, self.problem = actor(), True, ""
        yield
        event_id, email = typed.get("event_id", ""), typed.get("caterer_email", "")
        await self._tell(
            event_id, partial(announcement.announce_to_caterer, actor=person, event_id=event_id, email=email)
        )

    @rx.event
    async def send(self, event_id: str) -> AsyncIterator[Any]:
        """Freeze the numbers and send them, or what has changed of them; a second press at once finds none to send."""
        detail = await self.get_state(EventDetailState)
        if self.is_busy or not detail.detail.announcement.label:
            return
        person, self.is_busy = actor(), True
        yield
        await self._tell(str(event_id), partial(announcement.announce, actor=person, event_id=str(event_id)))

    async def _tell(self, event_id: str, announce: Callable[..., str]) -> None:
        detail = await self.get_state(EventDetailState)
        try:
            told = await write(announce)
            await detail._read(event_id)
        except InvalidForm as refusal:
            self.problem, self.attempt = refusal.text, self.attempt + 1
        except Refusal as refusal:
            await detail._fail(NOT_SENT, refusal.text)
        else:
            await detail._succeed(told)
        finally:
            self.is_busy = False
