"""The pause of the mail queue, shown on every screen of the administration with a button that ends it (M9)."""

from typing import ClassVar

import reflex as rx

from clubapp.services.mail_log import queue_pause
from clubapp.services.mail_log.queue_pause import DeliveryPause
from clubapp.ui.kit.banner import banner
from clubapp.ui.kit.button import button
from clubapp.ui.kit.dialog import dialog
from clubapp.ui.mail.relay_words import relay_words
from clubapp.ui.react.lists.polling import polling
from clubapp.web.screens.toasts import toast_success
from clubapp.web.security.current_actor import actor
from clubapp.web.security.guard import Access
from clubapp.web.service_calls import read, write

EVERY_MS = 15_000


class MailPauseState(rx.State):
    """Whether the mail queue is paused, as last read."""

    ACCESS: ClassVar[Access] = Access.ADMIN
    HANDLER_ACCESS: ClassVar[dict[str, Access]] = dict.fromkeys(("resume", "resume_all"), Access.ADMIN_FRESH)

    pause: DeliveryPause = DeliveryPause()
    is_asking: bool = False

    @rx.event
    async def check(self) -> None:
        """Read the pause again."""
        self._show(await read(queue_pause.read_pause, actor()))

    @rx.event
    async def hold(self) -> None:
        """Pause all mail except sign-in mails and warnings."""
        self._show(await write(queue_pause.pause_queue, actor()))

    @rx.event
    async def resume(self) -> None:
        """End the pause; after a restoration, messages that may have been sent already are not sent."""
        await self._resume(with_doubtful=False)

    @rx.event
    async def resume_all(self) -> None:
        """End the pause, and send the messages that waited when the restored backup was made."""
        await self._resume(with_doubtful=True)

    @rx.event
    def ask(self) -> None:
        """Ask what becomes of the messages that may have been sent already."""
        self.is_asking = True

    @rx.event
    def leave(self) -> None:
        """Close the question; the pause goes on."""
        self.is_asking = False

    async def _resume(self, *, with_doubtful: bool) -> None:
        self._show(await write(queue_pause.end_pause, actor(), with_doubtful=with_doubtful))
        self.is_asking = False
        await toast_success(self, "Les envois reprennent.")

    def _show(self, pause: DeliveryPause) -> None:
        if pause != self.pause:
            self.pause = pause


def mail_pause_banner() -> rx.Component:
    """Stands above the content of every screen of the administration."""
    pause = MailPauseState.pause
    notice = banner(
        "Envois d’e-mails en pause",
        f"{pause.reason} {pause.until}",
        "amber",
        relay_words(pause.words),
        rx.cond(
            pause.doubtful > 0,
            button("Reprendre…", variant="secondary", on_click=MailPauseState.ask, data_heir="true"),
            button("Reprendre", variant="secondary", on_click=MailPauseState.resume, data_heir="true"),
        ),
    )
    return rx.el.div(
        rx.cond(pause.is_on, notice, rx.fragment()),
        _question(),
        polling(EVERY_MS, MailPauseState.check),
        on_mount=MailPauseState.check,
        class_name="mail-pause",
    )


def _question() -> rx.Component:
    """Asked after a restoration, before mail is sent again; the focus starts on 'Annuler'."""
    return dialog(
        "Reprendre les envois\u00a0?",
        rx.el.div(
            button("Annuler", variant="secondary", on_click=MailPauseState.leave, data_autofocus="true"),
            button("Les envoyer", variant="secondary", on_click=MailPauseState.resume_all),
            button("Les laisser", on_click=MailPauseState.resume),
            class_name="dialog-actions",
        ),
        description=MailPauseState.pause.question,
        open=MailPauseState.is_asking,
        on_close=MailPauseState.leave,
        role="alertdialog",
        class_name="dialog-confirm",
    )
