"""Toasts, and the display of refusals and errors that a handler raised."""

import logging
import secrets
from dataclasses import dataclass
from typing import ClassVar, cast

import reflex as rx
from reflex.event import EventSpec
from reflex_base.event.context import EventContext

from clubapp.infra import logs
from clubapp.refusals import Refusal
from clubapp.web.security.guard import Access

log = logging.getLogger(__name__)
_KEPT = 4
SHOWN_SECONDS, OUTAGE_SHOWN_SECONDS = 6, 20
NEUTRAL = "Une erreur inattendue est survenue. Réessayez\u00a0; si elle se répète, transmettez-nous la référence {}."


@dataclass(frozen=True)
class Toast:
    """One message in the corner of the screen. With `is_general` it says that something failed, but not what.

    With `is_outage` a service of the site did not answer: it leaves by itself. A success that `stays` does not. It goes
    along to the screen that it `leads_to`.
    """

    id: str
    tone: str
    title: str
    text: str
    is_general: bool = False
    is_outage: bool = False
    stays: bool = False
    leads_to: str = ""


class ToastState(rx.State):
    """The toasts of this tab."""

    ACCESS: ClassVar[Access] = Access.EVERYONE

    toasts: list[Toast] = []

    @rx.event
    def dismiss(self, toast_id: str) -> None:
        """Close one toast."""
        self.toasts = [toast for toast in self.toasts if toast.id != toast_id]

    @rx.event
    def show(self, tone: str, title: str, text: str) -> None:
        """Show one toast: an earlier error, the same words and the oldest give way, for the person has acted since."""
        self._show("success" if tone == "success" else "error", title, text)

    @rx.event
    def show_unexpected(self, text: str, is_outage: bool = False) -> None:
        """Show a failure without a sentence of its own. An error that says what failed stays beside it."""
        made = Toast(secrets.token_hex(4), "error", "Erreur", text[:600], is_general=True, is_outage=bool(is_outage))
        self._add(made, [toast for toast in self.toasts if not toast.is_general])

    def _show(self, tone: str, title: str, text: str, *, stays: bool = False, leads_to: str = "") -> None:
        made = Toast(secrets.token_hex(4), tone, title[:200], text[:600], stays=stays, leads_to=leads_to)
        self._add(made, [toast for toast in self.toasts if toast.tone == "success"])

    def _add(self, made: Toast, others: list[Toast]) -> None:
        kept = [toast for toast in others if toast.text != made.text]
        self.toasts = [*kept[1 - _KEPT :], made]


async def toast_success(
    state: rx.State, text: str, title: str = "", *, stays: bool = False, leads_to: str = ""
) -> None:
    """Tell that something is done; with `stays`, until it is closed: it holds what is to be done next.

    `leads_to` is the path of the screen that the person is brought to, where it is still shown.
    """
    (await state.get_state(ToastState))._show("success", title, text, stays=stays, leads_to=leads_to)


async def toast_error(state: rx.State, title: str, text: str) -> None:
    """Tell that something was not done, and what to do next."""
    (await state.get_state(ToastState)).show("error", title, text)


async def dismiss_errors(state: rx.State) -> None:
    """Close the errors: the form that they speak of is closed."""
    toasts = await state.get_state(ToastState)
    toasts.toasts = [toast for toast in toasts.toasts if toast.tone == "success"]


def explain_failure(error: Exception) -> str:
    """Log an error nobody foresaw; the neutral sentence with its reference, to stand below what failed (W11)."""
    logs.begin_reference(event_reference())
    return NEUTRAL.format(log_unexpected(error))


def event_reference() -> str:
    """The log reference of the current event, the same in its handler and in the error handler."""
    return EventContext.get().txid[:8].upper()


def on_backend_exception(exception: Exception) -> EventSpec:
    """Show a refusal that a handler raised; log any other error under a reference (W11)."""
    if isinstance(exception, Refusal):
        return cast(EventSpec, ToastState.show("error", "Erreur", exception.text))
    return cast(EventSpec, ToastState.show_unexpected(explain_failure(exception), logs.is_outage(exception)))


def log_unexpected(error: Exception) -> str:
    """Log an error nobody foresaw; its reference is what people are shown."""
    return logs.log_unexpected(log, error)


def on_frontend_exception(exception: Exception) -> None:
    """What a browser reports goes to the log, shortened."""
    log.warning("browser error: %s", str(exception)[:500])
