"""The fields of members and companies as administrators type them: their own forms' rules, and a few more."""

from collections.abc import Mapping
from typing import Any

from clubapp.models import DOMAINS
from clubapp.services.own_fields import Fields, joined

# The item of a list that stands for nothing: a select item never has an empty value (specification, section 5).
NOTHING = "-"
DOMAIN_CHOICES = ((NOTHING, "Aucun domaine"), *((domain, domain) for domain in DOMAINS))


class FormCheck(Fields):
    """Collects every error of a form."""

    def needed(self, name: str, found: str, missing: str) -> str:
        """What was found in a field that may not be empty; `missing` is the sentence when it is."""
        if not found:
            self.errors[name] = missing
        return found

    def domain(self, name: str, typed: str, before: str) -> str:
        """One of the club's activity domains, the one that was there `before`, or none."""
        found = "" if typed == NOTHING else typed
        if found and found != before and found not in DOMAINS:
            self.errors[name] = "Choisissez un domaine de la liste."
        return found


def as_typed(columns: Mapping[str, Any]) -> dict[str, Any]:
    """The columns of a row as a form shows them: lists with commas, yes and no as they are."""
    return {name: _as_typed(value) for name, value in columns.items()}


def _as_typed(value: Any) -> Any:
    if isinstance(value, list):
        return joined(value)
    return value if isinstance(value, bool) else str(value or "")
