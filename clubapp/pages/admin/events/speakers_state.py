"""The speaker rows of the event form: more, fewer, in another order. What is typed in them stays in the browser."""

from typing import ClassVar

import reflex as rx

from clubapp.pages.admin.events.form_values import SpeakerRow, empty_row, moved
from clubapp.services.events.admin_views import KnownPerson
from clubapp.services.events.form import MAX_SPEAKERS
from clubapp.web.security.guard import Access


class SpeakersState(rx.State):
    """The rows in their order, and the members who may be taken for one."""

    ACCESS: ClassVar[Access] = Access.ADMIN

    rows: list[SpeakerRow] = []
    people: list[KnownPerson] = []

    @rx.event
    def add(self) -> None:
        """One more row."""
        if len(self.rows) < MAX_SPEAKERS:
            self.rows = [*self.rows, empty_row()]

    @rx.event
    def remove(self, key: str) -> None:
        """One row less; one always stays."""
        if len(self.rows) > 1:
            self.rows = [row for row in self.rows if row.key != key]

    @rx.event
    def move(self, key: str, step: int) -> None:
        """One row up (-1) or down (1)."""
        self.rows = moved(self.rows, key, step)
