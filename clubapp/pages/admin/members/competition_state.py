"""The competitors of the member whose form is open, found while it is typed."""

from dataclasses import replace
from typing import Any, ClassVar

import reflex as rx

from clubapp.services.base.form_fields import LONGEST_LINE, NOTHING
from clubapp.services.members import competition
from clubapp.services.members.admin_form import NEW_COMPANY
from clubapp.services.members.competition import VERDICTS, Competitor, Decision, Trade, split_terms
from clubapp.ui.react.forms.draft_form import text_of, texts_of
from clubapp.web.security.current_actor import actor
from clubapp.web.security.guard import Access
from clubapp.web.service_calls import read

UNDECIDED = "undecided"
_MOST = 100  # decisions taken with one form


class CompetitionState(rx.State):
    """The near competitors, and those of the same `domain` without anything in common.

    `undecided` is the text that counts the near ones without a decision; `open_domain` counts the others without one.
    `has_looked` tells that this form was compared. What was decided in the form, not saved yet, is `_chosen` by the id
    of the other: it stays when the list is drawn anew.
    """

    ACCESS: ClassVar[Access] = Access.ADMIN

    competitors: list[Competitor] = []
    domain: list[Competitor] = []
    undecided: str = ""
    open_domain: int = 0
    has_looked: bool = False
    _chosen: dict[str, dict[str, str]] = {}

    @rx.event
    async def look(self, values: dict[str, Any]) -> None:
        """Compare the fields of the form with every other member."""
        found = await read(competition.find_competitors, actor(), _trade(values))
        shown = [replace(each, **self._chosen.get(each.member_id, {})) for each in found]
        self.competitors = [each for each in shown if each.likeness]
        self.domain = [each for each in shown if not each.likeness]
        self.has_looked = True
        self._count()

    @rx.event
    def choose(self, other_id: str, verdict: str) -> None:
        """Keep a decision made in the form."""
        known = str(verdict)
        self._keep(other_id, verdict=known if known in VERDICTS else "")
        self._count()

    @rx.event
    def explain(self, other_id: str, reason: str) -> None:
        """Keep the reason of a decision made in the form."""
        self._keep(other_id, reason=str(reason)[:LONGEST_LINE])

    def _keep(self, other_id: str, **given: str) -> None:
        if any(each.member_id == other_id for each in (*self.competitors, *self.domain)):
            self._chosen = {**self._chosen, other_id: {**self._chosen.get(other_id, {}), **given}}

    def _count(self) -> None:
        def is_open(each: Competitor) -> bool:
            return not self._chosen.get(each.member_id, {}).get("verdict", each.verdict)

        self.open_domain = sum(map(is_open, self.domain))
        waiting = sum(map(is_open, self.competitors))
        self.undecided = f"{waiting} à décider" if waiting else ""


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
