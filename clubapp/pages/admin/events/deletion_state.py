"""Deleting an event: one question, and a second one when answers would be lost."""

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

DELETED = "Événement supprimé avec succès\u00a0!"
DELETE_FAILED = "Erreur lors de la suppression de l'événement"


class EventDeletionState(rx.State):
    """The event about to be deleted. `step` is "sure", then "loss" when answers would be lost, or empty."""

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
        """Close the question."""
        self.step = ""

    @rx.event
    async def go_on(self) -> AsyncIterator[Any]:
        """The first question is confirmed: delete, or ask the second one."""
        if self.step == "sure" and self.deletion.loss:
            self.step = "loss"
        elif self.step == "sure":
            async for update in self._delete(False):
                yield update

    @rx.event
    async def delete(self, tell: bool) -> AsyncIterator[Any]:
        """The second question is confirmed: delete the answers too; those invited get a notice if `tell`."""
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
        except Exception:  # raised again below: the guard logs it, the toast says what failed
            await toast_error(self, DELETE_FAILED, "")
            raise
        else:
            await toast_success(self, DELETED)
            yield EventDetailState.close
        finally:
            self.is_busy, self.step = False, ""
        yield CalendarState.load
