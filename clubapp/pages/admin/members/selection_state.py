"""Acts on the members who are chosen in the list."""

from collections.abc import AsyncIterator, Callable
from typing import Any, ClassVar

import reflex as rx

from clubapp import routes
from clubapp.pages.admin.members.state import MembersState
from clubapp.refusals import Invalid, Refusal
from clubapp.services.base.pagination import MOST_CHOSEN
from clubapp.services.import_export import exports
from clubapp.services.members import bulk_acts, listing
from clubapp.services.members.bulk_acts import MemberSelection
from clubapp.ui.react.forms.entries_form import pairs_of
from clubapp.web.screens.toasts import toast_error, toast_success
from clubapp.web.security.current_actor import actor
from clubapp.web.security.guard import Access
from clubapp.web.service_calls import read, write


class SelectionState(rx.State):
    """The open question: `asking` is an act, or empty, and `chosen` whom it is about.

    `round` rises when all that the filter leaves, `everything`, are to be chosen; `done` when an act is done.
    """

    ACCESS: ClassVar[Access] = Access.ADMIN
    HANDLER_ACCESS: ClassVar[dict[str, Access]] = {
        "export": Access.ADMIN_FRESH,
        "ask_for_photographs": Access.ADMIN_FRESH,
    }

    everything: list[str] = []
    round: int = 0
    done: int = 0
    asking: str = ""
    chosen: MemberSelection = MemberSelection()
    problem: str = ""
    attempt: int = 0
    is_busy: bool = False

    @rx.event
    async def choose_all(self) -> None:
        """Choose all members that the filter of the address leaves."""
        wanted = listing.parse_filter(dict(self.router.url.query_parameters))
        self.everything = list(await read(listing.list_ids, actor(), wanted))
        self.round += 1

    @rx.event
    async def ask(self, act: str, ids: list[str]) -> None:
        """Open the question before an act."""
        if act not in bulk_acts.ACTS or not isinstance(ids, list):
            return
        try:
            self.chosen = await read(bulk_acts.read_selection, actor(), ids, act)
        except Refusal as refusal:
            await toast_error(self, "Erreur", refusal.text)
        else:
            self.asking, self.problem = act, ""

    @rx.event
    def close(self) -> None:
        """Close the question; nothing is done."""
        self.asking, self.is_busy = "", False

    @rx.event
    async def export(self, _act: str, ids: list[str]) -> Any:
        """Download the chosen members as a table."""
        try:
            file = await write(exports.export_chosen_members, actor(), ids if isinstance(ids, list) else [])
        except Refusal as refusal:
            await toast_error(self, "Erreur", refusal.text)
            return None
        return rx.download(data=file.content, filename=file.name)

    @rx.event
    def compose(self, _act: str, ids: list[str]) -> Any:
        """Go to where a mail to the chosen members is written."""
        chosen = [str(each) for each in ids] if isinstance(ids, list) else []
        return rx.redirect(routes.write_to(membres=chosen[:MOST_CHOSEN]))

    @rx.event
    async def deactivate(self) -> AsyncIterator[Any]:
        """Make the chosen members inactive."""
        async for step in self._do(bulk_acts.deactivate, "est maintenant inactif", "sont maintenant inactifs"):
            yield step

    @rx.event
    async def change_domain(self, entries: list[list[str]]) -> AsyncIterator[Any]:
        """Give the chosen members another activity domain."""
        domain = dict(pairs_of(entries)).get("domain", "")[:100]
        async for step in self._do(bulk_acts.change_domain, "a changé de domaine", "ont changé de domaine", domain):
            yield step

    @rx.event
    async def ask_for_photographs(self) -> AsyncIterator[Any]:
        """Write to those of the chosen members who have no photograph."""
        async for step in self._do(bulk_acts.ask_for_photographs, "va recevoir un e-mail", "vont recevoir un e-mail"):
            yield step

    async def _do(self, service: Callable[..., int], one: str, several: str, *given: str) -> AsyncIterator[Any]:
        """Call the service once; further presses do nothing."""
        if not self.asking or self.is_busy:
            return
        person, self.is_busy = actor(), True
        yield
        try:
            count = await write(service, person, self.chosen.ids, *given)
        except Invalid as refusal:
            self.problem, self.attempt = refusal.text, self.attempt + 1
        except Refusal as refusal:
            self.asking = ""
            await toast_error(self, "Erreur", refusal.text)
        else:
            self.asking, self.done = "", self.done + 1
            await toast_success(self, f"{count} membres {several}." if count > 1 else f"{count} membre {one}.")
        finally:
            self.is_busy = False
        yield MembersState.load
