"""The event form: open, save, and ask whether those invited get a change notice."""

from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import replace
from typing import Any, ClassVar

import reflex as rx

from clubapp import routes
from clubapp.pages.admin.events.form_values import (
    FieldErrors,
    FormNotice,
    SpeakerRow,
    empty_row,
    event_form,
    field_errors,
    move_row,
    speaker_rows,
)
from clubapp.pages.admin.events.meeting.state import MeetingState
from clubapp.pages.admin.events.state import CalendarState
from clubapp.refusals import Invalid, ProofRequired, Refusal
from clubapp.services.answers.recording import name_to_call
from clubapp.services.base.actors import Actor
from clubapp.services.base.edit_conflicts import TextChanged, find_contested_fields, merge_forms
from clubapp.services.base.form_fields import InvalidForm
from clubapp.services.events import admin_views, announcement, duplication, editing
from clubapp.services.events.admin_views import SpeakerCandidate
from clubapp.services.events.change_notices import NoticeDecisionRequired, NoticePlan
from clubapp.services.events.editing import MonthConflict, SavedEvent
from clubapp.services.events.form import MAX_SPEAKERS, EventForm
from clubapp.services.monitoring.act_words import COLUMNS
from clubapp.ui.react.forms.draft_form import text_of
from clubapp.web.screens import proof
from clubapp.web.screens.toasts import dismiss_errors, explain_failure, toast_success
from clubapp.web.security.current_actor import actor
from clubapp.web.security.guard import Access
from clubapp.web.service_calls import read, write

SAVE_FAILED = "Erreur lors de la sauvegarde de l'événement"
CREATED = "Événement créé avec succès\u00a0!"
UPDATED = "Événement mis à jour avec succès\u00a0!"


def _toast_texts(typed: EventForm, saved: SavedEvent) -> tuple[str, str]:
    """The text and the title of the toast after a save."""
    done, told = UPDATED if typed.id else CREATED, []
    if message_count := saved.notices.message_count:
        told.append(f"{message_count} messages partent." if message_count > 1 else "1 message part.")
    if saved.notices.to_call:
        told.append(name_to_call(saved.notices.to_call))
    told += filter(None, (saved.deadline, saved.waiting.sentence))
    return (" ".join(told), done) if told else (done, "")


class SpeakersState(rx.State):
    """The rows of speakers in order, and who is offered as speaker or host; what is typed stays in the browser."""

    ACCESS: ClassVar[Access] = Access.ADMIN

    rows: list[SpeakerRow] = []
    people: list[SpeakerCandidate] = []
    companies: list[str] = []

    @rx.event
    def add(self) -> None:
        """Add a row."""
        if len(self.rows) < MAX_SPEAKERS:
            self.rows = [*self.rows, empty_row()]

    @rx.event
    def remove(self, key: str) -> None:
        """Remove a row; the last one stays."""
        if len(self.rows) > 1:
            self.rows = [row for row in self.rows if row.key != key]

    @rx.event
    def move(self, key: str, step: int) -> None:
        """Move a row up (-1) or down (1)."""
        self.rows = move_row(self.rows, key, step)


class EventFormState(rx.State):
    """One form, for a new event or an existing one. What is typed stays in the browser until it is saved.

    While `plan` has messages, the form waits for the answer to its question. A form that was opened to choose another
    date asks it beforehand: `notices` says who is told. `focus` is the field in which the focus begins: the title,
    unless it is named. `_opened` is the event as the form was begun with, `_theirs` as somebody else saved it since.
    """

    ACCESS: ClassVar[Access] = Access.ADMIN

    is_open: bool = False
    focus: str = ""
    form: EventForm = EventForm()
    errors: FieldErrors = FieldErrors()
    failure: FormNotice = FormNotice()
    plan: NoticePlan = NoticePlan()
    notices: NoticePlan = NoticePlan()
    conflict: MonthConflict = MonthConflict()
    is_saving: bool = False
    attempt: int = 0
    saved: int = 0
    _typed: EventForm = EventForm()
    _opened: EventForm | None = None
    _theirs: EventForm | None = None

    @rx.event
    async def open_new(self) -> None:
        """Open an empty form."""
        await self._show(EventForm())

    @rx.event
    async def edit(self, event_id: str) -> None:
        """Open the form of an event."""
        await self._show(await read(editing.open_form, actor(), str(event_id)))

    @rx.event
    async def confirm(self, event_id: str) -> None:
        """Open the form of a draft to read it once more, 'Confirmé' chosen as its status."""
        form = await read(editing.open_confirmation, actor(), str(event_id))
        await self._show(form, focus="status")
        self._opened = await read(editing.open_form, actor(), str(event_id))

    @rx.event
    async def postpone(self, event_id: str) -> None:
        """Open the form of an event with the focus in its date."""
        form, notices = await read(editing.open_postponement, actor(), str(event_id))
        await self._show(form, focus="date")
        self.notices = notices

    @rx.event
    async def raise_limit(self, event_id: str, places: int) -> None:
        """Open the form of an event with a higher maximum filled in, and the focus in it."""
        form = await read(editing.open_form, actor(), str(event_id))
        await self._show(replace(form, max_participants=str(places)[:6]), focus="max_participants")
        self._opened = form

    @rx.event
    async def name_caterer(self, event_id: str) -> None:
        """Open the form of an event with the focus in the caterer's address."""
        await self._show(await read(editing.open_form, actor(), str(event_id)), focus="caterer_email")

    @rx.event
    async def duplicate(self, event_id: str) -> None:
        """Open the form of a new event, filled with a copy."""
        await self._show(await read(duplication.duplicate, actor(), str(event_id)))

    @rx.event
    async def restore(self, entries: dict[str, Any]) -> None:
        """A draft is restored: its speaker rows and the version it was begun on come back."""
        kept, opened = event_form(entries), entries.get("opened")
        if kept.id == self.form.id:
            self._opened = event_form(opened) if isinstance(opened, dict) else None
            self.form = replace(self.form, seen=kept.seen, copy_of=kept.copy_of)
            (await self.get_state(SpeakersState)).rows = speaker_rows(kept.speakers)

    @rx.event
    async def look(self, values: dict[str, Any]) -> None:
        """A date was chosen: say at once whether another event holds its month."""
        self.conflict = MonthConflict()
        date, status, event_id = (text_of(values, name)[:36] for name in ("date", "status", "id"))
        with suppress(Invalid):  # said when it is saved
            self.conflict = await read(editing.find_month_conflict, actor(), date, status=status, but=event_id)

    @rx.event
    async def close(self) -> None:
        """Close without saving."""
        self.is_open, self.plan = False, NoticePlan()
        await dismiss_errors(self)

    @rx.event
    async def submit(self, entries: dict[str, Any]) -> AsyncIterator[Any]:
        """Save what was typed; a refusal is shown in the form, which keeps its text."""
        self._typed = event_form(entries)
        self.is_saving = True
        yield
        tell = bool(text_of(entries, "tell")) if self._is_another_date() else None
        async for update in self._save(tell):
            yield update

    @rx.event
    async def decide(self, tell: bool) -> AsyncIterator[Any]:
        """Save, with a change notice to those invited if `tell`; further presses do nothing."""
        if not self.plan.message_count:
            return
        self.is_saving = True
        yield
        async for update in self._save(tell):
            yield update

    @rx.event
    async def save_again(self, tell: bool | None) -> AsyncIterator[Any]:
        """Save what was last typed, once the proof that it needs is given."""
        if not self.is_open:
            return
        self.is_saving = True
        yield
        async for update in self._save(None if tell is None else bool(tell)):
            yield update

    @rx.event
    def undecide(self) -> None:
        """Go back to the form; nothing was saved."""
        self.plan = NoticePlan()

    async def _save(self, tell: bool | None) -> AsyncIterator[Any]:
        person, typed = actor(), self._typed
        try:
            saved = await self._store(person, typed, tell)
        except NoticeDecisionRequired as wanted:
            self._tell(FormNotice())  # a new attempt: the form is unsaved again
            self.plan = wanted.plan
        except ProofRequired:
            yield proof.ask_again(self, "save_again", tell=tell)
        except Refusal as refusal:
            self._refuse(refusal)
        except Exception as error:  # the sentence of what failed stays, with the reference of the log line
            self._tell(FormNotice("red", SAVE_FAILED, explain_failure(error)))
        else:
            self.saved += 1
            yield
            texts = _toast_texts(typed, saved)
            self.is_open, self.plan = False, NoticePlan()
            if typed.copy_of and not typed.id:  # its own page shows that it is made
                yield rx.redirect(routes.admin_event(saved.id))
            else:
                await toast_success(self, *texts, stays=bool(saved.waiting.to_call or saved.notices.to_call))
            yield [MeetingState.follow, CalendarState.load]
        finally:
            self.is_saving = False

    async def _store(self, person: Actor, typed: EventForm, tell: bool | None) -> SavedEvent:
        """Save; what only somebody else changed since stays, and what both changed is refused once."""
        if self._opened and self._theirs and typed.seen == self._theirs.seen:
            typed = merge_forms(self._opened, typed, self._theirs)
        try:
            return await write(editing.save, person, typed, tell)
        except TextChanged:
            self._theirs = await read(editing.open_form, person, typed.id)
            if self._opened is None or find_contested_fields(self._opened, typed, self._theirs):
                raise
            return await write(editing.save, person, merge_forms(self._opened, typed, self._theirs), tell)

    def _is_another_date(self) -> bool:
        """Whether what those invited are told of is what the form was opened for, so that its own choice counts."""
        typed, form = self._typed, self.form
        return self.notices.message_count > 0 and typed.status == form.status and typed.date != form.date

    async def _show(self, form: EventForm, *, focus: str = "") -> None:
        self.form, self.focus = form, focus
        self._opened, self._theirs = form, None
        speakers = await self.get_state(SpeakersState)
        speakers.rows = speaker_rows(form.speakers)
        speakers.people = list(await read(admin_views.list_speaker_candidates, actor()))
        speakers.companies = list(await read(announcement.list_host_names, actor()))
        self.errors, self.failure, self.plan = FieldErrors(), FormNotice(), NoticePlan()
        self.notices = NoticePlan()
        self.conflict = MonthConflict()
        self.is_saving, self.attempt, self.saved = False, 0, 0
        self.is_open = True

    def _refuse(self, refusal: Refusal) -> None:
        if isinstance(refusal, InvalidForm):
            self._tell(FormNotice(), field_errors(refusal.errors))
        elif isinstance(refusal, editing.MonthTaken):
            self._tell(FormNotice("red", refusal.text))
        else:
            self._tell(FormNotice("red", SAVE_FAILED, refusal.text))
        if isinstance(refusal, TextChanged):
            self.form = replace(self.form, seen=refusal.seen)
            if self._opened and self._theirs:
                names = [COLUMNS[name] for name in find_contested_fields(self._opened, self._typed, self._theirs)]
                text = f"{refusal.text} Changé des deux côtés\u00a0: {', '.join(names)}."
                self.failure = FormNotice("red", SAVE_FAILED, text)

    def _tell(self, failure: FormNotice, errors: FieldErrors | None = None) -> None:
        self.failure, self.errors = failure, errors or FieldErrors()
        self.plan = NoticePlan()
        self.attempt += 1


class SlotState(rx.State):
    """A press on an empty slot of the calendar, and why it is refused, until the calendar is turned."""

    ACCESS: ClassVar[Access] = Access.ADMIN

    refusal: MonthConflict = MonthConflict()

    @rx.event
    async def pick(self, moment: str) -> None:
        """Open a form for a slot of the calendar, unless its month is taken."""
        moment = str(moment)[:16]
        self.refusal = await read(editing.find_month_conflict, actor(), moment)
        if not self.refusal.text:
            await (await self.get_state(EventFormState))._show(EventForm(date=moment))

    @rx.event
    def dismiss(self) -> None:
        """Hide the refusal."""
        if self.refusal.text:
            self.refusal = MonthConflict()
