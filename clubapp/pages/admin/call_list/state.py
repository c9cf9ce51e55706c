"""The call list of one event, read again while it is open."""

from typing import Any, ClassVar

import reflex as rx

from clubapp import routes
from clubapp.refusals import NotFound, Refusal
from clubapp.services.answers.answer_form import Answer, choice_of, parse_answer, parse_named
from clubapp.services.attendance import attendee_detail, call_attempts, call_list
from clubapp.services.attendance.call_list import CallList, CallRow
from clubapp.services.base.form_fields import InvalidForm
from clubapp.ui.frame.menu_state import MenuState
from clubapp.ui.react.forms.entries_form import pairs_of
from clubapp.web.screens.toasts import toast_error, toast_success
from clubapp.web.security.current_actor import actor
from clubapp.web.security.guard import Access
from clubapp.web.service_calls import read, write
from clubapp.web.states.loading import LoadingRecord, Missing

NOT_RECORDED = "La réponse n’a pas été enregistrée"
GUESTS_NOT_RECORDED = "Les invités n’ont pas été enregistrés"
NAMED = "Les invités sont enregistrés."
NOT_UNDONE = "La réponse n’a pas été annulée"
CALL_NOT_RECORDED = "L’appel n’a pas été noté"
CALL_NOT_UNDONE = "L’appel n’a pas été annulé"


class CallListState(LoadingRecord, rx.State):
    """Who is to be called. Rows stay listed after their answer is recorded; `said` is read to screen readers.

    `naming` is the row whose guests were refused, `guest_errors` what is wrong with them, by field.
    """

    ACCESS: ClassVar[Access] = Access.ADMIN

    calls: CallList = CallList()
    said: str = ""
    naming: str = ""
    guest_errors: dict[str, str] = {}
    attempt: int = 0

    @rx.event
    async def begin(self) -> None:
        """The screen appears: list only those still to be called."""
        self.said, self.naming, self.calls = "", "", CallList()
        await self.load()

    async def _read(self) -> None:
        event_id = routes.record_above(self.router.url.path, routes.ADMIN_EVENTS)
        if not event_id:  # the browser is not there yet, or has left
            return
        if event_id != self.calls.event_id:
            self.calls = CallList()
        self.missing = Missing()
        await self._read_event(event_id)

    @rx.event
    async def follow(self) -> None:
        """Read again."""
        if self.calls.event_id:
            await self._read_event(self.calls.event_id)

    @rx.event
    async def answer(self, key: str, will_attend: bool) -> Any:
        """Record yes or no; does nothing if that is the recorded answer, so that lunch and guests are kept."""
        row, answer = self._row(key), parse_answer(will_attend)
        if row.answer != choice_of(answer.will_attend):
            await self._record(row, answer)
        return MenuState.refresh  # it counts those who are left

    @rx.event
    async def lunch(self, key: str, with_lunch: bool) -> None:
        """Record whether someone who comes has lunch."""
        row = self._row(key)
        await self._record(row, parse_answer(True, with_lunch is True, row.guest_count))

    @rx.event
    async def guests(self, key: str, count: str) -> None:
        """Record how many guests someone who comes brings."""
        row = self._row(key)
        await self._record(row, parse_answer(True, row.with_lunch, count))

    @rx.event
    async def name_guests(self, key: str, entries: list[list[str]]) -> None:
        """Record who the guests are, as far as the person says."""
        row, said = self._row(key), parse_named(pairs_of(entries))
        self.naming = ""
        try:
            await write(attendee_detail.record_answer, actor(), self.calls.event_id, row.key, said)
        except InvalidForm as refusal:
            self.naming, self.guest_errors, self.attempt = row.key, refusal.errors, self.attempt + 1
        except Refusal as refusal:
            await toast_error(self, GUESTS_NOT_RECORDED, f"{row.name}\u00a0: {refusal.text}")
        else:
            self.said = f"{row.name}\u00a0: {NAMED}"
            await toast_success(self, NAMED)
        await self._read_event(self.calls.event_id)

    @rx.event
    async def undo(self, key: str) -> Any:
        """Withdraw the recorded answer."""
        row = self._row(key)
        try:
            await write(attendee_detail.take_back_answer, actor(), self.calls.event_id, row.key)
        except Refusal as refusal:
            await toast_error(self, NOT_UNDONE, refusal.text)
        else:
            self.said = f"{row.name}\u00a0: réponse annulée."
        await self._read_event(self.calls.event_id)
        return MenuState.refresh

    @rx.event
    async def note_call(self, key: str) -> None:
        """Note a call that reached nobody."""
        row = self._row(key)
        try:
            await write(call_attempts.record_attempt, actor(), self.calls.event_id, row.key)
        except Refusal as refusal:
            await toast_error(self, CALL_NOT_RECORDED, f"{row.name}\u00a0: {refusal.text}")
        else:
            self.said = f"{row.name}\u00a0: pas joint, à rappeler."
        await self._read_event(self.calls.event_id)

    @rx.event
    async def undo_call(self, key: str) -> None:
        """Forget the last call that reached nobody."""
        row = self._row(key)
        try:
            await write(call_attempts.take_back_attempt, actor(), self.calls.event_id, row.key)
        except Refusal as refusal:
            await toast_error(self, CALL_NOT_UNDONE, refusal.text)
        else:
            self.said = f"{row.name}\u00a0: appel annulé."
        await self._read_event(self.calls.event_id)

    def _row(self, key: str) -> CallRow:
        for row in self.calls.rows:
            if row.key == key:
                return row
        raise NotFound(attendee_detail.NOBODY)

    async def _record(self, row: CallRow, answer: Answer) -> None:
        try:
            done = await write(attendee_detail.record_answer, actor(), self.calls.event_id, row.key, answer)
        except Refusal as refusal:
            await toast_error(self, NOT_RECORDED, f"{row.name}\u00a0: {refusal.text}")
        else:
            self.said = f"{row.name}\u00a0: {done}"
        await self._read_event(self.calls.event_id)

    async def _read_event(self, event_id: str) -> None:
        listed = [row.key for row in self.calls.rows]
        try:
            calls = await read(call_list.build_call_list, actor(), event_id, listed)
        except NotFound as gone:
            self.calls = CallList()
            self._miss(event_id, gone)
            return
        if calls != self.calls:
            self.calls = calls
