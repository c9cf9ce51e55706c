"""States that the screens of members and companies share: a filtered list, and forms that may be refused.

Each screen adds its view models and the services that read, save and delete them.
"""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar

import reflex as rx

from clubapp import routes
from clubapp.refusals import NotFound, ProofRequired, Refusal
from clubapp.services.base.actors import Actor
from clubapp.services.base.edit_conflicts import Difference, RecordChanged
from clubapp.services.base.form_fields import InvalidForm
from clubapp.services.base.pagination import PAGE_SIZE
from clubapp.ui.react.forms.draft_form import text_of
from clubapp.ui.records.edit_conflict import fields_kept_theirs
from clubapp.web.screens import proof
from clubapp.web.screens.toasts import dismiss_errors, toast_error, toast_success
from clubapp.web.security.current_actor import actor
from clubapp.web.states.loading import Loading

_PICTURES = ("image_url", "logo_url")
_LONGEST_KEPT = 500
_UNKNOWN = "?"  # the version of a form whose first values are not known


class RecordList(Loading, mixin=True):
    """The records that match the filter `wanted`, which stands in the address.

    `doomed` is the id of the one whose deletion is being confirmed.
    """

    DELETED: ClassVar[str]

    doomed: str = ""
    doomed_name: str = ""
    is_busy: bool = False
    if TYPE_CHECKING:  # declared by the screen's state
        wanted: Any

    @rx.event
    async def show_more(self) -> None:
        """Show one page more."""
        self.wanted = replace(self.wanted, shown=self.wanted.shown + PAGE_SIZE)
        await self.load()

    @rx.event
    def ask_to_delete(self, record_id: str, name: str) -> None:
        """Ask before deleting."""
        self.doomed, self.doomed_name, self.is_busy = str(record_id), str(name), False

    @rx.event
    def keep(self) -> None:
        """Close the question; the record stays."""
        self.doomed = ""

    @rx.event
    async def delete(self) -> AsyncIterator[Any]:
        """Delete the record `doomed`; further presses do nothing."""
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

    def _follow(self, asked: Any) -> None:
        """Take the filter of the address; another one shows its first page."""
        if replace(self.wanted, shown=asked.shown) != asked:
            self.wanted = asked

    async def _delete(self, person: Actor, record_id: str) -> None:
        raise NotImplementedError


class Form(rx.State, mixin=True):
    """The form of a record. What is typed stays in the browser until it is saved.

    After an edit conflict, `differences` are the fields that two people changed, `_theirs` the saved values, and
    `saved_by` is the sentence that says who saved them. `_taken` are the fields in which a saved value stands for what
    the browser sends: what it sent, and the value. `_opened` is the form that a restored draft was begun with, or with
    the saved values of the last conflict.
    """

    NO_ERRORS: ClassVar[dict[str, str]]

    differences: list[Difference] = []
    saved_by: str = ""
    is_saving: bool = False
    attempt: int = 0
    _theirs: dict[str, Any] = {}
    _taken: dict[str, Any] = {}
    _opened: Any = None
    if TYPE_CHECKING:  # declared by the screen's state
        form: Any
        errors: dict[str, str]

        def _typed(self, entries: dict[str, Any], /) -> Any: ...

    @rx.event
    def restore(self, entries: dict[str, Any]) -> None:
        """A draft is restored: `seen`, the version it was begun on, and its picture come back."""
        opened = entries.get("opened")
        self._opened = self._typed(opened) if opened else replace(self.form, seen=_UNKNOWN)
        kept = ("seen", *(name for name in _PICTURES if name in entries and name in self.errors))
        self.form = replace(self.form, **{name: text_of(entries, name)[:_LONGEST_KEPT] for name in kept})

    def _begin(self) -> None:
        """Clear errors and conflicts."""
        self.errors, self.differences, self.saved_by = self.NO_ERRORS, [], ""
        self._theirs, self._taken, self._opened = {}, {}, None

    def _chosen(self, sent: Any, entries: dict[str, Any]) -> Any:
        """What was sent, with the saved value in the fields for which it was chosen, or that only another changed."""
        taken = {name: value for name, (was, value) in self._taken.items() if getattr(sent, name) == was}
        chosen = [name for name in fields_kept_theirs(entries, self.differences) if name in self._theirs]
        return replace(sent, **taken | {name: self._theirs[name] for name in chosen})

    async def _store(self, typed: Any, save: Callable[[Any], Awaitable[None]]) -> None:
        """Save; when somebody else saved since and no field was changed by both, what both changed is kept."""
        try:
            await save(typed)
        except RecordChanged as conflict:
            opened = self._opened or self.form
            if conflict.find_contested(opened, typed):
                raise
            await save(conflict.merge(opened, typed))

    async def _refuse(self, refusal: Refusal, sent: Any, typed: Any) -> None:
        errors = refusal.errors if isinstance(refusal, InvalidForm) else {}
        self.errors = self.NO_ERRORS | errors
        if isinstance(refusal, RecordChanged):
            opened = self._opened or self.form
            merged = refusal.merge(opened, typed)
            self.differences = refusal.find_contested(opened, typed)
            self.saved_by, self._theirs = refusal.saved_by, refusal.theirs
            self._taken = {
                name: (was, value)
                for name, value in vars(merged).items()
                if name != "seen" and (was := getattr(sent, name)) != value
            }
            self._opened = replace(opened, seen=refusal.seen, **refusal.theirs)
            self.form = replace(self.form, seen=refusal.seen)
        else:  # a conflict is shown in the form
            await toast_error(self, "Erreur", refusal.text)
        self.attempt += 1


class RecordForm(Form, mixin=True):
    """An administrator's form for a new or an existing record of the list `LIST`, and of the page `PAGE`,
    below the address `AT`.

    `_done` are the entries saved last: submitting the same again does nothing. `opening` rises with each form shown.
    """

    CREATED: ClassVar[str]
    UPDATED: ClassVar[str]
    LIST: ClassVar[type[RecordList]]
    PAGE: ClassVar[type[Loading]]
    AT: ClassVar[str]

    is_open: bool = False
    opening: int = 0
    saved: int = 0
    _done: dict[str, Any] | None = None

    @rx.event
    async def toggle_new(self) -> None:
        """Open an empty form, or close it when it is open."""
        if self.is_open and not self.form.id:
            self.is_open = False
            await dismiss_errors(self)
            return
        self._show(await self._form(""))

    @rx.event
    async def edit(self, record_id: str) -> None:
        """Open the form of a record."""
        self._show(await self._form(str(record_id)))

    @rx.event
    async def follow_address(self) -> None:
        """On the page of a record: its form is open while the address says so."""
        record_id = self._find_address()
        if not record_id or not self.router.url.query_parameters.get("modifier"):
            self.is_open = False
        elif not self.is_open or self.form.id != record_id:
            with suppress(NotFound):  # the page says so
                self._show(await self._form(record_id))

    @rx.event
    async def close(self) -> Any:
        """Close without saving, and read the list again."""
        self.is_open = False
        await dismiss_errors(self)
        return self._reload()

    @rx.event
    def drop(self, record_id: str) -> None:
        """Close the form of a record that is being deleted."""
        if self.form.id == record_id:
            self.is_open = False

    @rx.event
    def begin(self) -> None:
        """The screen appears: close a form left open."""
        self.is_open = False

    @rx.event
    async def save(self, entries: dict[str, Any]) -> AsyncIterator[Any]:
        """Save what was typed; a refusal is shown beside the fields, which keep their text."""
        if entries == self._done:
            return
        sent = self._typed(entries)
        typed = self._chosen(sent, entries)
        person, self.is_saving = actor(), True
        yield
        try:
            await self._store(typed, lambda form: self._save(person, form, entries))
        except ProofRequired:
            yield proof.ask_again(self, "save", entries=entries)
        except Refusal as refusal:
            await self._refuse(refusal, sent, typed)
        except Exception:  # the guard shows it; a new attempt returns the focus to the form
            self.attempt += 1
            raise
        else:
            self.saved += 1
            yield  # the form must receive `saved` before it is closed
            self.is_open, self._done = False, entries
            await toast_success(self, self.UPDATED if typed.id else self.CREATED)
            yield self._reload()
        finally:
            self.is_saving = False

    def _show(self, form: Any) -> None:
        self.form = form
        self._begin()
        self.is_saving, self.attempt, self._done = False, 0, None
        self.opening += 1
        self.is_open = True

    def _reload(self) -> Any:
        """What reads again whatever shows the record; on its page, the address says no longer that the form is open."""
        record_id = self._find_address()
        back = [rx.redirect(f"{self.AT}/{record_id}", replace=True)] if record_id else []
        return [self.LIST.load, self.PAGE.load, *back]

    def _find_address(self) -> str:
        """The id of the record whose page is open; empty elsewhere."""
        return routes.record_in(self.router.url.path, self.AT)

    async def _form(self, record_id: str) -> Any:
        raise NotImplementedError

    def _typed(self, entries: dict[str, Any]) -> Any:
        raise NotImplementedError

    async def _save(self, person: Actor, typed: Any, entries: dict[str, Any], /) -> None:
        raise NotImplementedError


class OwnForm(Loading, Form, mixin=True):
    """The form in which members edit their own record; `page`, declared by the screen, is the preview."""

    UPDATED: ClassVar[str]

    saved: int = 0
    is_previewed: bool = False

    @rx.event
    def begin(self) -> None:
        """The screen appears: clear errors and close the preview."""
        self._begin()
        self.is_previewed = False

    @rx.event
    async def save(self, entries: dict[str, Any]) -> AsyncIterator[Any]:
        """Save what was typed; a refusal is shown beside the fields, which keep their text."""
        sent = self._typed(entries)
        typed = self._chosen(sent, entries)
        person, self.is_saving = actor(), True
        yield
        try:
            await self._store(typed, lambda form: self._save(person, form))
        except ProofRequired:
            yield proof.ask_again(self, "save", entries=entries)
        except Refusal as refusal:
            await self._refuse(refusal, sent, typed)
        else:
            self._begin()
            await self._open(person)
            self.saved += 1
            await toast_success(self, *self._success())
        finally:
            self.is_saving = False

    @rx.event
    async def preview(self, entries: dict[str, Any]) -> None:
        """Show the public page of what is typed, or its errors. Nothing is saved."""
        sent = self._typed(entries)
        typed = self._chosen(sent, entries)
        try:
            await self._preview(typed)
        except InvalidForm as refusal:
            await self._refuse(refusal, sent, typed)
        else:
            self.is_previewed = True

    @rx.event
    def close_preview(self) -> None:
        """Close the preview."""
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

    def _success(self) -> tuple[str, str]:
        """The text and the title of the toast after saving."""
        return self.UPDATED, ""

    async def _preview(self, typed: Any) -> None:
        raise NotImplementedError
