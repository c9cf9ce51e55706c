"""Deleting an event, after one question that says what is lost and who could get a notice."""

from collections.abc import AsyncIterator
from typing import Any, ClassVar

import reflex as rx

from clubapp import routes
from clubapp.pages.admin.events.detail_state import EventDetailState
from clubapp.pages.admin.events.state import CalendarState
from clubapp.refusals import Refusal
from clubapp.services.events import editing
from clubapp.services.events.editing import DeletionPreview
from clubapp.web.screens import proof
from clubapp.web.screens.toasts import explain_failure, toast_error, toast_success
from clubapp.web.security.current_actor import actor
from clubapp.web.security.guard import Access
from clubapp.web.service_calls import read, write

DELETED = "Événement supprimé avec succès\u00a0!"
DELETE_FAILED = "Erreur lors de la suppression de l'événement"


class EventDeletionState(rx.State):
    """The event about to be deleted, while `is_asking`."""

    ACCESS: ClassVar[Access] = Access.ADMIN

    is_asking: bool = False
    deletion: DeletionPreview = DeletionPreview()
    is_busy: bool = False

    @rx.event
    async def ask(self, event_id: str) -> None:
        """Ask before deleting."""
        self.deletion = await read(editing.preview_deletion, actor(), str(event_id))
        self.is_asking, self.is_busy = True, False

    @rx.event
    def cancel(self) -> None:
        """Close the question."""
        self.is_asking = False

    @rx.event
    async def delete(self, tell: bool) -> AsyncIterator[Any]:
        """Delete the event with its answers; those invited get a notice if `tell`. A second press does nothing."""
        if not self.is_asking or self.is_busy:
            return
        person = actor()
        if tell and self.deletion.plan.message_count and person.needs_proof:  # deleting without a word needs none
            yield proof.ask_again(self, "delete", tell=True)
            return
        self.is_busy = True
        yield
        try:
            await write(editing.delete, person, self.deletion.event_id, tell)
        except Refusal as refusal:
            await toast_error(self, DELETE_FAILED, refusal.text)
        except Exception as error:  # the sentence of what failed stays, with the reference of the log line
            await toast_error(self, DELETE_FAILED, explain_failure(error))
            return
        else:
            await toast_success(self, DELETED, leads_to=routes.ADMIN_EVENTS)
            yield EventDetailState.close
            if self.router.url.path.rstrip("/") != routes.ADMIN_EVENTS:  # the page of what is gone
                yield rx.redirect(routes.ADMIN_EVENTS)
        finally:
            self.is_busy = self.is_asking = False
        yield CalendarState.load
