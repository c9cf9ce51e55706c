"""The company form of administrators and its rules."""

from dataclasses import dataclass
from typing import Any

from clubapp import clock
from clubapp.models import Company
from clubapp.services.base.form_fields import NOTHING, FormCheck, format_columns

OLDEST_YEAR = 1000
NO_YEAR = "Indiquez une année à quatre chiffres, ou laissez ce champ vide."
NO_DESCRIPTION = "Présentez l’entreprise en quelques phrases."

LABELS = {
    "name": "Nom de l'entreprise",
    "activity_domain": "Domaine d'activité",
    "description": "Description",
    "email": "E-mail",
    "phone": "Téléphone",
    "website": "Site web",
    "address": "Adresse",
    "postal_code": "Code postal",
    "city": "Ville",
    "founded_year": "Année de création",
    "employee_count": "Effectif",
    "logo_url": "Logo",
    "services": "Services proposés",
    "certifications": "Certifications",
}
# What the form requires and a file need not hold: a record without it is to be completed.
MAY_LACK = frozenset({"activity_domain", "description"})


@dataclass(frozen=True)
class CompanyForm:
    """The form as typed. `seen` is the version that was opened: empty for a new company."""

    id: str = ""
    seen: str = ""
    name: str = ""
    activity_domain: str = NOTHING
    description: str = ""
    email: str = ""
    phone: str = ""
    website: str = ""
    address: str = ""
    postal_code: str = ""
    city: str = ""
    founded_year: str = ""
    employee_count: str = ""
    logo_url: str = ""
    services: str = ""
    certifications: str = ""


def build_columns(found: FormCheck, typed: CompanyForm, before: Company) -> dict[str, Any]:
    """The checked columns of the form, a fixed list (W3); `before` is the stored row."""
    domain = found.domain("activity_domain", typed.activity_domain, before.activity_domain)
    return {
        "name": found.required("name", found.line("name", typed.name), "Indiquez le nom de l’entreprise."),
        "activity_domain": found.required("activity_domain", domain, "Choisissez le domaine d’activité."),
        "description": found.required("description", found.block("description", typed.description), NO_DESCRIPTION),
        "email": found.email("email", typed.email, before.email),
        "phone": found.phone("phone", typed.phone, before.phone),
        "website": found.web("website", typed.website, before.website),
        "address": found.line("address", typed.address),
        "postal_code": found.line("postal_code", typed.postal_code),
        "city": found.line("city", typed.city),
        "founded_year": _year(found, typed.founded_year),
        "employee_count": found.line("employee_count", typed.employee_count),
        "logo_url": typed.logo_url.strip(),
        "services": found.listing("services", typed.services, before.services),
        "certifications": found.listing("certifications", typed.certifications, before.certifications),
    }


def fill_form(company: Company, seen: str) -> CompanyForm:
    """Fill the form from a company."""
    return CompanyForm(id=company.id, seen=seen, **format_form({name: getattr(company, name) for name in LABELS}))


def format_form(values: dict[str, Any]) -> dict[str, Any]:
    """Format columns for the form; no domain becomes the item that stands for it."""
    shown = format_columns(values)
    shown["activity_domain"] = shown["activity_domain"] or NOTHING
    return shown


def _year(found: FormCheck, text: str) -> int | None:
    typed = text.strip()
    if not typed:
        return None
    if not typed.isascii() or not typed.isdecimal() or len(typed) != 4 or int(typed) < OLDEST_YEAR:
        found.errors["founded_year"] = NO_YEAR
        return None
    if int(typed) > clock.to_local(clock.now()).year:
        found.errors["founded_year"] = "Cette année est à venir."
        return None
    return int(typed)
