"""The pause of the mail queue, said in every screen of the administration, with the way to end it (M9)."""

from typing import ClassVar

import reflex as rx

from clubapp.services import delivery_control
from clubapp.services.delivery_control import DeliveryPause
from clubapp.ui.button import button
from clubapp.ui.notice import banner
from clubapp.ui.vendor.ticker import ticker
from clubapp.web.feedback import toast_success
from clubapp.web.guard import Access
from clubapp.web.session import actor
from clubapp.web.work import read, write

EVERY_MS = 15_000


class MailPauseState(rx.State):
    """Whether mail rests, as of the last look."""

    ACCESS: ClassVar[Access] = Access.ADMIN

    pause: DeliveryPause = DeliveryPause()

    @rx.event
    async def check(self) -> None:
        """Look again."""
        self._show(await read(delivery_control.state, actor()))

    @rx.event
    async def hold(self) -> None:
        """Hold everything back but sign-in mails."""
        self._show(await write(delivery_control.hold, actor()))

    @rx.event
    async def resume(self) -> None:
        """End the pause."""
        self._show(await write(delivery_control.resume, actor()))
        await toast_success(self, "Les envois reprennent.")

    def _show(self, pause: DeliveryPause) -> None:
        if pause != self.pause:
            self.pause = pause


def mail_pause_banner() -> rx.Component:
    """Stands above the content of every screen of the administration."""
    pause = MailPauseState.pause
    said = banner(
        "Envois d'e-mails en pause",
        f"{pause.reason} {pause.until}",
        "amber",
        button("Reprendre", variant="secondary", on_click=MailPauseState.resume),
    )
    return rx.el.div(
        rx.cond(pause.is_on, said, rx.fragment()),
        ticker(EVERY_MS, MailPauseState.check),
        on_mount=MailPauseState.check,
        class_name="mail-pause",
    )
