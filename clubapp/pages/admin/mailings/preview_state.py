"""The preview of the mail that is being written, as a chosen member will read it."""

from typing import Any, ClassVar

import reflex as rx

from clubapp.mail.messages.text_choice import COLUMNS
from clubapp.refusals import Refusal
from clubapp.services.mailings import previews, signatures
from clubapp.services.mailings.previews import Preview
from clubapp.services.mailings.test_mails import TYPES
from clubapp.ui.react.forms.draft_form import text_of
from clubapp.web.security.current_actor import actor
from clubapp.web.security.guard import Access
from clubapp.web.service_calls import read


class PreviewState(rx.State):
    """`_words` are the typed subject and content of each mail; they are not sent back to the browser."""

    ACCESS: ClassVar[Access] = Access.ADMIN

    preview: Preview = Preview()
    readers: list[tuple[str, str]] = []
    reader_id: str = ""

    _event_id: str = ""
    _shown: str = ""
    _words: dict[str, tuple[str, str]] = {}

    @rx.event
    async def templates_typed(self, entries: dict[str, Any]) -> None:
        """Note what is typed in the templates, and update the preview."""
        for name, which in TYPES.items():
            subject, content = COLUMNS[which]
            if subject in entries:
                self._words = {**self._words, name: (text_of(entries, subject), text_of(entries, content))}
        await self._draw()

    @rx.event
    async def broadcast_typed(self, entries: dict[str, Any]) -> None:
        """Note what is typed in a broadcast, and update the preview."""
        self._words = {"": (text_of(entries, "subject"), text_of(entries, "content"))}
        await self._draw()

    @rx.event
    async def signature_typed(self, entries: dict[str, Any]) -> None:
        """Update the preview of the signature."""
        typed = signatures.form_from_entries({name: text_of(entries, name) for name in entries})
        self.preview = await read(previews.preview_signature, actor(), typed)

    @rx.event
    async def turn(self, email_type: str) -> None:
        """Preview another of the event's mails."""
        self._shown = email_type
        await self._draw()

    @rx.event
    async def read_as(self, reader_id: str) -> None:
        """Preview the mail as another member."""
        self.reader_id = reader_id
        await self._draw()

    async def _open(self, words: dict[str, tuple[str, str]], *, event_id: str = "", shown: str = "") -> None:
        """Show the preview of the texts that a dialog opens with."""
        self._event_id, self._shown, self._words = event_id, shown, words
        self.readers = [(reader.id, reader.name) for reader in await read(previews.list_readers, actor())]
        first = await read(previews.find_first_recipient, actor(), event_id, shown) if event_id else ""
        known = dict(self.readers)
        if first in known or self.reader_id not in known:
            self.reader_id = first if first in known else next(iter(known), "")
        await self._draw()

    async def _draw(self) -> None:
        words, person = self._words.get(self._shown, ("", "")), actor()
        try:
            if self._event_id:
                drawn = await read(
                    previews.preview_event_mail, person, self._event_id, self._shown, words, reader_id=self.reader_id
                )
            else:
                drawn = await read(previews.preview_broadcast, person, words, reader_id=self.reader_id)
        except Refusal:
            return  # the record was deleted; the form shows that when it is saved
        if drawn != self.preview:
            self.preview = drawn
