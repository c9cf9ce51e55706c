"""The preview of one of the club's own texts, opened on demand and updated while one types."""

from typing import Any, ClassVar

import reflex as rx

from clubapp.pages.admin.reminders.state import RemindersState
from clubapp.services.mailings import previews
from clubapp.services.mailings.previews import Preview
from clubapp.ui.react.forms.draft_form import text_of
from clubapp.web.security.current_actor import actor
from clubapp.web.security.guard import Access
from clubapp.web.service_calls import read

UNANSWERED = "unanswered"


class ReminderPreviewState(rx.State):
    """`shown` is the key of the previewed text: `edition:kind`, and `:unanswered` when it asks for an answer.

    `_words` are the typed subject and content by the same key; they are not sent back to the browser.
    """

    ACCESS: ClassVar[Access] = Access.ADMIN

    preview: Preview = Preview()
    shown: str = ""

    _words: dict[str, tuple[str, str]] = {}

    @rx.event
    def begin(self) -> None:
        """The screen appears: close the preview and forget typed texts."""
        self.shown, self._words, self.preview = "", {}, Preview()

    @rx.event
    async def turn(self, text: str) -> None:
        """Open the preview of a text, or close it."""
        if self.shown == text:
            self.shown = ""
            return
        self.shown = str(text)
        await self._draw()

    @rx.event
    async def typed(self, text: str, entries: dict[str, Any]) -> None:
        """Note what is typed, and update the preview of this text if it is open."""
        prefix = UNANSWERED if text.endswith(UNANSWERED) else "template"
        self._words = {
            **self._words,
            text: (text_of(entries, f"{prefix}_subject"), text_of(entries, f"{prefix}_content")),
        }
        if self.shown == text:
            await self._draw()

    async def _draw(self) -> None:
        kind, _, asking = self.shown.partition(":")[2].partition(":")
        words = self._words.get(self.shown) or await self._stored(kind, is_asking=bool(asking))
        drawn = await read(previews.preview_club_mail, actor(), kind, words, is_asking=bool(asking))
        if drawn != self.preview:
            self.preview = drawn

    async def _stored(self, kind: str, *, is_asking: bool) -> tuple[str, str]:
        rows = (await self.get_state(RemindersState)).rows
        card = next((row.card for row in rows if row.card.kind == kind), None)
        if card is None:
            return "", ""
        return (card.unanswered_subject, card.unanswered_content) if is_asking else (card.subject, card.content)
