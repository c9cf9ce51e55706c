"""The form of the settings of the automatic mails."""

from collections.abc import AsyncIterator
from dataclasses import dataclass, fields
from typing import Any, ClassVar

import reflex as rx

from clubapp.refusals import ProofRequired, Refusal
from clubapp.services.base.edit_conflicts import TextChanged
from clubapp.services.base.form_fields import InvalidForm
from clubapp.services.reminders import settings as reminder_settings
from clubapp.services.reminders.settings import TO_THOSE_WHO_COME, ReminderCard, ReminderSettings, TypedReminder
from clubapp.ui.react.forms.draft_form import text_of, texts_of
from clubapp.web.screens import proof
from clubapp.web.screens.toasts import toast_error, toast_success
from clubapp.web.security.current_actor import actor
from clubapp.web.security.guard import Access
from clubapp.web.service_calls import write
from clubapp.web.states.loading import Loading

SAVED = "Paramètres sauvegardés avec succès !"


@dataclass(frozen=True)
class ReminderRow:
    """A card, and the errors of its fields."""

    card: ReminderCard
    days_before: str = ""
    template_subject: str = ""
    template_content: str = ""
    unanswered_subject: str = ""
    unanswered_content: str = ""


_REFUSED = tuple(each.name for each in fields(ReminderRow) if each.name != "card")


class RemindersState(Loading, rx.State):
    """What is typed stays in the browser until it is saved. `edition` rises when other stored values are read."""

    ACCESS: ClassVar[Access] = Access.ADMIN

    rows: list[ReminderRow] = []
    seen: str = ""
    recipients: str = TO_THOSE_WHO_COME
    edition: int = 0
    is_saving: bool = False
    attempt: int = 0
    saved: int = 0
    _shown: ReminderSettings = ReminderSettings()

    @rx.event
    def begin(self) -> None:
        """The screen appears: clear errors. May run after `load`, so it keeps the cards."""
        self.rows = [ReminderRow(row.card) for row in self.rows]

    @rx.event
    async def save(self, entries: dict[str, Any]) -> AsyncIterator[Any]:
        """Save every card, or none when one is refused; the fields keep their text."""
        person, self.is_saving = actor(), True
        yield
        try:
            settings = await write(reminder_settings.save, person, text_of(entries, "seen"), _typed(entries))
        except ProofRequired:
            yield proof.ask_again(self, "save", entries=entries)
        except Refusal as refusal:
            await self._refuse(refusal)
        else:
            self._show(settings)
            self.saved += 1
            await toast_success(self, SAVED)
        finally:
            self.is_saving = False

    @rx.event
    def restore(self, entries: dict[str, Any]) -> None:
        """A draft is restored: the version it was begun on comes back."""
        self.seen = text_of(entries, "seen")[:100]

    def _show(self, settings: ReminderSettings) -> None:
        self.seen, self.recipients, self._shown = settings.seen, settings.recipients, settings
        self.rows = [ReminderRow(card) for card in settings.cards]

    async def _read(self) -> None:
        stored = await write(reminder_settings.open_settings, actor())
        if stored != self._shown:  # reading again after a reconnection must not reset the fields
            self._show(stored)
            self.edition += 1

    async def _refuse(self, refusal: Refusal) -> None:
        errors = refusal.errors if isinstance(refusal, InvalidForm) else {}
        self.rows = [
            ReminderRow(row.card, **{name: errors.get(f"{name}:{row.card.id}", "") for name in _REFUSED})
            for row in self.rows
        ]
        if isinstance(refusal, TextChanged):
            self.seen = refusal.seen
        self.attempt += 1
        await toast_error(self, "Erreur", refusal.text)


def _typed(entries: dict[str, Any]) -> tuple[TypedReminder, ...]:
    """The cards in order; the value of a ticked box is the id of its card."""
    active, asking = texts_of(entries, "is_active"), texts_of(entries, "to_unanswered")
    columns = (texts_of(entries, name) for name in ("id", "days_before", "template_subject", "template_content"))
    asked = (texts_of(entries, name) for name in ("asking_id", "unanswered_subject", "unanswered_content"))
    texts = {identifier: words for identifier, *words in zip(*asked, strict=False)}
    return tuple(
        TypedReminder(
            identifier, days, identifier in active, subject, content, identifier in asking,
            *texts.get(identifier, ("", "")),
        )
        for identifier, days, subject, content in zip(*columns, strict=False)
    )  # fmt: skip
