"""The figures beside the entries of the administration's menu, read again each minute."""

from typing import ClassVar

import reflex as rx

from clubapp.doctor import report
from clubapp.doctor.report import Glance
from clubapp.services.today import menu_counts
from clubapp.services.today.menu_counts import MenuCounts
from clubapp.web.security.current_actor import actor
from clubapp.web.security.guard import Access
from clubapp.web.service_calls import read_shared


class MenuState(rx.State):
    """What the menu tells; `tasks` counts the installation's state too, while it is one."""

    ACCESS: ClassVar[Access] = Access.ADMIN

    counts: MenuCounts = MenuCounts()
    health: Glance = Glance()
    tasks: int = 0

    @rx.event
    async def refresh(self) -> None:
        """Read the figures again; those that stayed the same are not sent."""
        counts = await read_shared(menu_counts.count_menu, actor())
        health = await read_shared(report.glance_at_report, actor())
        tasks = counts.tasks + health.is_task
        if (counts, health, tasks) != (self.counts, self.health, self.tasks):
            self.counts, self.health, self.tasks = counts, health, tasks
