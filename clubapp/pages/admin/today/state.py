"""The page of the day, for the administrator who is signed in."""

from dataclasses import replace
from typing import ClassVar

import reflex as rx

from clubapp import routes
from clubapp.doctor import report
from clubapp.doctor.report import Report
from clubapp.services.access import administrators
from clubapp.services.today import day, news
from clubapp.services.today.day import Day
from clubapp.services.today.todo_list import Task
from clubapp.web.security.current_actor import actor
from clubapp.web.security.guard import Access
from clubapp.web.service_calls import read, write
from clubapp.web.states.loading import Loading


class TodayState(Loading, rx.State):
    """What waits, what leaves and what came in, at most `most_news` lines of it."""

    ACCESS: ClassVar[Access] = Access.ADMIN

    day: Day = Day()
    most_news: int = news.MOST

    @rx.event
    async def choose_start(self, opens_here: bool) -> None:
        """Let the next sign-in lead here, or to the members."""
        await write(administrators.choose_start_page, actor(), opens_here is True)
        self.day = replace(self.day, opens_here=opens_here is True)

    @rx.event
    async def show_all_news(self) -> None:
        """Show all that came in."""
        self.most_news = news.MOST_UNFOLDED
        await self.load()

    async def _read(self) -> None:
        health = _health(await read(report.read_report, actor(), but=report.TOLD_APART))
        self.day = await write(day.open_day, actor(), health, self.most_news)


def _health(found: Report) -> Task | None:
    """The line of the installation's state, while there is anything to see to."""
    if not found.concerns:
        return None
    names = ", ".join(concern.name for concern in found.concerns)
    is_fault = found.tone == "red"
    return Task("health", f"Santé du site\u00a0: {found.headline}", names, "Voir", routes.ADMIN_HEALTH, is_fault)
