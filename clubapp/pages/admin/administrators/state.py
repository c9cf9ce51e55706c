"""The administrators: list, add, remove."""

from collections.abc import AsyncIterator
from typing import Any, ClassVar

import reflex as rx

from clubapp.refusals import Refusal
from clubapp.services.access import administrators, factor_loss
from clubapp.services.access.administrators import Administrator
from clubapp.ui.react.forms.draft_form import text_of
from clubapp.web.screens.toasts import toast_error, toast_success
from clubapp.web.security.current_actor import actor
from clubapp.web.security.guard import Access
from clubapp.web.service_calls import read, write
from clubapp.web.states.loading import Loading

ADDED = "{} administre désormais le club."
REMOVED = "{} n’administre plus le club."
RESET = "La double vérification de {} est réinitialisée."


class AdministratorsState(Loading, rx.State):
    """Every administrator. `leaving` is the address whose removal is being confirmed, `resetting` whose factors'."""

    ACCESS: ClassVar[Access] = Access.ADMIN
    HANDLER_ACCESS: ClassVar[dict[str, Access]] = dict.fromkeys(("add", "remove", "reset_factors"), Access.ADMIN_FRESH)

    rows: list[Administrator] = []
    error: str = ""
    attempt: int = 0
    saved: int = 0
    is_saving: bool = False
    leaving: str = ""
    leaving_is_me: bool = False
    resetting: str = ""

    @rx.event
    def begin(self) -> None:
        """The screen appears: clear the error and the question."""
        self.error = self.leaving = self.resetting = ""

    @rx.event
    async def add(self, entries: dict[str, Any]) -> AsyncIterator[Any]:
        """Make an address an administrator."""
        person, typed, self.is_saving = actor(), text_of(entries, "email"), True
        yield
        try:
            address = await write(administrators.add_administrator, person, typed)
        except Refusal as refusal:
            self.error, self.attempt = refusal.text, self.attempt + 1
        except Exception:  # the guard shows it; a new attempt returns the focus to the form
            self.attempt += 1
            raise
        else:
            self.error, self.saved = "", self.saved + 1
            await toast_success(self, ADDED.format(address))
            yield  # shown even if reading the list fails
        finally:
            self.is_saving = False
        await self.load()

    @rx.event
    def ask_to_remove(self, email: str) -> None:
        """Ask before removing."""
        self.leaving, self.leaving_is_me, self.is_saving = str(email), email == actor().email, False

    @rx.event
    def keep(self) -> None:
        """Close the question."""
        self.leaving = self.resetting = ""

    @rx.event
    async def remove(self) -> AsyncIterator[Any]:
        """Remove the administrator `leaving`; further presses do nothing."""
        if not self.leaving or self.is_saving:
            return
        person, self.is_saving = actor(), True
        yield
        try:
            address = await write(administrators.remove_administrator, person, self.leaving)
        except Refusal as refusal:
            await toast_error(self, "Erreur", refusal.text)
        else:
            self.error = ""
            await toast_success(self, REMOVED.format(address))
        finally:
            self.is_saving, self.leaving = False, ""
        if not self.leaving_is_me:
            await self.load()

    @rx.event
    def ask_to_reset(self, email: str) -> None:
        """Ask before removing the second factors of somebody who has lost theirs."""
        self.resetting, self.is_saving = str(email), False

    @rx.event
    async def reset_factors(self) -> AsyncIterator[Any]:
        """Remove the second factors of the administrator `resetting`; further presses do nothing."""
        if not self.resetting or self.is_saving:
            return
        person, self.is_saving = actor(), True
        yield
        try:
            address = await write(factor_loss.reset_factors, person, self.resetting)
        except Refusal as refusal:
            await toast_error(self, "Erreur", refusal.text)
        else:
            await toast_success(self, RESET.format(address))
        finally:
            self.is_saving, self.resetting = False, ""
        await self.load()

    async def _read(self) -> None:
        self.rows = list(await read(administrators.list_administrators, actor()))
