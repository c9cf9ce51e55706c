"""The health of the installation, polled while the screen is open."""

from typing import ClassVar

import reflex as rx

from clubapp import doctor
from clubapp.doctor import Report
from clubapp.web.security.current_actor import actor
from clubapp.web.security.guard import Access
from clubapp.web.service_calls import read
from clubapp.web.states.loading import Loading


class HealthState(Loading, rx.State):
    """The report of the doctor."""

    ACCESS: ClassVar[Access] = Access.ADMIN

    report: Report = Report()

    @rx.event
    async def look_again(self) -> None:
        """Run the slow checks again; `report.is_looking` is true until they are done."""
        doctor.restart_checks(actor())
        await self.load()

    async def _read(self) -> None:
        report = await read(doctor.read_report, actor())
        if report != self.report:
            self.report = report
