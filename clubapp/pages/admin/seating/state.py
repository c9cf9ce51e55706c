"""The tables of one event, read again while they are open."""

import secrets
from collections.abc import AsyncIterator, Callable
from typing import Any, ClassVar

import reflex as rx

from clubapp import routes
from clubapp.refusals import NotFound, Refusal
from clubapp.services.seating import editing, plan
from clubapp.services.seating.plan import SeatedPerson, SeatingPlan
from clubapp.web.screens.toasts import toast_error
from clubapp.web.security.current_actor import actor
from clubapp.web.security.guard import Access
from clubapp.web.service_calls import read, read_shared, write
from clubapp.web.states.loading import LoadingRecord, Missing

NOT_SAVED = "Les tables n’ont pas été modifiées"
NOT_MOVED = "La personne n’a pas changé de place"
NOT_PROPOSED = "Aucun placement n’a été proposé"
_LARGEST = 2**31


class TablesState(LoadingRecord, rx.State):
    """Who sits where. `said` is read to screen readers; `is_busy` while a seating is searched for.

    `settled` is the number of the last choice of a select that was answered.
    """

    ACCESS: ClassVar[Access] = Access.ADMIN

    plan: SeatingPlan = SeatingPlan()
    said: str = ""
    is_busy: bool = False
    settled: int = 0

    async def _read(self) -> None:
        event_id = routes.record_above(self.router.url.path, routes.ADMIN_EVENTS)
        if not event_id:  # the browser is not there yet, or has left
            return
        if event_id != self.plan.event_id:
            self.plan = SeatingPlan()
        self.missing, self.said, self.is_busy = Missing(), "", False
        await self._read_event(event_id)

    @rx.event
    async def follow(self) -> None:
        """Read again: answers that came in, and what a colleague moved."""
        if self.plan.event_id:
            await self._read_event(self.plan.event_id, read_shared)

    @rx.event
    async def set_tables(self, entries: dict[str, Any]) -> None:
        """Have as many tables and seats as were typed."""
        count, seats = _number(entries.get("table_count")), _number(entries.get("seats"))
        await self._change(NOT_SAVED, editing.set_tables, count, seats)

    @rx.event
    async def change_table(self, position: int, entries: dict[str, Any]) -> None:
        """Give one table a name and a number of seats."""
        name = entries.get("name")
        typed = name if isinstance(name, str) else ""
        seats = _number(entries.get("seats"))
        await self._change(NOT_SAVED, editing.change_table, _number(position), name=typed, seats=seats)

    @rx.event
    async def move(self, person: str, position: str, number: int = 0) -> None:
        """Seat someone elsewhere; table 0 takes their seat away. `number` is that of the choice, if a select's."""
        try:
            if await self._change(NOT_MOVED, editing.move_person, str(person), _number(position)):
                one = self._find(person)
                place = next(
                    (table.label for table in self.plan.tables if str(table.position) == one.table), "à placer"
                )
                self.said = f"{one.name}\u00a0: {place}."
        finally:
            self.settled = max(self.settled, number if isinstance(number, int) else 0)

    @rx.event
    async def lock(self, person: str, is_locked: bool) -> None:
        """Keep someone at their table, or let them be mixed again."""
        if await self._change(NOT_MOVED, editing.lock_person, str(person), is_locked is True):
            self.said = f"{self._find(person).name}\u00a0: {'place fixée' if is_locked is True else 'place libre'}."

    @rx.event
    async def propose(self) -> AsyncIterator[Any]:
        """Seat everyone who is not locked. A second press while it lasts does nothing."""
        if self.is_busy or not self.plan.event_id:
            return
        person, self.is_busy = actor(), True
        yield
        try:
            proposal = await read(editing.propose, person, self.plan.event_id, secrets.randbelow(_LARGEST))
            if await self._change(NOT_PROPOSED, editing.record_proposal, proposal):
                self.said = self.plan.outcome
        except Refusal as refusal:
            await toast_error(self, NOT_PROPOSED, refusal.text)
        finally:
            self.is_busy = False

    def _find(self, person: str) -> SeatedPerson:
        """The person as they are shown now; an empty one when they have just left the list."""
        everyone = [*self.plan.unseated, *(one for table in self.plan.tables for one in table.people)]
        return next((one for one in everyone if one.id == person), SeatedPerson("", ""))

    async def _change(self, failure: str, act: Callable[..., None], *given: Any, **named: Any) -> bool:
        """Whether the change was made; a refusal is shown."""
        try:
            await write(act, actor(), self.plan.event_id, *given, **named)
        except Refusal as refusal:
            await toast_error(self, failure, refusal.text)
            is_done = False
        else:
            is_done = True
        await self._read_event(self.plan.event_id)
        return is_done

    async def _read_event(self, event_id: str, ask: Any = read) -> None:
        try:
            found = await ask(plan.read_plan, actor(), event_id)
        except NotFound as gone:
            self.plan = SeatingPlan()
            self._miss(event_id, gone)
            return
        if found != self.plan:
            self.plan = found


def _number(typed: Any) -> int:
    """A whole number, as a service checks it; -1 for anything else."""
    text = str(typed).strip()
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 6 else -1
