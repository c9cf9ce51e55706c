"""The journal of acts as the address asks for it."""

from typing import ClassVar

import reflex as rx

from clubapp.services.monitoring import acts
from clubapp.services.monitoring.acts import ActPage, ActQuery
from clubapp.web.security.current_actor import actor
from clubapp.web.security.guard import Access
from clubapp.web.service_calls import read
from clubapp.web.states.loading import show_failure


class ActsState(rx.State):
    """The acts that match `wanted`. `generation` rises whenever the address changes, to reset the filters' fields."""

    ACCESS: ClassVar[Access] = Access.ADMIN

    page: ActPage = ActPage()
    wanted: ActQuery = ActQuery()
    is_loaded: bool = False
    has_failed: bool = False
    generation: int = 0

    @rx.event
    async def load(self) -> None:
        """Read the acts that the address asks for."""
        wanted = acts.parse_query(dict(self.router.url.query_parameters))
        if wanted != self.wanted:
            self.wanted, self.generation = wanted, self.generation + 1
        try:
            self.page = await read(acts.read_page, actor(), self.wanted)
        except Exception:  # an empty screen shows it, and the guard logs it
            await show_failure(self)
            raise
        self.is_loaded, self.has_failed = True, False
