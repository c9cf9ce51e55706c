"""What the company form sends, turned into what the service takes; and what the service says, beside the fields."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from clubapp.services.own_company import CompanyForm
from clubapp.ui.vendor.kept_form import text_of


@dataclass(frozen=True)
class FieldTexts:
    """A sentence or a value for each field; empty where there is nothing to say."""

    description: str = ""
    address: str = ""
    city: str = ""
    postal_code: str = ""
    phone: str = ""
    email: str = ""
    website: str = ""
    logo_url: str = ""
    services: str = ""
    certifications: str = ""


NO_TEXTS = FieldTexts()
EMPTY = "(vide)"
OTHER_LOGO = "un autre logo"


def company_form(entries: Any) -> CompanyForm:
    """The form from its entries."""
    return CompanyForm(**{each.name: text_of(entries, each.name) for each in fields(CompanyForm)})


def errors_of(errors: Mapping[str, str]) -> FieldTexts:
    """A refusal's sentences by field."""
    known = {each.name for each in fields(FieldTexts)}
    return FieldTexts(**{name: text for name, text in errors.items() if name in known})


def theirs_of(saved: Mapping[str, str]) -> FieldTexts:
    """What someone else saved meanwhile, as it is shown below each field."""
    shown = {name: text or EMPTY for name, text in saved.items()}
    if saved.get("logo_url"):
        shown["logo_url"] = OTHER_LOGO
    return errors_of(shown)
