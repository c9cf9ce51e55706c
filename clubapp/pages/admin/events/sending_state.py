"""Sending invitations: to everyone once, later to newcomers, each after a question."""

from collections.abc import AsyncIterator, Callable
from functools import partial
from typing import Any, ClassVar

import reflex as rx

from clubapp.pages.admin.events.detail_state import EventDetailState
from clubapp.pages.admin.events.state import CalendarState
from clubapp.refusals import Conflict, Refusal
from clubapp.services.events import invitation_follow_up, invitations
from clubapp.services.events.invitations import InvitationPlan
from clubapp.services.mailings import previews
from clubapp.services.mailings.previews import Preview
from clubapp.web.screens.toasts import explain_failure
from clubapp.web.security.current_actor import actor
from clubapp.web.security.guard import Access
from clubapp.web.service_calls import read, write

SENT = "Les invitations ont été envoyées avec succès !"
SEND_FAILED = "Erreur lors de l'envoi des invitations"


class EventSendingState(rx.State):
    """`question` is the open question about the event `subject`: "everyone", "newcomers" or empty.

    Before everyone is invited, `plan` says who would be, `mail` is the invitation once it was asked for, and `confirms`
    whether a draft becomes a confirmed event.
    """

    ACCESS: ClassVar[Access] = Access.ADMIN
    HANDLER_ACCESS: ClassVar[dict[str, Access]] = dict.fromkeys(("send", "send_to_newcomers"), Access.ADMIN_FRESH)

    question: str = ""
    subject: str = ""
    is_busy: bool = False
    plan: InvitationPlan = InvitationPlan()
    mail: Preview = Preview()
    confirms: bool = True

    @rx.event
    async def ask(self, event_id: str) -> None:
        """Ask before inviting everyone; what would be refused is refused without a question."""
        self.subject, self.is_busy, self.mail, self.confirms = str(event_id), False, Preview(), True
        try:
            self.plan = await read(invitations.plan_invitations, actor(), self.subject)
        except Conflict as refusal:
            await (await self.get_state(EventDetailState))._fail(SEND_FAILED, refusal.text)
        else:
            self.question = "everyone"

    @rx.event
    def tick_confirmed(self, confirms: bool) -> None:
        """Tick the box that confirms the event, or not."""
        self.confirms = bool(confirms)

    @rx.event
    async def look(self) -> None:
        """Show the mail that would leave."""
        self.mail = await read(previews.preview_invitation, actor(), self.subject)

    @rx.event
    def ask_for_newcomers(self, event_id: str) -> None:
        """Ask before inviting newcomers."""
        self.subject, self.question, self.is_busy = str(event_id), "newcomers", False

    @rx.event
    def cancel(self) -> None:
        """Close the question."""
        self.question = ""

    @rx.event
    async def send(self) -> AsyncIterator[Any]:
        """Invite every member."""
        act = partial(invitations.send_invitations, confirms=self.plan.is_draft and self.confirms)
        async for update in self._answer("everyone", act, lambda _report: SENT):
            yield update

    @rx.event
    async def send_to_newcomers(self) -> AsyncIterator[Any]:
        """Invite newcomers."""
        async for update in self._answer("newcomers", invitation_follow_up.invite_newcomers, _invited):
            yield update

    async def _answer(self, question: str, act: Any, success: Callable[[Any], str]) -> AsyncIterator[Any]:
        """Do what was asked; the second press of a double click finds no question, and does nothing."""
        if self.question != question:
            return
        person, self.is_busy = actor(), True
        yield
        detail = await self.get_state(EventDetailState)
        try:
            done = await write(act, person, self.subject)
            if detail.is_open:
                await detail._read(self.subject)
        except Refusal as refusal:
            await detail._fail(SEND_FAILED, refusal.text)
        except Exception as error:  # the sentence of what failed stays, with the reference of the log line
            await detail._fail(SEND_FAILED, explain_failure(error))
            return
        else:
            await detail._succeed(success(done))
        finally:
            self.is_busy, self.question = False, ""
        yield CalendarState.load


def _invited(count: int) -> str:
    return f"{count} invitations sont en route." if count > 1 else "1 invitation est en route."
