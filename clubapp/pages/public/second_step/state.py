"""The second step of a sign-in: what the session still waits for."""

from typing import Any, ClassVar

import reflex as rx

from clubapp.services.access import administrators, fresh_proof
from clubapp.ui.access.enrolment_state import FactorsState
from clubapp.web.security.current_actor import actor
from clubapp.web.security.guard import Access
from clubapp.web.service_calls import read


class SecondStepState(rx.State):
    """`step` is 'verify' or 'enrol'; empty until it is known."""

    ACCESS: ClassVar[Access] = Access.HALF_OPEN

    step: str = ""
    passkey_id: str = ""
    app_id: str = ""
    error: str = ""
    has_lost: bool = False

    @rx.event
    async def begin(self) -> Any:
        """The screen appears. Whose session waits for nothing goes to their own page, unless codes are being shown."""
        person = actor()
        enrolling = await self.get_state(FactorsState)
        if person.is_signed_in and not enrolling.codes:
            return rx.redirect(await read(administrators.find_start_page, person))
        means = await read(fresh_proof.read_means, person)
        self.passkey_id, self.app_id = means.passkey_id, means.app_id
        self.step, self.error, self.has_lost = person.factor_step or "enrol", "", False
        return None

    @rx.event
    def refuse(self, text: str) -> None:
        """Show why the factor was refused."""
        self.error = str(text)[:300]

    @rx.event
    def show_recovery(self) -> None:
        """Show the field of a recovery code."""
        self.has_lost, self.error = True, ""

    @rx.event
    def hide_recovery(self) -> None:
        """Go back to the factors."""
        self.has_lost, self.error = False, ""
