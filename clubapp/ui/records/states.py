"""What the screens of members and of companies do alike: a list that is narrowed, and forms that may be refused.

A screen's states add the records themselves and the services that read, save and delete them.
"""

from collections.abc import AsyncIterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar

import reflex as rx

from clubapp.refusals import Refusal
from clubapp.services.base.actors import Actor
from clubapp.services.base.edit_conflicts import Difference, RecordChanged
from clubapp.services.base.form_fields import InvalidForm
from clubapp.services.base.pagination import PAGE_SIZE
from clubapp.services.base.search import LONGEST_QUERY
from clubapp.ui.react.forms.draft_form import text_of
from clubapp.ui.records.edit_conflict import fields_kept_theirs
from clubapp.ui.records.rows import ALL
from clubapp.web.screens.toasts import toast_error, toast_success
from clubapp.web.security.current_actor import actor
from clubapp.web.states.loading import Loading

_PICTURES = ("image_url", "logo_url")
_LONGEST_KEPT = 500


class RecordList(Loading, mixin=True):
    """The records that answer the filter `wanted`. `doomed` is the one whose deletion is being asked about."""

    DELETED: ClassVar[str]

    doomed: str = ""
    doomed_name: str = ""
    is_busy: bool = False
    if TYPE_CHECKING:  # the screen's own, with its default
        wanted: Any

    @rx.event
    async def search(self, text: str) -> None:
        """Those that a text finds."""
        await self._narrow(text=str(text)[:LONGEST_QUERY])

    @rx.event
    async def choose_domain(self, domain: str) -> None:
        """Those of one activity domain."""
        await self._narrow(domain="" if domain == ALL else str(domain)[:LONGEST_QUERY])

    @rx.event
    async def choose_completeness(self, which: str) -> None:
        """Those whose public page lacks something."""
        await self._narrow(to_complete=which == "to_complete")

    @rx.event
    async def show_more(self) -> None:
        """One more page."""
        self.wanted = replace(self.wanted, shown=self.wanted.shown + PAGE_SIZE)
        await self.load()

    @rx.event
    def ask_to_delete(self, record_id: str, name: str) -> None:
        """Ask before deleting."""
        self.doomed, self.doomed_name, self.is_busy = str(record_id), str(name), False

    @rx.event
    def keep(self) -> None:
        """The answer is no."""
        self.doomed = ""

    @rx.event
    async def delete(self) -> AsyncIterator[Any]:
        """Delete the record that was asked about, once, however often the button is pressed."""
        if not self.doomed or self.is_busy:
            return
        person, self.is_busy = actor(), True
        yield
        try:
            await self._delete(person, self.doomed)
        except Refusal as refusal:
            await toast_error(self, "Erreur", refusal.text)
        else:
            await toast_success(self, self.DELETED)
        finally:
            self.is_busy, self.doomed = False, ""
        await self.load()

    async def _narrow(self, **changes: Any) -> None:
        self.wanted = replace(self.wanted, **changes, shown=PAGE_SIZE)
        await self.load()

    async def _delete(self, person: Actor, record_id: str) -> None:
        raise NotImplementedError


class Form(rx.State, mixin=True):
    """A form over a record. What is typed stays in the browser until it is saved.

    `rivals` are the fields that someone else changed meanwhile, `_theirs` what they hold.
    """

    NO_ERRORS: ClassVar[dict[str, str]]

    rivals: list[Difference] = []
    told: str = ""
    is_saving: bool = False
    attempt: int = 0
    _theirs: dict[str, Any] = {}
    if TYPE_CHECKING:  # the screen's own, with their defaults
        form: Any
        errors: dict[str, str]

    @rx.event
    def restore(self, entries: dict[str, Any]) -> None:
        """A draft is taken up again: it was begun on the version that it names, with the picture it names."""
        kept = ("seen", *(name for name in _PICTURES if name in entries and name in self.errors))
        self.form = replace(self.form, **{name: text_of(entries, name)[:_LONGEST_KEPT] for name in kept})

    def _begin(self) -> None:
        """Nothing is wrong yet."""
        self.errors, self.rivals, self.told, self._theirs = self.NO_ERRORS, [], "", {}

    def _chosen(self, typed: Any, entries: dict[str, Any]) -> Any:
        """What was typed, but for the fields in which the other version was chosen."""
        chosen = fields_kept_theirs(entries, self.rivals)
        return replace(typed, **{name: self._theirs[name] for name in chosen if name in self._theirs})

    async def _refuse(self, refusal: Refusal, typed: Any) -> None:
        wrong = refusal.errors if isinstance(refusal, InvalidForm) else {}
        self.errors = self.NO_ERRORS | wrong
        if isinstance(refusal, RecordChanged):
            self.rivals = refusal.with_choices(self.form, typed)
            self.told, self._theirs = refusal.saved_by, refusal.theirs
            self.form = replace(self.form, seen=refusal.seen)
        else:  # a stale version is told where it is settled
            await toast_error(self, "Erreur", refusal.text)
        self.attempt += 1


class RecordForm(Form, mixin=True):
    """An administrator's form, for a new record or an existing one of the list `LIST`. `_done` is what it has saved."""

    CREATED: ClassVar[str]
    UPDATED: ClassVar[str]
    LIST: ClassVar[type[RecordList]]

    is_open: bool = False
    opening: int = 0
    saved: int = 0
    _done: dict[str, Any] | None = None

    @rx.event
    async def toggle_new(self) -> None:
        """An empty form; or none, when that is what is shown."""
        if self.is_open and not self.form.id:
            self.is_open = False
            return
        self._show(await self._form(""))

    @rx.event
    async def edit(self, record_id: str) -> None:
        """The form of a record."""
        self._show(await self._form(str(record_id)))

    @rx.event
    async def close(self) -> Any:
        """Leave without saving: the list is read again."""
        self.is_open = False
        return self.LIST.load

    @rx.event
    def drop(self, record_id: str) -> None:
        """A record is being deleted: its form has nothing left to be about."""
        if self.form.id == record_id:
            self.is_open = False

    @rx.event
    def begin(self) -> None:
        """The screen appears: without a form."""
        self.is_open = False

    @rx.event
    async def save(self, entries: dict[str, Any]) -> AsyncIterator[Any]:
        """Save what was typed, once, however often the button is pressed; when it is refused, say why and keep it."""
        if entries == self._done:
            return
        typed = self._chosen(self._typed(entries), entries)
        person, self.is_saving = actor(), True
        yield
        try:
            await self._save(person, typed, entries)
        except Refusal as refusal:
            await self._refuse(refusal, typed)
        except Exception:  # the guard tells of it; here the focus goes back to the form
            self.attempt += 1
            raise
        else:
            self.saved += 1
            yield  # the form hears it before it goes
            self.is_open, self._done = False, entries
            await toast_success(self, self.UPDATED if typed.id else self.CREATED)
            yield self.LIST.load
        finally:
            self.is_saving = False

    def _show(self, form: Any) -> None:
        self.form = form
        self._begin()
        self.is_saving, self.attempt, self._done = False, 0, None
        self.opening += 1
        self.is_open = True

    async def _form(self, record_id: str) -> Any:
        raise NotImplementedError

    def _typed(self, entries: dict[str, Any]) -> Any:
        raise NotImplementedError

    async def _save(self, person: Actor, typed: Any, entries: dict[str, Any], /) -> None:
        raise NotImplementedError


class OwnForm(Loading, Form, mixin=True):
    """A member's form over what is their own; `page` is the public page that what is typed would make."""

    UPDATED: ClassVar[str]

    saved: int = 0
    is_previewed: bool = False

    @rx.event
    def begin(self) -> None:
        """The screen appears: nothing is wrong yet, nothing is over it."""
        self._begin()
        self.is_previewed = False

    @rx.event
    async def save(self, entries: dict[str, Any]) -> AsyncIterator[None]:
        """Write what was typed; when it is refused, say why and keep it."""
        typed = self._chosen(self._typed(entries), entries)
        person, self.is_saving = actor(), True
        yield
        try:
            await self._save(person, typed)
        except Refusal as refusal:
            await self._refuse(refusal, typed)
        else:
            self._begin()
            await self._open(person)
            self.saved += 1
            await toast_success(self, **self._success())
        finally:
            self.is_saving = False

    @rx.event
    async def preview(self, entries: dict[str, Any]) -> None:
        """Draw the page of what is typed, or say what is wrong with it. Nothing is written."""
        typed = self._chosen(self._typed(entries), entries)
        try:
            await self._preview(typed)
        except InvalidForm as refusal:
            await self._refuse(refusal, typed)
        else:
            self.is_previewed = True

    @rx.event
    def close_preview(self) -> None:
        """Back to the form."""
        self.is_previewed = False

    async def _read(self) -> None:
        self.is_saving = False
        await self._open(actor())

    async def _open(self, person: Actor) -> None:
        raise NotImplementedError

    def _typed(self, entries: dict[str, Any]) -> Any:
        raise NotImplementedError

    async def _save(self, person: Actor, typed: Any) -> None:
        raise NotImplementedError

    def _success(self) -> dict[str, str]:
        """What is said once it is saved."""
        return {"text": self.UPDATED}

    async def _preview(self, typed: Any) -> None:
        raise NotImplementedError
