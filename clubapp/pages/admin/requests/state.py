"""The requests about data: list, note, answer."""

from collections.abc import AsyncIterator
from typing import Any, ClassVar

import reflex as rx

from clubapp.refusals import Refusal
from clubapp.services.base.form_fields import InvalidForm
from clubapp.services.privacy import request_answers, rights_requests
from clubapp.services.privacy.rights_requests import AnsweredRequest, OpenRequest, RequestForm
from clubapp.ui.react.forms.draft_form import text_of
from clubapp.web.screens.toasts import toast_error, toast_success
from clubapp.web.security.current_actor import actor
from clubapp.web.security.guard import Access
from clubapp.web.service_calls import read, write
from clubapp.web.states.loading import Loading

NOTED = "La demande est notée."
DONE = "done"  # the outcome of a request that was fulfilled
_FIELDS: tuple[str, ...] = ("kind", "member_id", "name", "email", "asked_on", "words")
_NO_ERRORS: dict[str, str] = dict.fromkeys(_FIELDS, "")


class RequestsState(Loading, rx.State):
    """The requests. `answering` is the one whose answer is written; the form of a new one is open while `is_noting`.

    `doomed` is whom the open question before an erasure names, `what_goes` what it says of it.
    """

    ACCESS: ClassVar[Access] = Access.ADMIN
    HANDLER_ACCESS: ClassVar[dict[str, Access]] = {"erase": Access.ADMIN_FRESH}

    waiting: list[OpenRequest] = []
    answered: list[AnsweredRequest] = []
    answering: str = ""
    doomed: str = ""
    what_goes: str = ""
    is_noting: bool = False
    form: RequestForm = RequestForm()
    errors: dict[str, str] = _NO_ERRORS
    wrong_outcome: str = ""
    wrong_answer: str = ""
    is_saving: bool = False
    attempt: int = 0
    saved: int = 0
    _typed: tuple[str, str] = ("", "")

    @rx.event
    async def begin(self) -> None:
        """The screen appears: no answer is begun, and a request is noted of the member whom the address names."""
        self.answering, self.doomed, self.is_saving = "", "", False
        member_id = self.router.url.query_parameters.get("membre", "")
        if member_id:
            await self._open_form(member_id)
        else:
            self.is_noting = False

    @rx.event
    async def open_form(self) -> None:
        """Open the form of a request to note, or close it."""
        if self.is_noting:
            self.is_noting = False
        else:
            await self._open_form("")

    @rx.event
    async def note(self, entries: dict[str, Any]) -> AsyncIterator[Any]:
        """Note a request that came by letter or telephone."""
        person, self.is_saving, self.errors = actor(), True, _NO_ERRORS
        yield
        try:
            typed = RequestForm(**{name: text_of(entries, name) for name in _FIELDS})
            await write(rights_requests.note_request, person, typed)
        except InvalidForm as refusal:
            self.errors, self.attempt = _NO_ERRORS | refusal.errors, self.attempt + 1
        except Refusal as refusal:
            self.errors, self.attempt = _NO_ERRORS | {"kind": refusal.text}, self.attempt + 1
        else:
            self.saved += 1
            yield
            self.is_noting = False
            await toast_success(self, NOTED)
        finally:
            self.is_saving = False
        await self.load()

    @rx.event
    def begin_answer(self, request_id: str) -> None:
        """Open the answer to a request."""
        self.answering, self.wrong_outcome, self.wrong_answer = str(request_id), "", ""

    @rx.event
    def reconsider(self) -> None:
        """Another outcome is chosen: what was said of the first one goes."""
        self.wrong_outcome = self.wrong_answer = ""

    @rx.event
    def leave_answer(self) -> None:
        """Close it."""
        self.answering = ""

    @rx.event
    async def answer(self, entries: dict[str, Any]) -> AsyncIterator[Any]:
        """Answer the request `answering`; before it erases somebody it asks."""
        self._typed = text_of(entries, "outcome"), text_of(entries, "answer")
        asked = next((each for each in self.waiting if each.id == self.answering), None)
        if asked and asked.erases and self._typed[0] == DONE:
            self.doomed, self.what_goes = asked.name, asked.erases
            return
        async for _ in self._answer():
            yield

    @rx.event
    def keep(self) -> None:
        """Close the question before an erasure."""
        self.doomed = ""

    @rx.event
    async def erase(self) -> AsyncIterator[Any]:
        """Do it; the second press of a double click finds no question, and does nothing."""
        if self.doomed:
            async for _ in self._answer():
                yield
            self.doomed = ""

    async def _answer(self) -> AsyncIterator[None]:
        if not self.answering or self.is_saving:
            return
        person, self.is_saving, self.wrong_outcome, self.wrong_answer = actor(), True, "", ""
        yield
        try:
            told = await write(request_answers.answer_request, person, self.answering, *self._typed)
        except InvalidForm as refusal:
            self.wrong_outcome, self.wrong_answer = refusal.errors.get("outcome", ""), refusal.errors.get("answer", "")
            self.attempt += 1
        except Refusal as refusal:
            await toast_error(self, "La réponse n’est pas partie", refusal.text)
        else:
            self.saved += 1
            yield
            self.answering = ""
            await toast_success(self, told)
        finally:
            self.is_saving = False
        await self.load()

    async def _open_form(self, member_id: str) -> None:
        self.form = await read(rights_requests.open_request_form, actor(), member_id)
        self.errors, self.is_noting = _NO_ERRORS, True

    async def _read(self) -> None:
        self.waiting = list(await read(rights_requests.list_open, actor()))
        self.answered = list(await read(rights_requests.list_answered, actor()))
