"""Answering an invitation in the member area, for each screen that offers it."""

from collections.abc import AsyncIterator

import reflex as rx

from clubapp.refusals import Invalid, Refusal
from clubapp.services.answers import signed_in
from clubapp.services.answers.answer_form import Answer, parse_answer, parse_attendance, parse_choice, parse_named
from clubapp.services.base.form_fields import InvalidForm
from clubapp.ui.react.forms.entries_form import pairs_of
from clubapp.web.screens.toasts import toast_error, toast_success
from clubapp.web.security.current_actor import actor
from clubapp.web.service_calls import write
from clubapp.web.states.loading import Loading


class OwnAnswers(Loading, mixin=True):
    """`refused` is the id of the event whose form was refused, `problem` the reason.

    `naming` is the event whose form of guests was refused, `guest_errors` what is wrong with it, by field.
    """

    saving: str = ""
    refused: str = ""
    problem: str = ""
    problem_field: str = ""
    attempt: int = 0
    naming: str = ""
    guest_errors: dict[str, str] = {}

    @rx.event
    def begin(self) -> None:
        """The screen appears: clear errors."""
        self.refused = self.problem = self.naming = ""

    @rx.event
    async def attend(self, entries: list[list[str]]) -> AsyncIterator[None]:
        """Record yes or no alone; what follows from it is asked next."""
        typed = dict(pairs_of(entries))
        event_id, answer = typed.get("event_id", ""), parse_attendance(typed.get("will_attend"))
        self.saving = event_id
        yield
        await self._record(event_id, answer)

    @rx.event
    async def answer(self, entries: list[list[str]]) -> AsyncIterator[None]:
        """Record the answer to one event: attendance, lunch and guests."""
        typed = dict(pairs_of(entries))
        event_id = typed.get("event_id", "")
        try:
            answer = parse_answer(
                typed.get("will_attend"), parse_choice(typed.get("with_lunch", "")), typed.get("guest_count")
            )
        except Invalid as refusal:
            self._refuse(event_id, refusal.text, refusal.field or "")
            return
        self.saving = event_id
        yield
        await self._record(event_id, answer)

    @rx.event
    async def name_guests(self, entries: list[list[str]]) -> AsyncIterator[None]:
        """Record the guests of one event by name, and the member's wish for the meal."""
        pairs = pairs_of(entries)
        self.saving = event_id = dict(pairs).get("event_id", "")
        yield
        try:
            await write(signed_in.record_own_answer, actor(), event_id, parse_named(pairs))
        except InvalidForm as refusal:
            self.naming, self.guest_errors, self.attempt = event_id, refusal.errors, self.attempt + 1
        except Refusal as refusal:
            await toast_error(self, "Erreur", refusal.text)
        else:
            self.naming = ""
            await toast_success(self, signed_in.NAMED)
        finally:
            self.saving = ""
        await self._read()

    async def _record(self, event_id: str, answer: Answer) -> None:
        try:
            confirmation = await write(signed_in.record_own_answer, actor(), event_id, answer)
        except Refusal as refusal:
            self._refuse(event_id, refusal.text, refusal.field or "")
            if not refusal.field:
                await toast_error(self, "Erreur", refusal.text)
        else:
            self.refused, self.problem = "", ""
            await toast_success(self, confirmation)
        finally:
            self.saving = ""
        await self._read()

    def _refuse(self, event_id: str, text: str, field: str) -> None:
        self.refused, self.problem, self.problem_field = event_id, text, field
        self.attempt += 1
