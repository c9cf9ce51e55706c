"""The competitors of the member whose form is open, found while it is typed."""

from typing import Any, ClassVar

import reflex as rx

from clubapp.services.base.form_fields import NOTHING
from clubapp.services.members import competition
from clubapp.services.members.admin_form import NEW_COMPANY
from clubapp.services.members.competition import Competitor, Decision, Trade, split_terms
from clubapp.ui.react.forms.draft_form import text_of, texts_of
from clubapp.web.security.current_actor import actor
from clubapp.web.security.guard import Access
from clubapp.web.service_calls import read

UNDECIDED = "undecided"
_MOST = 100  # decisions taken with one form


class CompetitionState(rx.State):
    """The competitors, and `undecided`, the text that counts those without a decision."""

    ACCESS: ClassVar[Access] = Access.ADMIN

    competitors: list[Competitor] = []
    undecided: str = ""

    @rx.event
    async def look(self, values: dict[str, Any]) -> None:
        """Compare the fields of the form with every other member."""
        self.competitors = list(await read(competition.find_competitors, actor(), _trade(values)))
        waiting = sum(not each.verdict for each in self.competitors)
        self.undecided = f"{waiting} à décider" if waiting else ""


def read_decisions(entries: dict[str, Any]) -> list[Decision]:
    """The decisions made in a form, without the competitors left undecided."""
    rows = zip(*(texts_of(entries, name) for name in ("competitor", "verdict", "reason")), strict=False)
    return [Decision(other[:36], verdict, reason) for other, verdict, reason in rows if verdict != UNDECIDED][:_MOST]


def _trade(values: Any) -> Trade:
    company, domain = text_of(values, "company_id"), text_of(values, "activity_domain")
    return Trade(
        member_id=text_of(values, "id")[:36],
        company_id="" if company in (NOTHING, NEW_COMPANY) else company[:36],
        domain="" if domain == NOTHING else domain,
        terms=split_terms(text_of(values, "expertise")[:10_000], text_of(values, "services")[:10_000]),
    )
