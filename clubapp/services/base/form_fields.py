"""The fields of a form as people type them: trimmed, checked, each error kept beside the name of its field."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from clubapp.models import DOMAINS
from clubapp.refusals import Invalid
from clubapp.text import phone_numbers, web_links
from clubapp.text.email_addresses import normalise

LONGEST_LINE = 200
LONGEST_BLOCK = 10_000
MOST_ITEMS = 40
# The item of a list that stands for nothing: a select item never has an empty value.
NOTHING = "-"
DOMAIN_CHOICES = ((NOTHING, "Aucun domaine"), *((domain, domain) for domain in DOMAINS))
WRONG_PHONE = "Indiquez un numéro de téléphone, par exemple 03 20 55 55 01."
WRONG_WEB = "Indiquez une adresse web, par exemple https://www.entreprise.fr."


class InvalidForm(Invalid):
    """One or more fields are wrong: `errors` maps each field's name to its French sentence."""

    def __init__(self, errors: dict[str, str]) -> None:
        first = next(iter(errors))
        super().__init__(errors[first], field=first)
        self.errors = errors


@dataclass
class FormCheck:
    """Collects every error of a form, so that a person mends them all at once.

    What was there `before` and is left alone passes, whatever it is.
    """

    errors: dict[str, str] = field(default_factory=dict)

    def required(self, name: str, value: str, missing: str) -> str:
        """The value of a field that may not be empty; `missing` is the sentence when it is."""
        if not value:
            self.errors[name] = missing
        return value

    def line(self, name: str, typed: str) -> str:
        """A text on one line."""
        value = line(typed)
        if len(value) > LONGEST_LINE:
            self.errors[name] = f"{LONGEST_LINE} caractères au maximum."
        return value

    def block(self, name: str, typed: str, longest: int = LONGEST_BLOCK) -> str:
        """A text on several lines."""
        value = block(typed)
        if len(value) > longest:
            most = f"{longest:,}".replace(",", "\u00a0")
            self.errors[name] = f"Ce texte est trop long\u00a0: {most} caractères au maximum."
        return value

    def email(self, name: str, typed: str, before: str) -> str:
        """An e-mail address, or nothing."""
        value = self.line(name, typed)
        if value in ("", before):
            return value
        try:
            return normalise(value)
        except Invalid as refusal:
            self.errors[name] = refusal.text
            return value

    def phone(self, name: str, typed: str, before: str) -> str:
        """A telephone number, as typed."""
        value = self.line(name, typed)
        if value not in ("", before) and not phone_numbers.dialled(value):
            self.errors[name] = WRONG_PHONE
        return value

    def web(self, name: str, typed: str, before: str) -> str:
        """An address of the web, http or https only."""
        value = self.line(name, typed)
        if value in ("", before):
            return value
        address = web_links.web_address(value)
        if not address:
            self.errors[name] = WRONG_WEB
        return address or value

    def listing(self, name: str, typed: str, before: Sequence[str]) -> list[str]:
        """A comma-separated list. One that was not touched stays as it is, commas within its items included."""
        if line(typed) == line(joined(before)):
            return list(before)
        items = [item for item in map(line, typed.split(",")) if item]
        if len(items) > MOST_ITEMS or any(len(item) > LONGEST_LINE for item in items):
            self.errors[name] = f"{MOST_ITEMS} éléments de {LONGEST_LINE} caractères au maximum."
        return items

    def domain(self, name: str, typed: str, before: str) -> str:
        """One of the club's activity domains, the one that was there `before`, or none."""
        value = "" if typed == NOTHING else typed
        if value and value != before and value not in DOMAINS:
            self.errors[name] = "Choisissez un domaine de la liste."
        return value

    def check(self) -> None:
        """Raise InvalidForm when anything is wrong."""
        if self.errors:
            raise InvalidForm(self.errors)


def line(text: str) -> str:
    """A text on one line, without control characters."""
    return " ".join(_storable(text).split())


def block(text: str) -> str:
    """A text on several lines, with one kind of line end."""
    return _storable(text).replace("\r\n", "\n").replace("\r", "\n").strip()


def joined(items: Sequence[str]) -> str:
    """A list as its field shows it."""
    return ", ".join(items)


def as_typed(columns: Mapping[str, Any]) -> dict[str, Any]:
    """The columns of a row as a form shows them: lists with commas, yes and no as they are."""
    return {name: _as_typed(value) for name, value in columns.items()}


def _as_typed(value: Any) -> Any:
    if isinstance(value, list):
        return joined(value)
    return value if isinstance(value, bool) else str(value or "")


def _storable(text: str) -> str:
    """Without NUL and lone surrogates, which no database takes."""
    return text.replace("\0", "").encode("utf-8", "ignore").decode()
