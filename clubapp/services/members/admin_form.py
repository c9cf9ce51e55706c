"""The member form of administrators and its rules."""

from dataclasses import dataclass
from typing import Any

from clubapp.models import TO_MEMBERS, Member
from clubapp.services.base.form_fields import NOTHING, FormCheck, format_columns
from clubapp.text import person_names

# The list item of a company that is known by name only, having been deleted or never listed.
KEPT_COMPANY = "="
# The list item of a company that is made with the member, of which `company` holds the name.
NEW_COMPANY = "+"
NO_COMPANY_NAME = "Indiquez le nom de l’entreprise."
NO_DESCRIPTION = "Présentez ce membre en quelques phrases."
CHOOSE_COMPANY = "Choisissez l’entreprise dans la liste."

LABELS = {
    "name": "Nom complet",
    "first_name": "Prénom",
    "role": "Fonction",
    "company_id": "Entreprise",
    "activity_domain": "Domaine d'activité",
    "description": "Description",
    "email": "E-mail",
    "phone": "Téléphone",
    "linkedin": "LinkedIn",
    "website": "Site web",
    "image_url": "Photo",
    "expertise": "Domaines d'expertise",
    "services": "Services proposés",
    "is_active": "Membre actif",
    "is_listed": "Présent dans l’annuaire",
    "shows_email": "E-mail visible",
    "shows_phone": "Téléphone visible",
    "shows_photo": "Photo visible",
    "is_listed_to_members": "Annuaire des membres",
    "shows_email_to_members": "E-mail pour les membres",
    "shows_phone_to_members": "Téléphone pour les membres",
    "shows_photo_to_members": "Photo pour les membres",
}
# What the form requires and a file need not hold: a record without it is to be completed.
MAY_LACK = frozenset({"role", "company_id", "description"})
HAS_CONSENT = "Cette personne m’a donné son accord"
FLAGS = ("is_active", *TO_MEMBERS, *TO_MEMBERS.values())


@dataclass(frozen=True)
class MemberForm:
    """The form as typed. `seen` is the version that was opened: empty for a new member.

    `company` is the name of a company that is not in the list; it is typed with `NEW_COMPANY` only. `has_consent` says
    that the person agreed to be shown as the form says (P5).
    """

    id: str = ""
    seen: str = ""
    name: str = ""
    first_name: str = ""
    role: str = ""
    company: str = ""
    company_id: str = NOTHING
    activity_domain: str = NOTHING
    description: str = ""
    email: str = ""
    phone: str = ""
    linkedin: str = ""
    website: str = ""
    image_url: str = ""
    expertise: str = ""
    services: str = ""
    is_active: bool = True
    is_listed: bool = True
    shows_email: bool = True
    shows_phone: bool = True
    shows_photo: bool = True
    is_listed_to_members: bool = False
    shows_email_to_members: bool = False
    shows_phone_to_members: bool = False
    shows_photo_to_members: bool = False
    has_consent: bool = False


def build_columns(found: FormCheck, typed: MemberForm, before: Member) -> dict[str, Any]:
    """The checked columns of the form, a fixed list (W3); `before` is the stored row. `editing` checks uniqueness."""
    return {
        "name": found.required("name", found.line("name", typed.name), "Indiquez le nom complet."),
        "first_name": _first_name(found, typed),
        "role": found.required("role", found.line("role", typed.role), "Indiquez la fonction."),
        "company_id": _company_id(found, typed, before),
        "activity_domain": found.domain("activity_domain", typed.activity_domain, before.activity_domain),
        "description": found.required("description", found.block("description", typed.description), NO_DESCRIPTION),
        "email": found.email("email", typed.email, before.email or "") or None,
        "phone": found.phone("phone", typed.phone, before.phone),
        "linkedin": found.web("linkedin", typed.linkedin, before.linkedin),
        "website": found.web("website", typed.website, before.website),
        "image_url": typed.image_url.strip(),
        "expertise": found.listing("expertise", typed.expertise, before.expertise),
        "services": found.listing("services", typed.services, before.services),
        **{name: getattr(typed, name) is True for name in FLAGS},
    }


def fill_form(member: Member, seen: str) -> MemberForm:
    """Fill the form from a member."""
    shown = format_form({name: getattr(member, name) for name in LABELS}, member)
    return MemberForm(id=member.id, seen=seen, company=member.company, **shown)


def format_form(values: dict[str, Any], member: Member) -> dict[str, Any]:
    """Format columns for the form; empty choices become the items that stand for them."""
    shown = format_columns(values)
    shown["company_id"] = shown["company_id"] or (KEPT_COMPANY if member.company else NOTHING)
    shown["activity_domain"] = shown["activity_domain"] or NOTHING
    return shown


def _first_name(found: FormCheck, typed: MemberForm) -> str:
    """What was typed; nothing when it is what the name says anyway."""
    first = found.line("first_name", typed.first_name)
    return "" if first == person_names.guess_first_name(typed.name) else first


def _company_id(found: FormCheck, typed: MemberForm, before: Member) -> str | None:
    if typed.company_id == KEPT_COMPANY and before.company and before.company_id is None:
        return None
    if typed.company_id == NEW_COMPANY:
        found.required("company", found.line("company", typed.company), NO_COMPANY_NAME)
        return typed.company_id
    chosen = "" if typed.company_id in (NOTHING, KEPT_COMPANY) else typed.company_id
    return found.required("company_id", chosen, CHOOSE_COMPANY) or None
