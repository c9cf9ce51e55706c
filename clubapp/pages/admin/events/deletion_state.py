"""Deleting an event: asked once, and once more when answers go with it."""

from collections.abc import AsyncIterator
from typing import Any, ClassVar

import reflex as rx

from clubapp.pages.admin.events.detail_state import EventDetailState
from clubapp.pages.admin.events.state import CalendarState
from clubapp.refusals import Refusal
from clubapp.services.events import editing
from clubapp.services.events.editing import DeletionPreview
from clubapp.web.screens.toasts import toast_error, toast_success
from clubapp.web.security.current_actor import actor
from clubapp.web.security.guard import Access
from clubapp.web.service_calls import read, write

DELETED = "Événement supprimé avec succès !"
DELETE_FAILED = "Erreur lors de la suppression de l'événement"


class EventDeletionState(rx.State):
    """What is about to be deleted. `step` is "sure", then "loss" when answers go too, or nothing."""

    ACCESS: ClassVar[Access] = Access.ADMIN

    step: str = ""
    deletion: DeletionPreview = DeletionPreview()
    is_busy: bool = False

    @rx.event
    async def ask(self, event_id: str) -> None:
        """Ask before deleting."""
        self.deletion = await read(editing.preview_deletion, actor(), str(event_id))
        self.step, self.is_busy = "sure", False

    @rx.event
    def cancel(self) -> None:
        """The answer is no."""
        self.step = ""

    @rx.event
    async def go_on(self) -> AsyncIterator[Any]:
        """The first answer is yes: delete, or tell first what goes with the event."""
        if self.step == "sure" and self.deletion.loss:
            self.step = "loss"
        elif self.step == "sure":
            async for update in self._delete(False):
                yield update

    @rx.event
    async def delete(self, tell: bool) -> AsyncIterator[Any]:
        """The second answer is yes: with its answers, and a message to those invited when `tell`."""
        if self.step == "loss":
            async for update in self._delete(tell):
                yield update

    async def _delete(self, tell: bool) -> AsyncIterator[Any]:
        person, self.is_busy = actor(), True
        yield
        try:
            await write(editing.delete, person, self.deletion.event_id, tell)
        except Refusal as refusal:
            await toast_error(self, DELETE_FAILED, refusal.text)
        except Exception:  # raised again below: the guard logs it, here the person is told what it stopped
            await toast_error(self, DELETE_FAILED, "")
            raise
        else:
            await toast_success(self, DELETED)
            yield EventDetailState.close
        finally:
            self.is_busy, self.step = False, ""
        yield CalendarState.load
