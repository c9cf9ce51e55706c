"""One attendee of the open event: recording their answer, and sending their invitation again."""

from collections.abc import AsyncIterator
from typing import Any, ClassVar

import reflex as rx

from clubapp.pages.admin.events.detail_state import EventDetailState
from clubapp.pages.admin.events.form_values import FormNotice
from clubapp.pages.admin.events.people_state import PeopleState
from clubapp.refusals import Invalid, NotFound, Refusal
from clubapp.services.answers.answer_form import parse_answer, parse_choice, parse_named
from clubapp.services.answers.guests import FIELDS
from clubapp.services.attendance import attendee_detail
from clubapp.services.attendance.attendee_detail import AttendeeDetail
from clubapp.services.base.form_fields import InvalidForm
from clubapp.services.events import invitation_follow_up
from clubapp.ui.react.forms.draft_form import text_of, texts_of
from clubapp.web.screens.toasts import toast_error, toast_success
from clubapp.web.security.current_actor import actor
from clubapp.web.security.guard import Access
from clubapp.web.service_calls import read, write

RESENT = "L’invitation est renvoyée, avec le même lien."
NAMED = "Les invités sont enregistrés."
NOT_SAID = "Indiquez si la personne vient ou non."


class AttendeeState(rx.State):
    """The dialog of one attendee. `error` is shown beside the guests, `missing` beside the answer.

    `guest_errors` is what is wrong with the names of guests, by field.
    """

    ACCESS: ClassVar[Access] = Access.ADMIN

    person: AttendeeDetail = AttendeeDetail()
    is_open: bool = False
    notice: FormNotice = FormNotice()
    error: str = ""
    missing: str = ""
    is_busy: bool = False
    attempt: int = 0
    saved: int = 0
    guest_errors: dict[str, str] = {}
    names_attempt: int = 0

    @rx.event
    async def show(self, event_id: str, key: str) -> None:
        """Open the dialog of an attendee."""
        self.person = await read(attendee_detail.open_person, actor(), str(event_id), str(key))
        self.notice, self.error, self.missing, self.attempt, self.saved = FormNotice(), "", "", 0, 0
        self.guest_errors, self.names_attempt = {}, 0
        self.is_open, self.is_busy = True, False

    @rx.event
    def close(self) -> None:
        """Close the dialog."""
        self.is_open = False

    @rx.event
    async def follow(self) -> None:
        """Read again: the answer or a delivery state may have changed."""
        if not self.is_open:
            return
        try:
            await self._read()
        except NotFound as gone:
            self.is_open = False
            await toast_error(self, "", gone.text)

    @rx.event
    async def record(self, entries: dict[str, Any]) -> AsyncIterator[Any]:
        """Record the answer that the person gave by phone."""
        self.error = self.missing = ""
        self.notice = FormNotice()
        attends, lunch, count = (text_of(entries, name) for name in ("will_attend", "with_lunch", "guest_count"))
        try:
            answer = parse_answer(attends, parse_choice(lunch), count, missing=NOT_SAID)
        except Invalid as refusal:
            self.missing, self.attempt = refusal.text, self.attempt + 1
            return
        person, self.is_busy = actor(), True
        yield
        try:
            done = await write(attendee_detail.record_answer, person, self.person.event_id, self.person.key, answer)
            self.notice = FormNotice("green", done)
            self.saved += 1
            await self._read()
        except Refusal as refusal:
            self._refuse(refusal)
        finally:
            self.is_busy = False
        yield [PeopleState.follow, EventDetailState.follow]

    @rx.event
    async def name_guests(self, entries: dict[str, Any]) -> AsyncIterator[Any]:
        """Record the guests by name, and the wish for the meal, that the person gave by phone."""
        self.notice, self.guest_errors = FormNotice(), {}
        person, self.is_busy = actor(), True
        yield
        said = parse_named([(name, text) for name in FIELDS for text in texts_of(entries, name)])
        try:
            await write(attendee_detail.record_answer, person, self.person.event_id, self.person.key, said)
            await toast_success(self, NAMED)
            self.saved += 1
            await self._read()
        except InvalidForm as refusal:
            self.guest_errors, self.names_attempt = refusal.errors, self.names_attempt + 1
        except Refusal as refusal:
            await toast_error(self, "", refusal.text)  # the notice stands far above
        finally:
            self.is_busy = False
        yield [PeopleState.follow, EventDetailState.follow]

    @rx.event
    async def resend(self) -> AsyncIterator[Any]:
        """Send the invitation again."""
        person = actor()
        try:
            await write(invitation_follow_up.resend_invitation, person, self.person.reservation_id)
            self.notice = FormNotice("green", RESENT)
            await self._read()
        except Refusal as refusal:
            self.notice = FormNotice("red", refusal.text)
        yield [PeopleState.follow, EventDetailState.follow]

    async def _read(self) -> None:
        person = await read(attendee_detail.open_person, actor(), self.person.event_id, self.person.key)
        if person != self.person:
            self.person = person

    def _refuse(self, refusal: Refusal) -> None:
        if refusal.field == "guest_count":
            self.error = refusal.text
        else:
            self.notice = FormNotice("red", refusal.text)
        self.attempt += 1
