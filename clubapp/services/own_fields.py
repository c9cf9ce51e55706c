"""The fields of a profile and of a company, as people type them: trimmed, checked, each error beside its field."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from clubapp import links, phones
from clubapp.addresses import normalise
from clubapp.refusals import Invalid
from clubapp.services.event_form import LONGEST_BLOCK, LONGEST_LINE, InvalidForm, block, line

WRONG_PHONE = "Indiquez un numéro de téléphone, par exemple 03 20 55 55 01."
WRONG_WEB = "Indiquez une adresse web, par exemple https://www.entreprise.fr."
LONG_BLOCK = "Ce texte est trop long\u00a0: 10 000 caractères au maximum."
MOST_ITEMS = 40


@dataclass
class Fields:
    """Collects every error of a form. What was there `before` and is left alone passes, whatever it is."""

    errors: dict[str, str] = field(default_factory=dict)

    def line(self, name: str, typed: str) -> str:
        """A text on one line."""
        found = line(typed)
        if len(found) > LONGEST_LINE:
            self.errors[name] = f"{LONGEST_LINE} caractères au maximum."
        return found

    def block(self, name: str, typed: str) -> str:
        """A text on several lines."""
        found = block(typed)
        if len(found) > LONGEST_BLOCK:
            self.errors[name] = LONG_BLOCK
        return found

    def email(self, name: str, typed: str, before: str) -> str:
        """An e-mail address, or nothing."""
        found = self.line(name, typed)
        if found in ("", before):
            return found
        try:
            return normalise(found)
        except Invalid as refusal:
            self.errors[name] = refusal.text
            return found

    def phone(self, name: str, typed: str, before: str) -> str:
        """A telephone number, as typed."""
        found = self.line(name, typed)
        if found not in ("", before) and not phones.dialled(found):
            self.errors[name] = WRONG_PHONE
        return found

    def web(self, name: str, typed: str, before: str) -> str:
        """An address of the web (W9)."""
        found = self.line(name, typed)
        if found in ("", before):
            return found
        address = links.web_address(found)
        if not address:
            self.errors[name] = WRONG_WEB
        return address or found

    def listing(self, name: str, typed: str, before: Sequence[str]) -> list[str]:
        """A comma-separated list. One that was not touched stays as it is, commas within its items included."""
        if line(typed) == line(joined(before)):
            return list(before)
        found = [item for item in map(line, typed.split(",")) if item]
        if len(found) > MOST_ITEMS or any(len(item) > LONGEST_LINE for item in found):
            self.errors[name] = f"{MOST_ITEMS} éléments de {LONGEST_LINE} caractères au maximum."
        return found

    def check(self) -> None:
        """Raise InvalidForm when anything is wrong."""
        if self.errors:
            raise InvalidForm(self.errors)


def joined(items: Sequence[str]) -> str:
    """A list as its field shows it."""
    return ", ".join(items)
