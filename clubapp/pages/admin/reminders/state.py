"""The settings of the automatic mails."""

from typing import ClassVar

import reflex as rx

from clubapp.services import mailings
from clubapp.services.mailings import ReminderRow
from clubapp.web.guard import Access
from clubapp.web.session import actor
from clubapp.web.work import read


class RemindersState(rx.State):
    """Read when the screen opens."""

    ACCESS: ClassVar[Access] = Access.ADMIN

    rows: list[ReminderRow] = []
    is_loaded: bool = False

    @rx.event
    async def load(self) -> None:
        """Read again."""
        self.rows = list(await read(mailings.reminders, actor()))
        self.is_loaded = True
