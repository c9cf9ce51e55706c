"""The member's own invitations and the answers given here."""

from collections.abc import AsyncIterator
from typing import Any, ClassVar

import reflex as rx

from clubapp.refusals import Refusal
from clubapp.services.answers import signed_in
from clubapp.services.answers.recording import Said
from clubapp.services.answers.signed_in import Invitations
from clubapp.web.screens.toasts import toast_error, toast_success
from clubapp.web.security.current_actor import actor
from clubapp.web.security.guard import Access
from clubapp.web.service_calls import read, write
from clubapp.web.states.loading import Loading

SAY_WHETHER = "Dites si vous venez."


class InvitationsState(Loading, rx.State):
    """What 'Mes invitations' shows. `refused` names the event whose form was refused, and `problem` says why."""

    ACCESS: ClassVar[Access] = Access.MEMBER

    shown: Invitations = Invitations()
    saving: str = ""
    refused: str = ""
    problem: str = ""
    problem_field: str = ""
    attempt: int = 0

    @rx.event
    def begin(self) -> None:
        """The screen appears: nothing is wrong yet."""
        self.refused = self.problem = ""

    @rx.event
    async def follow(self) -> None:
        """Read again what may have changed: places, a place on offer, the event itself."""
        if self.is_loaded and (now := await read(signed_in.of_member, actor())) != self._plain():
            self.shown = now

    @rx.event
    async def answer(self, entries: list[list[str]]) -> AsyncIterator[None]:
        """Record the answer to one event, whole."""
        typed, person = _typed(entries), actor()
        event_id = typed.get("event_id", "")
        if typed.get("will_attend") not in ("oui", "non"):
            self._refuse(event_id, SAY_WHETHER, "will_attend")
            return
        self.saving = event_id
        yield
        try:
            told = await write(signed_in.answer, person, event_id, _said(typed))
        except Refusal as refusal:
            self._refuse(event_id, refusal.text, refusal.field or "")
            if not refusal.field:
                await toast_error(self, "Erreur", refusal.text)
        else:
            self.refused, self.problem = "", ""
            await toast_success(self, told)
        finally:
            self.saving = ""
        self.shown = await read(signed_in.of_member, person)

    async def _read(self) -> None:
        self.saving = ""
        self.shown = await read(signed_in.of_member, actor())

    def _refuse(self, event_id: str, text: str, field: str) -> None:
        self.refused, self.problem, self.problem_field = event_id, text, field
        self.attempt += 1

    def _plain(self) -> Invitations:
        return getattr(self.shown, "__wrapped__", self.shown)


def _said(typed: dict[str, str]) -> Said:
    return Said(typed["will_attend"] == "oui", typed.get("with_lunch") == "on", typed.get("guest_count", "0"))


def _typed(entries: Any) -> dict[str, str]:
    """The text of each field; whatever a forged call sends."""
    pairs = [pair for pair in entries if isinstance(pair, list) and len(pair) == 2] if isinstance(entries, list) else []
    return {name: value for name, value in pairs if isinstance(name, str) and isinstance(value, str)}
