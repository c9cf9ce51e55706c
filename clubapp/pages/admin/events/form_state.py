"""The event form: what it opens with, and what saving it answers."""

from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any, ClassVar

import reflex as rx

from clubapp.pages.admin.events.state import CalendarState
from clubapp.pages.admin.events.typed import (
    FieldErrors,
    Notice,
    SpeakerRow,
    empty_row,
    event_form,
    field_errors,
    speaker_rows,
)
from clubapp.refusals import Refusal
from clubapp.services import events
from clubapp.services.event_form import MAX_SPEAKERS, EventForm, InvalidForm
from clubapp.web.feedback import toast_success
from clubapp.web.guard import Access
from clubapp.web.session import actor
from clubapp.web.work import read, write

SAVE_FAILED = "Erreur lors de la sauvegarde de l'événement"
CREATED = "Événement créé avec succès !"
UPDATED = "Événement mis à jour avec succès !"


class EventFormState(rx.State):
    """One form, for a new event or an existing one. What is typed stays in the browser until it is saved."""

    ACCESS: ClassVar[Access] = Access.ADMIN

    is_open: bool = False
    form: EventForm = EventForm()
    rows: list[SpeakerRow] = []
    errors: FieldErrors = FieldErrors()
    failure: Notice = Notice()
    is_saving: bool = False
    attempt: int = 0
    month_refusal: str = ""

    @rx.event
    def open_new(self) -> None:
        """An empty form."""
        self._show(EventForm())

    @rx.event
    async def open_at(self, moment: str) -> None:
        """A form for a slot of the calendar, unless its month is taken."""
        self.month_refusal = await read(events.month_refusal, actor(), moment)
        if not self.month_refusal:
            self._show(EventForm(date=moment[:16]))

    @rx.event
    def dismiss_refusal(self) -> None:
        """The person has read why the month is taken."""
        self.month_refusal = ""

    @rx.event
    async def edit(self, event_id: str) -> None:
        """The form of an event."""
        self._show(await read(events.form, actor(), event_id))

    @rx.event
    def close(self) -> None:
        """Leave without saving."""
        self.is_open = False

    @rx.event
    def add_speaker(self) -> None:
        """One more row."""
        if len(self.rows) < MAX_SPEAKERS:
            self.rows = [*self.rows, empty_row()]

    @rx.event
    def remove_speaker(self, key: str) -> None:
        """One row less; one always stays."""
        if len(self.rows) > 1:
            self.rows = [row for row in self.rows if row.key != key]

    @rx.event
    async def submit(self, entries: list[list[str]]) -> AsyncIterator[Any]:
        """Save what was typed; when it is refused, say why and keep it."""
        person, typed = actor(), event_form(entries)
        self.is_saving = True
        yield
        try:
            await write(events.save, person, typed)
        except Refusal as refusal:
            self._refuse(refusal)
        except Exception:
            self._tell(Notice("red", SAVE_FAILED))
            raise
        else:
            self.is_open = False
            await toast_success(self, UPDATED if typed.id else CREATED)
            yield CalendarState.load
        finally:
            self.is_saving = False

    def _show(self, form: EventForm) -> None:
        self.form = form
        self.rows = speaker_rows(form.speakers)
        self.errors, self.failure = FieldErrors(), Notice()
        self.is_saving, self.attempt, self.month_refusal = False, 0, ""
        self.is_open = True

    def _refuse(self, refusal: Refusal) -> None:
        if isinstance(refusal, InvalidForm):
            self._tell(Notice(), field_errors(refusal.errors))
        elif refusal.text == events.MONTH_TAKEN:
            self._tell(Notice("red", refusal.text))
        else:
            self._tell(Notice("red", SAVE_FAILED, refusal.text))
        if isinstance(refusal, events.Stale):
            self.form = replace(self.form, seen=refusal.seen)

    def _tell(self, failure: Notice, errors: FieldErrors | None = None) -> None:
        self.failure, self.errors = failure, errors or FieldErrors()
        self.attempt += 1
