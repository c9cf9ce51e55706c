"""Cleaning and checking of form fields; errors are kept by field name."""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from clubapp.models import DOMAINS
from clubapp.refusals import Invalid
from clubapp.text import phone_numbers, web_links
from clubapp.text.collation import fold
from clubapp.text.email_addresses import normalise

LONGEST_LINE = 200
LONGEST_BLOCK = 10_000
MOST_ITEMS = 40
# The select item that means no choice: a select item cannot have an empty value.
NOTHING = "-"
DOMAIN_CHOICES = ((NOTHING, "Aucun domaine"), *((domain, domain) for domain in DOMAINS))
# Categories of what shows nothing by itself (white space, zero-width signs, marks), and letters that are blank.
_UNSTORABLE = re.compile("[\0-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]")
_BREAKS = re.compile("[\v\f\x1c-\x1f\x85]")
_SPACES = re.compile(r"\s*([\u00a0\u202f])(?=[:;?!»])|(?<=«)([\u00a0\u202f])\s*|\s+")
_UNSEEN = frozenset(("Cc", "Cf", "Zs", "Zl", "Zp", "Mn", "Me"))
_FILLERS = frozenset("\u115f\u1160\u2800\u3164\uffa0")
WRONG_PHONE = "Indiquez un numéro de téléphone, par exemple 03 20 55 55 01."
WRONG_WEB = "Indiquez une adresse web, par exemple https://www.entreprise.fr."


class InvalidForm(Invalid):
    """One or more fields are wrong: `errors` maps each field's name to its French sentence; its text says them all."""

    def __init__(self, errors: dict[str, str]) -> None:
        super().__init__(" ".join(dict.fromkeys(errors.values())), field=next(iter(errors)))
        self.errors = errors


@dataclass
class FormCheck:
    """Collects all errors of a form, so that they are shown together.

    A value equal to the stored one (`before`) is accepted, even if it would be refused when typed today. The fields of
    `optional` may be empty, although the form requires them.
    """

    errors: dict[str, str] = field(default_factory=dict)
    optional: frozenset[str] = frozenset()

    def required(self, name: str, value: str, missing: str) -> str:
        """A required value; `missing` is the error when it is empty."""
        if not value and name not in self.optional:
            self.errors[name] = missing
        return value

    def line(self, name: str, typed: str) -> str:
        """A single-line text."""
        value = clean_line(typed)
        if len(value) > LONGEST_LINE:
            self.errors[name] = f"{LONGEST_LINE} caractères au maximum."
        return value

    def block(self, name: str, typed: str, longest: int = LONGEST_BLOCK) -> str:
        """A multi-line text, of at most `longest` characters."""
        value = clean_block(typed)
        if len(value) > longest:
            most = f"{longest:,}".replace(",", "\u00a0")
            self.errors[name] = f"Ce texte est trop long\u00a0: {most} caractères au maximum."
        return value

    def email(self, name: str, typed: str, before: str) -> str:
        """A normalised e-mail address; may be empty."""
        value = self.line(name, typed)
        if value in ("", before):
            return value
        try:
            return normalise(value)
        except Invalid as refusal:
            self.errors[name] = refusal.text
            return value

    def phone(self, name: str, typed: str, before: str) -> str:
        """A telephone number, kept as typed; may be empty."""
        value = self.line(name, typed)
        if value not in ("", before) and not phone_numbers.tel_link(value):
            self.errors[name] = WRONG_PHONE
        return value

    def web(self, name: str, typed: str, before: str) -> str:
        """A web address, http or https only; may be empty."""
        value = self.line(name, typed)
        if value in ("", before):
            return value
        address = web_links.web_address(value)
        if not address:
            self.errors[name] = WRONG_WEB
        return address or value

    def listing(self, name: str, typed: str, before: Sequence[str]) -> list[str]:
        """A comma-separated list, each item once. An unchanged one stays as stored, since its items may hold commas."""
        if clean_line(typed) == clean_line(join_items(before)):
            return list(before)
        different: dict[str, str] = {}
        for item in filter(None, map(clean_line, typed.split(","))):
            different.setdefault(fold(item), item)
        items = list(different.values())
        if len(items) > MOST_ITEMS or any(len(item) > LONGEST_LINE for item in items):
            self.errors[name] = f"{MOST_ITEMS} éléments de {LONGEST_LINE} caractères au maximum."
        return items

    def domain(self, name: str, typed: str, before: str) -> str:
        """An activity domain of the club, the stored one (`before`), or none."""
        value = "" if typed == NOTHING else typed
        if value and value != before and value not in DOMAINS:
            self.errors[name] = "Choisissez un domaine de la liste."
        return value

    def raise_errors(self) -> None:
        """Raise InvalidForm when anything is wrong."""
        if self.errors:
            raise InvalidForm(self.errors)


def clean_line(text: str) -> str:
    """Join the lines of a text and collapse its white space; spaces that French puts before and after signs stay."""
    return _SPACES.sub(lambda found: found[1] or found[2] or " ", _storable(text)).strip()


def clean_block(text: str) -> str:
    """Strip a text and normalise its line ends to `\\n`."""
    return _storable(text).replace("\r\n", "\n").replace("\r", "\n").strip()


def join_items(items: Sequence[str]) -> str:
    """Format a list for its text field."""
    return ", ".join(items)


def format_columns(columns: Mapping[str, Any]) -> dict[str, Any]:
    """Format the columns of a row for a form: lists are joined, booleans stay, anything else becomes text."""
    return {name: _as_typed(value) for name, value in columns.items()}


def _as_typed(value: Any) -> Any:
    if isinstance(value, list):
        return join_items(value)
    return value if isinstance(value, bool) else str(value or "")


def _storable(text: str) -> str:
    """Remove what databases or files refuse, and what turns a text around; one of which nothing is seen is empty."""
    kept = _BREAKS.sub("\n", _UNSTORABLE.sub("", text))
    return kept if any(map(_is_seen, kept)) else ""


def _is_seen(sign: str) -> bool:
    return unicodedata.category(sign) not in _UNSEEN and sign not in _FILLERS
