"""A mail to a choice of people: to whom, its text with the preview, its files, and sending it."""

import hashlib
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any, ClassVar

import reflex as rx

from clubapp import routes
from clubapp.pages.admin.mailings.form_values import BroadcastErrors, FormFailure
from clubapp.pages.admin.mailings.text_form import TextForm
from clubapp.refusals import Refusal
from clubapp.services.mailings import attachments, audiences, broadcasts, previews, stored_audience, writing
from clubapp.services.mailings.attachments import FileList
from clubapp.services.mailings.broadcasts import BroadcastRecipients
from clubapp.services.mailings.previews import Preview
from clubapp.services.mailings.writing import ToWhom, WritingForm
from clubapp.ui.mail.test_mail_dialog import TestMailState
from clubapp.ui.react.forms.draft_form import text_of
from clubapp.ui.react.forms.entries_form import pairs_of
from clubapp.web.screens.toasts import explain_failure, toast_error, toast_success
from clubapp.web.security.current_actor import actor
from clubapp.web.security.guard import Access
from clubapp.web.service_calls import read, write
from clubapp.web.states.loading import Loading

DRAFT, TEST, SEND = "draft", "test", "send"
MOST_READERS = 100
SAVED = "Le brouillon a été enregistré."
SAVE_FAILED = "Erreur lors de la sauvegarde"
SEND_FAILED = "Erreur lors de l'envoi de l'email"
_PARAMETERS = ("membres", "evenement", "reponse", "domaine", "brouillon")


class WritingState(Loading, TextForm, rx.State):
    """The mail that the address names. `draft` is the name under which the browser keeps what is typed.

    `sent` is said once it has left. `gone` says why a draft cannot be written any more.
    """

    ACCESS: ClassVar[Access] = Access.ADMIN
    HANDLER_ACCESS: ClassVar[dict[str, Access]] = {"confirm": Access.ADMIN_FRESH}
    ERRORS: ClassVar[type[BroadcastErrors]] = BroadcastErrors

    form: WritingForm = WritingForm()
    draft: str = ""
    whom: ToWhom = ToWhom()
    choices: list[tuple[str, str]] = []
    files: FileList = FileList()
    errors: BroadcastErrors = BroadcastErrors()
    preview: Preview = Preview()
    reader_id: str = ""
    question: BroadcastRecipients = BroadcastRecipients()
    is_asking: bool = False
    is_sending: bool = False
    sent: str = ""
    gone: str = ""
    journal: str = ""
    _from_address: tuple[str, ...] | None = None
    _words: tuple[str, str] = ("", "")

    @rx.var
    def readers(self) -> list[tuple[str, str]]:
        """The people as whom it can be previewed."""
        return [(one.id, one.name) for one in self.whom.chosen[:MOST_READERS]]

    @rx.event
    async def begin(self) -> None:
        """The screen appears: what was sent before is done, and no text is shown that an error could stand at."""
        self.is_asking = False
        self._clear_errors()
        if self.sent:
            self._from_address = None
            await self.load()
        elif self.form.id:
            self._words = self.form.subject, self.form.content
            await self._draw()

    @rx.event
    def choose(self, entries: list[list[str]]) -> Any:
        """Write to another choice of people."""
        typed = dict(pairs_of(entries))
        found = stored_audience.parse_audience(typed.get("audience", ""))
        return rx.redirect(routes.write_to(**found.to_query())) if found else None

    @rx.event
    async def take_off(self, person_id: str) -> None:
        """Leave somebody out."""
        await self._leave_off([*self._left_off(), str(person_id)])

    @rx.event
    async def put_back(self, person_id: str) -> None:
        """Write to somebody who was taken off after all."""
        await self._leave_off([each for each in self._left_off() if each != person_id])

    @rx.event
    async def typed(self, entries: dict[str, Any]) -> None:
        """Note what is typed, and update the preview."""
        self._words = text_of(entries, "subject"), text_of(entries, "content")
        await self._draw()

    @rx.event
    async def read_as(self, reader_id: str) -> None:
        """Preview the mail as another person."""
        self.reader_id = str(reader_id)
        await self._draw()

    @rx.event
    async def read_files(self) -> None:
        """A file was kept: show it."""
        self.files = await read(attachments.list_files, actor(), self.form.id)

    @rx.event
    async def remove_file(self, attachment_id: str) -> None:
        """Remove a file."""
        await write(attachments.remove_file, actor(), self.form.id, str(attachment_id))
        await self.read_files()

    @rx.event
    async def restore(self, entries: dict[str, Any]) -> None:
        """A draft is restored: its files, the people who were taken off and its version come back."""
        known = text_of(entries, "id")
        try:
            files = await read(attachments.list_files, actor(), known)
        except Refusal:  # it was sent meanwhile, or is somebody else's: its text is a new mail
            return
        self.files, self.seen = files, text_of(entries, "seen")[:100]
        self.form = replace(self.form, id=known, left_off=text_of(entries, "left_off"))
        self._words = text_of(entries, "subject"), text_of(entries, "content")
        await self._read_whom()

    @rx.event
    async def submit(self, entries: dict[str, Any]) -> AsyncIterator[Any]:
        """Save what was typed, then do what the pressed button says: stay, test, or ask before sending."""
        action = text_of(entries, "action")
        words = {"subject": text_of(entries, "subject"), "content": text_of(entries, "content")}
        person, self.is_saving = actor(), True
        yield
        try:
            saved = await write(writing.save, person, replace(self.form, seen=self.seen, **words))
        except Refusal as refusal:
            self._refuse(refusal, SAVE_FAILED)
        except Exception as error:  # the sentence of what failed stays, with the reference of the log line
            self._fail(FormFailure(SAVE_FAILED, explain_failure(error)))
        else:
            self.form, self.seen = saved, saved.seen
            self._clear_errors()
            if action == TEST:
                (await self.get_state(TestMailState))._open(broadcast_id=saved.id)
            elif action == SEND:
                self.question = await read(broadcasts.count_recipients, person, saved.id)
                self.is_asking = True
            else:
                self.saved += 1
                yield  # the form must receive `saved` before its address changes
                await toast_success(self, SAVED)
                yield rx.redirect(routes.write_to(brouillon=saved.id), replace=True)
        finally:
            self.is_saving = False

    @rx.event
    def cancel(self) -> None:
        """Close the question."""
        self.is_asking = False

    @rx.event
    async def confirm(self) -> AsyncIterator[Any]:
        """Send it; the second press of a double click finds no question, and does nothing."""
        if not self.is_asking:
            return
        self.is_sending = True
        yield
        try:
            done = await write(broadcasts.send_broadcast, actor(), self.form.id)
        except Refusal as refusal:
            await toast_error(self, SEND_FAILED, refusal.text)
            await self._read_whom()
        except Exception as error:  # the sentence of what failed stays, with the reference of the log line
            await toast_error(self, SEND_FAILED, explain_failure(error))
        else:
            self.saved += 1
            yield  # the form must receive `saved` before it goes
            self.sent, self.journal = done.sent, routes.journal_of_mailing(self.form.id)
        finally:
            self.is_sending = self.is_asking = False

    async def _read(self) -> None:
        """Begin with what the address names; a connection that comes back leaves what is being written."""
        query = self.router.url.query_parameters
        address = tuple(query.get(name, "") for name in _PARAMETERS)
        is_same = address == self._from_address or address[-1] == self.form.id != ""
        self._from_address = address
        if not is_same:
            await self._start(dict(zip(_PARAMETERS, address, strict=True)))
        await self._read_whom()

    async def _start(self, query: dict[str, str]) -> None:
        person = actor()
        self.sent = self.gone = self.reader_id = ""
        self.files = FileList()
        self._clear_errors()
        try:
            form = await read(writing.begin, person, query)
        except Refusal as refusal:
            form, self.gone = None, refusal.text
        self.form = form or WritingForm()
        self.seen, self._words = self.form.seen, (self.form.subject, self.form.content)
        name = self.form.id if query["brouillon"] else hashlib.sha256(self.form.audience.encode()).hexdigest()[:12]
        self.draft = f"writing:{name}" if form else ""
        self.choices = [(one.value, one.label) for one in await read(audiences.list_choices, person)]
        if form:
            await self.read_files()

    async def _read_whom(self) -> None:
        if not self.form.id:
            self.whom = ToWhom()
            return
        self.whom = await read(writing.read_to_whom, actor(), self.form.audience, self.form.left_off)
        if self.reader_id not in [one.id for one in self.whom.chosen]:
            self.reader_id = self.whom.chosen[0].id if self.whom.chosen else ""
        await self._draw()

    async def _leave_off(self, ids: list[str]) -> None:
        self.form = replace(self.form, left_off=",".join(dict.fromkeys(ids)))
        await self._read_whom()

    def _left_off(self) -> list[str]:
        return [each for each in self.form.left_off.split(",") if each]

    async def _draw(self) -> None:
        drawn = await read(
            previews.preview_broadcast,
            actor(),
            self._words,
            reader_id=self.reader_id,
            audience=self.form.audience,
        )
        if drawn != self.preview:
            self.preview = drawn
