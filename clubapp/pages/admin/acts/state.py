"""The journal of acts as the address asks for it."""

from typing import ClassVar

import reflex as rx

from clubapp.services.monitoring import acts
from clubapp.services.monitoring.acts import ActPage, ActQuery
from clubapp.web.security.current_actor import actor
from clubapp.web.security.guard import Access
from clubapp.web.service_calls import read
from clubapp.web.states.loading import Loading


class ActsState(Loading, rx.State):
    """The acts that match `wanted`. `generation` rises whenever the address changes, to reset the filters' fields."""

    ACCESS: ClassVar[Access] = Access.ADMIN

    page: ActPage = ActPage()
    wanted: ActQuery = ActQuery()
    generation: int = 0

    async def _read(self) -> None:
        wanted = acts.parse_query(dict(self.router.url.query_parameters))
        if wanted != self.wanted:
            self.wanted, self.generation = wanted, self.generation + 1
        self.page = await read(acts.read_page, actor(), self.wanted)
