"""What an import compares a line with: the members or the companies there are, and the columns a file may have."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, Protocol

from sqlmodel import Session, select

from clubapp import clock
from clubapp.models import Company, Member
from clubapp.refusals import Invalid
from clubapp.services.base import edit_conflicts
from clubapp.services.base.actors import Actor
from clubapp.services.base.form_fields import FormCheck, as_typed
from clubapp.services.base.search import fold
from clubapp.services.companies import editing as company_editing
from clubapp.services.companies import form as company_form
from clubapp.services.companies.form import CompanyForm
from clubapp.services.members import editing as member_editing
from clubapp.services.members import form as member_form
from clubapp.services.members.form import FLAGS, MemberForm
from clubapp.text import phone_numbers
from clubapp.text.email_addresses import normalise

MEMBERS, COMPANIES = "members", "companies"

SEVERAL = "Plusieurs fiches portent ce nom\u00a0: ajoutez l'adresse e-mail pour dire laquelle."
NO_COMPANY = "L'entreprise «\u00a0{name}\u00a0» n'est pas dans la liste\u00a0: créez-la ou importez-la d'abord."
YES_OR_NO = "Écrivez «\u00a0oui\u00a0» ou «\u00a0non\u00a0»."

_YES, _NO = ("oui", "o", "1", "vrai", "true", "x", "actif"), ("non", "n", "0", "faux", "false", "inactif")
FIRST_NAME = "first_name"  # a column of its own in many tables; members have one name
_LOST_ZERO = re.compile(r"[1-9]\d{8}")
_IMAGES = ("image_url", "logo_url")
_SYNONYMS = {
    "nom": "name", "membre": "name", "nom et prenom": "name", "fonction": "role", "poste": "role",
    "societe": "company_id", "nom de l'entreprise": "company_id", "company": "company_id", "domaine": "activity_domain",
    "secteur": "activity_domain", "mail": "email", "email": "email", "courriel": "email", "adresse e-mail": "email",
    "adresse mail": "email", "tel": "phone", "telephone portable": "phone", "portable": "phone", "mobile": "phone",
    "site": "website", "site internet": "website", "expertise": "expertise", "expertises": "expertise",
    "services": "services", "presentation": "description",
}  # fmt: skip
_OF_MEMBERS = {"prenom": FIRST_NAME, "nom de famille": "name"}
_OF_COMPANIES = {
    "entreprise": "name", "societe": "name", "nom de l'entreprise": "name", "nom": "name", "cp": "postal_code",
    "annee": "founded_year", "salaries": "employee_count", "nombre d'employes": "employee_count",
}  # fmt: skip


class Book(Protocol):
    """The records there are, whatever their kind."""

    def fresh(self) -> Any: ...
    def record_of(self, values: Mapping[str, str], found: FormCheck) -> Any: ...
    def filled(self, before: Any) -> Any: ...
    def form_of(self, before: Any, values: Mapping[str, str], found: FormCheck) -> Any: ...
    def key_of(self, before: Any, wanted: Mapping[str, Any]) -> str: ...
    def told(self, labels: Mapping[str, str], before: Any, changed: Mapping[str, Any]) -> str: ...


@dataclass(frozen=True)
class Kind:
    """What members and companies differ by."""

    labels: Mapping[str, str]
    synonyms: Mapping[str, str]
    columns: Callable[[FormCheck, Any, Any], dict[str, Any]]
    save: Callable[[Session, Actor, Any], str]
    book: Callable[[Session], Book]

    def fields_of(self, headings: list[str]) -> dict[str, str]:
        """The column that each known heading fills; the first of two that fill the same."""
        known = {name: name for name in self.labels} | dict(self.synonyms)
        known |= {fold(label): name for name, label in self.labels.items()}
        found: dict[str, str] = {}
        for heading in headings:
            name = known.get(fold(heading))
            if name and name not in (*_IMAGES, *found.values()):
                found[heading] = name
        return found


class Companies:
    """The companies there are, to find the one a line is about."""

    def __init__(self, session: Session) -> None:
        self._by_name: dict[str, list[Company]] = {}
        for company in session.exec(select(Company)):
            self._by_name.setdefault(fold(company.name), []).append(company)

    def named(self, name: str) -> list[Company]:
        """The companies of a name, case and accents aside."""
        return self._by_name.get(fold(name), [])

    def fresh(self) -> Company:
        """A company with nothing in it."""
        return Company(name="", created_at=clock.now(), updated_at=clock.now())

    def filled(self, before: Company) -> CompanyForm:
        """The form of a company."""
        return company_form.filled(before, edit_conflicts.version_of_row(before))

    def record_of(self, values: Mapping[str, str], found: FormCheck) -> Company | None:
        """The company of a line's name, if there is one."""
        rows = self.named(values.get("name", ""))
        if len(rows) > 1:
            found.errors["name"] = "Plusieurs entreprises portent ce nom\u00a0: modifiez-les à l'écran."
        return rows[0] if rows else None

    def form_of(self, before: Any, values: Mapping[str, str], found: FormCheck) -> CompanyForm:  # noqa: ARG002 - of Book
        """The form a line fills."""
        return _overlaid(self.filled(before) if before else CompanyForm(), values)

    def key_of(self, before: Any, wanted: Mapping[str, Any]) -> str:
        """What two lines about one company have in common."""
        return before.id if before else fold(wanted["name"])

    def told(self, labels: Mapping[str, str], before: Any, changed: Mapping[str, Any]) -> str:
        """What changes, in words."""
        now = as_typed({name: getattr(before, name) for name in changed})
        return _told(labels, now, as_typed(changed))


class Members:
    """The members there are, to find the one a line is about; and the companies they belong to."""

    def __init__(self, session: Session) -> None:
        self._companies = Companies(session)
        self._by_email: dict[str, Member] = {}
        self._by_name: dict[str, list[Member]] = {}
        self._company_names: dict[str | None, str] = dict(session.exec(select(Company.id, Company.name)).all())
        for member in session.exec(select(Member)):
            self._by_name.setdefault(fold(member.name), []).append(member)
            if member.email:
                self._by_email[member.email] = member

    def fresh(self) -> Member:
        """A member with nothing in them."""
        return Member(name="", created_at=clock.now(), updated_at=clock.now())

    def filled(self, before: Member) -> MemberForm:
        """The form of a member."""
        return member_form.filled(before, edit_conflicts.version_of_row(before))

    def record_of(self, values: Mapping[str, str], found: FormCheck) -> Member | None:
        """The member of a line's address; without one on either side, of its name, and of its company when several."""
        email = _normalised(values.get("email", ""))
        if email in self._by_email:
            return self._by_email[email]
        rows = [row for row in self._by_name.get(fold(values.get("name", "")), []) if not (email and row.email)]
        if company := values.get("company_id"):
            rows = [row for row in rows if len(rows) == 1 or fold(row.company) == fold(company)]
        if len(rows) > 1:
            found.errors["name"] = SEVERAL
        return rows[0] if rows else None

    def form_of(self, before: Any, values: Mapping[str, str], found: FormCheck) -> MemberForm:
        """The form a line fills; a new company brings its domain along, unless the line says another."""
        form = self.filled(before) if before else MemberForm()
        typed = dict(values)
        name = typed.pop("company_id", "")
        if name and not (before and before.company_id is None and fold(before.company) == fold(name)):
            rows = self._companies.named(name)
            if not rows:
                found.errors["company_id"] = NO_COMPANY.format(name=name)
            elif before is None or before.company_id not in [row.id for row in rows]:
                typed["company_id"] = rows[0].id
                typed.setdefault("activity_domain", rows[0].activity_domain)
        flags = {flag: self._flag(found, flag, typed.pop(flag)) for flag in FLAGS if flag in typed}
        return replace(_overlaid(form, typed), **flags)

    def key_of(self, before: Any, wanted: Mapping[str, Any]) -> str:
        """What two lines about one member have in common."""
        if before:
            return before.id
        return wanted["email"] or f"{fold(wanted['name'])}\n{wanted['company_id']}"

    def told(self, labels: Mapping[str, str], before: Any, changed: Mapping[str, Any]) -> str:
        """What changes, in words."""
        now = as_typed({name: getattr(before, name) for name in changed})
        new = as_typed(changed)
        for shown in (now, new):
            if "company_id" in shown:
                shown["company_id"] = self._company_names.get(shown["company_id"], "") or before.company
        return _told(labels, now, new)

    def _flag(self, found: FormCheck, name: str, text: str) -> bool:
        word = fold(text)
        if word not in (*_YES, *_NO):
            found.errors[name] = YES_OR_NO
        return word in _YES


def with_whole_name(values: Mapping[str, str]) -> dict[str, str]:
    """The cells of a line with the first name, when it has a column of its own, before the name."""
    whole = dict(values)
    first, name = whole.pop(FIRST_NAME, ""), whole.get("name", "")
    if name and not set(fold(first).split()) <= set(fold(name).split()):
        whole["name"] = f"{first} {name}"
    return whole


def _overlaid(form: Any, values: Mapping[str, str]) -> Any:
    """A form with the cells of a line in it. A telephone number that dials the same is left as it was written.

    A spreadsheet that takes a number for a sum drops its first zero.
    """
    known = {field.name for field in fields(form)} - {"id", "seen", "company"}
    typed = {name: value for name, value in values.items() if name in known}
    if "phone" in typed and form.phone and phone_numbers.dialled(typed["phone"]) == phone_numbers.dialled(form.phone):
        del typed["phone"]
    if _LOST_ZERO.fullmatch(typed.get("phone", "")):
        typed["phone"] = phone_numbers.written(typed["phone"])
    return replace(form, **typed)


def _normalised(address: str) -> str:
    try:
        return normalise(address) if address else ""
    except Invalid:
        return ""


def _told(labels: Mapping[str, str], before: Mapping[str, Any], after: Mapping[str, Any]) -> str:
    def worded(value: Any) -> str:
        if isinstance(value, bool):
            return "oui" if value else "non"
        text = str(value) or "(vide)"
        return text if len(text) <= 60 else f"{text[:57]}…"

    return " ; ".join(f"{labels[name]}\u00a0: {worded(before[name])} → {worded(after[name])}" for name in after)


KINDS = {
    MEMBERS: Kind(member_form.LABELS, _SYNONYMS | _OF_MEMBERS, member_form.columns, member_editing.save, Members),
    COMPANIES: Kind(
        company_form.LABELS, _SYNONYMS | _OF_COMPANIES, company_form.columns, company_editing.save, Companies
    ),
}
