"""The health of the installation, polled while the screen is open."""

from typing import ClassVar

import reflex as rx

from clubapp import doctor
from clubapp.doctor import Report
from clubapp.web.security.current_actor import actor
from clubapp.web.security.guard import Access
from clubapp.web.service_calls import read
from clubapp.web.states.loading import show_failure


class HealthState(rx.State):
    """The report of the doctor."""

    ACCESS: ClassVar[Access] = Access.ADMIN

    report: Report = Report()
    is_loaded: bool = False
    has_failed: bool = False

    @rx.event
    async def load(self) -> None:
        """Read again."""
        try:
            report = await read(doctor.read_report, actor())
        except Exception:
            await show_failure(self)
            raise
        if report != self.report:
            self.report = report
        self.is_loaded, self.has_failed = True, False

    @rx.event
    async def look_again(self) -> None:
        """Run the slow checks again; `report.is_looking` is true until they are done."""
        doctor.restart_checks(actor())
        await self.load()
