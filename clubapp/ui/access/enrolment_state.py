"""A person's own second factors: the list, and what is being added (S12)."""

from typing import Any, ClassVar

import reflex as rx

from clubapp.services.access import factors, recovery_codes
from clubapp.services.access.factors import FactorRow
from clubapp.web.screens.toasts import toast_success
from clubapp.web.security.current_actor import actor
from clubapp.web.security.guard import Access
from clubapp.web.service_calls import read, write
from clubapp.web.states.loading import Loading


class FactorsState(Loading, rx.State):
    """`step` is what is being done: '', 'key', 'app' or 'codes'. Seed and codes are shown once, then forgotten."""

    ACCESS: ClassVar[Access] = Access.HALF_OPEN
    HANDLER_ACCESS: ClassVar[dict[str, Access]] = {
        "begin_key": Access.OWN_FRESH,
        "begin_app": Access.OWN_FRESH,
        "renew_codes": Access.OWN_FRESH,
        "remove": Access.OWN_FRESH,
    }

    rows: list[FactorRow] = []
    codes_left: int = 0
    step: str = ""
    factor_id: str = ""
    qr_code: str = ""
    secret: str = ""
    codes: list[str] = []
    error: str = ""
    removing: str = ""
    removing_name: str = ""

    @rx.event
    def begin_key(self) -> None:
        """Show the form of a passkey."""
        self._show("key")

    @rx.event
    async def begin_app(self) -> None:
        """Show the QR code of a new app and the field of its first code."""
        made = await write(factors.enrol_factor, actor(), "totp")
        self._show("app")
        self.factor_id, self.qr_code = made.id, made.qr_code
        self.secret = " ".join(made.secret[at : at + 4] for at in range(0, len(made.secret), 4))

    @rx.event
    async def finish(self, codes: list[str]) -> None:
        """A factor was added; with the first one come the recovery codes."""
        self._show("codes" if codes else "")
        self.codes = [str(code)[:40] for code in codes[: recovery_codes.COUNT]]
        await self.load()
        await toast_success(self, "Double vérification ajoutée.")

    @rx.event
    async def renew_codes(self) -> None:
        """Show ten new recovery codes; the former ones are void."""
        made = await write(factors.renew_recovery_codes, actor())
        self._show("codes")
        self.codes = list(made)
        await self.load()

    @rx.event
    def close(self) -> None:
        """Go back to the list; what was shown once is forgotten."""
        self._show("")

    @rx.event
    def refuse(self, text: str) -> None:
        """Show why a factor was refused."""
        self.error = str(text)[:300]

    @rx.event
    def ask_to_remove(self, factor_id: str, name: str) -> None:
        """Ask before removing."""
        self.removing, self.removing_name = str(factor_id), str(name)[: factors.LONGEST_NAME]

    @rx.event
    def keep(self) -> None:
        """Close the question."""
        self.removing = ""

    @rx.event
    async def remove(self) -> Any:
        """Remove the factor `removing`."""
        factor_id, self.removing = self.removing, ""
        await write(factors.remove_factor, actor(), factor_id)
        await self.load()
        await toast_success(self, "Moyen de vérification retiré.")

    def _show(self, step: str) -> None:
        self.step = step
        self.factor_id = self.qr_code = self.secret = self.error = ""
        self.codes = []

    async def _read(self) -> None:
        person = actor()
        self.rows = list(await read(factors.list_factors, person))
        self.codes_left = await read(recovery_codes.count_own, person)
