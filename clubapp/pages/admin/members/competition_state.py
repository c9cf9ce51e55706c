"""The competitors of the member whose form is open, found while it is typed."""

from typing import Any, ClassVar

import reflex as rx

from clubapp.services.base.form_fields import LONGEST_LINE, NOTHING
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
    """The near competitors, and those of the same `domain` without anything in common.

    `undecided` is the text that counts the near ones without a decision; `open_domain` counts the others without one.
    `has_looked` tells that this form was compared.
    """

    ACCESS: ClassVar[Access] = Access.ADMIN

    competitors: list[Competitor] = []
    domain: list[Competitor] = []
    undecided: str = ""
    open_domain: int = 0
    has_looked: bool = False

    @rx.event
    async def look(self, values: dict[str, Any]) -> None:
        """Compare the fields of the form with every other member."""
        found = await read(competition.find_competitors, actor(), _trade(values))
        self.competitors = [each for each in found if each.likeness]
        self.domain = [each for each in found if not each.likeness]
        self.open_domain = sum(not each.verdict for each in self.domain)
        waiting = sum(not each.verdict for each in self.competitors)
        self.undecided = f"{waiting} à décider" if waiting else ""
        self.has_looked = True


def read_decisions(entries: dict[str, Any]) -> list[Decision]:
    """The decisions made in a form, without the competitors left undecided.

    With the box `all_compatible`, those of the domain that were left undecided are compatible.
    """
    domain = texts_of(entries, "domain_competitor") if texts_of(entries, "all_compatible") else []
    rows = zip(*(texts_of(entries, name) for name in ("competitor", "verdict", "reason")), strict=False)
    made = [
        Decision(other[:36], "compatible" if verdict == UNDECIDED else verdict, reason)
        for other, verdict, reason in rows
        if verdict != UNDECIDED or other in domain
    ]
    return made[:_MOST]


def _trade(values: Any) -> Trade:
    company, domain = text_of(values, "company_id"), text_of(values, "activity_domain")
    return Trade(
        member_id=text_of(values, "id")[:36],
        company_id="" if company in (NOTHING, NEW_COMPANY) else company[:36],
        domain="" if domain == NOTHING else domain,
        terms=split_terms(text_of(values, "expertise")[:10_000], text_of(values, "services")[:10_000]),
        role=text_of(values, "role")[:LONGEST_LINE],
    )
