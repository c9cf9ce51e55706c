"""The page of one member."""

from collections.abc import AsyncIterator
from typing import Any, ClassVar

import reflex as rx

from clubapp import routes
from clubapp.refusals import Invalid, NotFound, Refusal
from clubapp.services.answers.answer_form import parse_answer
from clubapp.services.attendance import attendee_detail
from clubapp.services.members import editing, notes, person_page
from clubapp.services.members.person_page import FIRST_LINES, MOST_LINES, PersonPage
from clubapp.ui.react.forms.draft_form import text_of
from clubapp.web.screens.toasts import toast_error, toast_success
from clubapp.web.security.current_actor import actor
from clubapp.web.security.guard import Access
from clubapp.web.service_calls import read, write
from clubapp.web.states.loading import LoadingRecord, Missing


class MemberRecordState(LoadingRecord, rx.State):
    """The member of the address; `missing` says that there is none. `kind` narrows the history, of `lines` lines.

    `attempt` and `noted` rise with each note that is refused or kept, `doomed` is the one whose deletion is asked.
    """

    ACCESS: ClassVar[Access] = Access.ADMIN

    page: PersonPage = PersonPage()
    kind: str = ""
    lines: int = FIRST_LINES
    note_error: str = ""
    is_noting: bool = False
    attempt: int = 0
    noted: int = 0
    doomed: str = ""

    @rx.event
    def begin(self) -> None:
        """The screen appears: show the whole history from its top, and no question."""
        self.kind, self.lines, self.note_error, self.doomed = "", FIRST_LINES, "", ""

    @rx.event
    async def narrow(self, kind: str) -> None:
        """Show one kind of history, or all."""
        self.kind, self.lines = str(kind)[:20], FIRST_LINES
        await self.load()

    @rx.event
    async def show_older(self) -> None:
        """Show more of the history."""
        self.lines = min(self.lines + FIRST_LINES, MOST_LINES)
        await self.load()

    @rx.event
    async def answer(self, will_attend: bool) -> None:
        """Record what the member says of the next meeting."""
        meeting = self.page.meeting
        try:
            said = parse_answer(will_attend)
            done = await write(attendee_detail.record_answer, actor(), meeting.event_id, self.page.id, said)
        except Refusal as refusal:
            await toast_error(self, "La réponse n’a pas été enregistrée", refusal.text)
        else:
            await toast_success(self, done)
        await self.load()

    @rx.event
    async def keep_record(self) -> None:
        """Keep the record of an inactive member for some years more."""
        try:
            await write(editing.keep_record, actor(), self.page.id)
        except Refusal as refusal:
            await toast_error(self, "Erreur", refusal.text)
        else:
            await toast_success(self, "La fiche est gardée.")
        await self.load()

    @rx.event
    async def add_note(self, entries: dict[str, Any]) -> AsyncIterator[Any]:
        """Keep the note that was typed."""
        person, self.is_noting, self.note_error = actor(), True, ""
        yield
        try:
            await write(notes.add_note, person, self.page.id, text_of(entries, "note"))
        except Invalid as refusal:
            self.note_error, self.attempt = refusal.text, self.attempt + 1
        except Refusal as refusal:
            await toast_error(self, "La note n’a pas été enregistrée", refusal.text)
        else:
            self.noted += 1
        finally:
            self.is_noting = False
        await self.load()

    @rx.event
    def ask_to_delete(self, note_id: str) -> None:
        """Ask before a note is deleted."""
        self.doomed = str(note_id)

    @rx.event
    def keep(self) -> None:
        """Close the question; the note stays."""
        self.doomed = ""

    @rx.event
    async def delete_note(self) -> None:
        """Delete the note `doomed`."""
        doomed, self.doomed = self.doomed, ""
        try:
            await write(notes.delete_note, actor(), doomed)
        except Refusal as refusal:
            await toast_error(self, "La note n’a pas été supprimée", refusal.text)
        await self.load()

    async def _read(self) -> None:
        member_id = routes.record_in(self.router.url.path, routes.ADMIN_MEMBERS)
        if not member_id:  # the form is saved on another screen
            return
        if member_id != self.page.id:
            self.page = PersonPage()
        try:
            self.page = await read(person_page.read_person, actor(), member_id, self.kind, self.lines)
            self.missing = Missing()
        except NotFound as gone:
            self.page = PersonPage()
            self._miss(member_id, gone)
