"""The preview of an import, and its progress."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import replace
from typing import Any, ClassVar

import reflex as rx

from clubapp import routes
from clubapp.refusals import Conflict, NotFound, Refusal
from clubapp.services.base.form_fields import LONGEST_BLOCK
from clubapp.services.import_export import import_corrections, import_run
from clubapp.services.import_export.import_matching import COMPANIES, MEMBERS
from clubapp.services.import_export.import_run import ImportLine, ImportPlan
from clubapp.ui.react.forms.entries_form import pairs_of
from clubapp.web.screens.toasts import toast_success
from clubapp.web.security.current_actor import actor
from clubapp.web.security.guard import Access
from clubapp.web.service_calls import read, write

ALL = "all"
SHOWN = 200
CORRECTED = "Corrigée\u00a0: cette ligne peut être importée."
_PROGRESS_EVERY = 0.2  # seconds


class ImportState(rx.State):
    """One file at a time. The lines of the plan stay on the server; the screen shows those of one outcome.

    Another file takes the place of one whose lines are as it came, not of one that `is_corrected`; `is_leaving` while
    the question is open whether corrections are to be lost.
    """

    ACCESS: ClassVar[Access] = Access.ADMIN
    HANDLER_ACCESS: ClassVar[dict[str, Access]] = {"confirm": Access.ADMIN_FRESH}

    plan: ImportPlan = ImportPlan()
    shown: list[ImportLine] = []
    hidden: int = 0
    outcome: str = ALL
    refusal: str = ""
    done: int = 0
    is_reading: bool = False
    is_busy: bool = False
    is_leaving: bool = False
    is_corrected: bool = False
    _lines: tuple[ImportLine, ...] = ()

    @rx.event
    async def begin(self) -> AsyncIterator[None]:
        """The screen appears: take up the import that was left before it was finished."""
        self._clear()
        yield  # its fields are drawn anew, with what was typed into them last
        kind = COMPANIES if self.router.url.path.startswith(routes.IMPORT_COMPANIES) else MEMBERS
        left = await read(import_corrections.find_unfinished, actor(), kind)
        if left:
            with suppress(NotFound):  # discarded meanwhile in another tab
                self._preview(await read(import_run.build_plan, actor(), left))
                self.is_corrected = True  # it may have been: giving it up is asked first

    @rx.event
    async def look(self, import_id: str) -> AsyncIterator[None]:
        """Show the plan of an uploaded file."""
        self._clear()
        person, self.is_reading = actor(), True
        yield
        try:
            self._preview(await read(import_run.build_plan, person, str(import_id)))
        finally:
            self.is_reading = False

    @rx.event
    def refuse(self, text: str) -> None:
        """Show why an upload was refused."""
        self._clear()
        self.refusal = str(text)[:300]

    @rx.event
    def show(self, outcome: str) -> None:
        """The lines of one outcome, or all."""
        self._show(outcome if outcome in import_run.OUTCOMES else ALL)

    @rx.event
    async def confirm(self) -> AsyncIterator[Any]:
        """Import every good line in one transaction, showing the progress; a conflict shows the new plan instead."""
        if self.is_busy or not self.plan.changes:
            return
        self.is_busy, self.done, self.refusal = True, 0, ""
        yield
        reached = [0]
        work = asyncio.create_task(
            write(import_run.run_import, actor(), self.plan.id, lambda count: reached.__setitem__(0, count))
        )
        try:
            while not (await asyncio.wait((work,), timeout=_PROGRESS_EVERY))[0]:
                self.done = reached[0]
                yield
            count = work.result()
            rest = await read(import_run.build_plan, actor(), self.plan.id) if self.plan.refused else ImportPlan()
        except Conflict as refusal:
            self.refusal = refusal.text
            self._preview(await read(import_run.build_plan, actor(), self.plan.id))  # compared with the records of now
        except Refusal as refusal:
            self.refusal = refusal.text
        else:
            self._clear()
            if rest.refused:
                self._preview(rest)
            await toast_success(self, f"{count} fiches importées." if count > 1 else f"{count} fiche importée.")
        finally:
            self.is_busy = False

    @rx.event
    async def correct(self, entries: list[list[str]]) -> None:
        """Replace the wrong cells of a line, and show the plan that this makes."""
        typed = {name: text[:LONGEST_BLOCK] for name, text in pairs_of(entries)}
        await self._mend(import_corrections.correct_line, _number(typed.pop("line", "")), typed)

    @rx.event
    async def keep(self, plan_id: str, number: int, column: str, text: str) -> None:
        """Keep what is being typed into a line of a plan, and count what it imports; its fields stay until sent."""
        shown, of = (each.partition(".")[0] for each in (self.plan.id, str(plan_id)))
        if not shown or shown != of or self.is_busy:
            return
        typed = {str(column): str(text)[:LONGEST_BLOCK]}
        with suppress(Refusal):  # said at 'Corriger'
            if await write(import_corrections.keep_text, actor(), self.plan.id, _number(number), typed):
                plan = await read(import_run.build_plan, actor(), self.plan.id)
                self._lines, self.plan, self.is_corrected = plan.lines, replace(plan, lines=()), True
                fresh = {line.number: line for line in plan.lines}
                self.shown = [_kept(line, fresh.get(line.number, line)) for line in self.shown]

    @rx.event
    async def choose(self, number: int, person: str) -> None:
        """Say whom a line is about: the id of a namesake, or `ANOTHER`."""
        await self._mend(import_corrections.choose_person, _number(number), str(person)[:36])

    @rx.event
    async def leave_out(self, number: int) -> None:
        """Remove a line from the import."""
        await self._mend(import_corrections.leave_line_out, _number(number))

    @rx.event
    async def give_up(self) -> None:
        """Forget the file; once lines were corrected, ask first."""
        if self.is_corrected:
            self.is_leaving = True
        else:
            await self._discard()

    @rx.event
    def stay(self) -> None:
        """Close the question."""
        self.is_leaving = False

    @rx.event
    async def discard(self) -> None:
        """Forget the file and what was corrected."""
        await self._discard()

    async def _discard(self) -> None:
        if not self.is_busy and self.plan.id:
            await write(import_corrections.discard_import, actor(), self.plan.id)
            self._clear()

    async def _mend(self, service: Any, *asked: Any) -> None:
        if self.is_busy or not self.plan.id:
            return
        try:
            await write(service, actor(), self.plan.id, *asked)
        except Refusal as refusal:
            self.refusal = refusal.text
        else:
            self.is_corrected = True
        self._preview(await read(import_run.build_plan, actor(), self.plan.id))
        if not self._lines:
            await self._discard()  # its last line was left out

    def _clear(self) -> None:
        self.plan, self.shown, self.hidden, self.outcome = ImportPlan(), [], 0, ALL
        self.refusal, self.done, self.is_reading, self._lines = "", 0, False, ()
        self.is_leaving = self.is_corrected = False

    def _preview(self, plan: ImportPlan) -> None:
        self._lines, self.plan = plan.lines, replace(plan, lines=())
        self._show(import_run.REFUSE if plan.refused else ALL)

    def _show(self, outcome: str) -> None:
        self.outcome = outcome
        chosen = [line for line in self._lines if outcome in (ALL, line.outcome)]
        self.shown, self.hidden = chosen[:SHOWN], max(0, len(chosen) - SHOWN)


def _kept(shown: ImportLine, fresh: ImportLine) -> ImportLine:
    """A line with its name and outcome of now, and the fields that are being typed into."""
    if not shown.fields:
        return fresh
    details = shown.details if fresh.outcome == import_run.REFUSE else CORRECTED
    now = {"name": fresh.name, "outcome": fresh.outcome, "outcome_label": fresh.outcome_label}
    return replace(shown, details=details, **now)


def _number(given: Any) -> int:
    text = str(given)
    return int(text) if text.isdecimal() and len(text) < 10 else 0
