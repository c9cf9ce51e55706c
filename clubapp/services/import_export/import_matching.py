"""Matching of the lines of an import with existing members or companies, and of headings with columns."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import partial
from typing import Any, Protocol

from sqlmodel import Session, select

from clubapp import clock
from clubapp.models import DOMAINS, ChoiceSource, Company, Member
from clubapp.refusals import Invalid
from clubapp.services.base import edit_conflicts
from clubapp.services.base.actors import Actor
from clubapp.services.base.form_fields import FormCheck, format_columns
from clubapp.services.base.search import fold
from clubapp.services.companies import admin_form as company_form
from clubapp.services.companies import editing as company_editing
from clubapp.services.companies.admin_form import CompanyForm
from clubapp.services.members import admin_form as member_form
from clubapp.services.members import editing as member_editing
from clubapp.services.members.admin_form import FLAGS, NEW_COMPANY, MemberForm
from clubapp.services.privacy import visibility
from clubapp.services.privacy.visibility import ASKED
from clubapp.text import phone_numbers
from clubapp.text.email_addresses import normalise

MEMBERS, COMPANIES = "members", "companies"

SEVERAL = "Plusieurs fiches portent ce nom\u00a0: dites laquelle, ou ajoutez l’adresse e-mail."
SAME_PERSON = "Une fiche porte déjà ce nom, avec une autre adresse ou entreprise. Est-ce la même personne\u00a0?"
OTHER_NAME = (
    "Cette adresse est celle de {}\u00a0: corrigez l’adresse ou le nom, ou changez d’abord le nom dans sa fiche."
)
BY_NAME = "Reconnue à son nom."
ANOTHER = "another"  # chosen for a line about somebody who only has the name of an existing member
SHOWN_OF_A_CELL = 60
YES_OR_NO = "Écrivez «\u00a0oui\u00a0» ou «\u00a0non\u00a0»."

_YES, _NO = ("oui", "o", "1", "vrai", "true", "x", "actif"), ("non", "n", "0", "faux", "false", "inactif")
FIRST_NAME = "first_name"  # a separate column in many tables, while members have one name
_LOST_ZERO = re.compile(r"[1-9]\d{8}")
_IMAGES = ("image_url", "logo_url")
_SYNONYMS = {
    "nom": "name", "membre": "name", "nom et prenom": "name", "role": "role", "fonction": "role", "poste": "role",
    "societe": "company_id", "nom de l'entreprise": "company_id", "company": "company_id",
    "domaine": "activity_domain", "secteur": "activity_domain", "secteur d'activite": "activity_domain",
    "branche": "activity_domain", "mail": "email", "email": "email", "courriel": "email", "adresse e-mail": "email",
    "adresse mail": "email", "tel": "phone", "telephone portable": "phone", "portable": "phone", "mobile": "phone",
    "gsm": "phone", "tel portable": "phone", "tel mobile": "phone", "telephone mobile": "phone",
    "numero de telephone": "phone", "site": "website", "site internet": "website", "expertise": "expertise",
    "expertises": "expertise", "services": "services", "presentation": "description",
}  # fmt: skip
_OF_MEMBERS = {"prenom": FIRST_NAME, "nom de famille": "name", "raison sociale": "company_id"}
# Headings of a person's trade, the first that finds its column free first: 'Métier' is the expertise in the list too.
_TRADES = {
    "profession": ("role", "expertise"), "activite": ("expertise", "role"), "metier": ("expertise", "role"),
    "metier exerce": ("expertise", "role"), "activite principale": ("expertise", "role"),
}  # fmt: skip
_OF_COMPANIES = {
    "entreprise": "name", "societe": "name", "raison sociale": "name", "nom de l'entreprise": "name", "nom": "name",
    "cp": "postal_code", "annee": "founded_year", "salaries": "employee_count", "nombre d'employes": "employee_count",
    **dict.fromkeys(("fonction", *_TRADES), "services"),
}  # fmt: skip


@dataclass(frozen=True)
class Namesake:
    """An existing record of the name of a line; `text` says which, `is_record` whether the line is about it."""

    id: str
    text: str
    is_record: bool = False


class ExistingRecords(Protocol):
    """The existing records of one kind."""

    def new_record(self) -> Any: ...
    def find_record(self, values: Mapping[str, str], found: FormCheck, chosen: str = "") -> Any: ...
    def list_namesakes(self, values: Mapping[str, str], record: Any) -> tuple[Namesake, ...]: ...
    def fill_form(self, before: Any) -> Any: ...
    def build_form(self, before: Any, values: Mapping[str, str], found: FormCheck) -> Any: ...
    def build_key(self, before: Any, wanted: Mapping[str, Any]) -> str: ...
    def describe_changes(self, labels: Mapping[str, str], before: Any, changed: Mapping[str, Any]) -> str: ...


@dataclass(frozen=True)
class ImportKind:
    """What differs between importing members and companies."""

    labels: Mapping[str, str]
    synonyms: Mapping[str, str]
    columns: Callable[[FormCheck, Any, Any], dict[str, Any]]
    save: Callable[[Session, Actor, Any, frozenset[str]], str]
    read_records: Callable[[Session], ExistingRecords]
    may_lack: frozenset[str]
    trades: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def fields_of(self, headings: list[str]) -> dict[str, str]:
        """The column of each known heading; the first heading wins when two name the same column, but of several trades
        each says something, and those that find no column free are expertise too.
        """
        known = {name: name for name in self.labels} | dict(self.synonyms)
        known |= {fold(label): name for name, label in self.labels.items()}
        found: dict[str, str] = {}
        for heading in headings:
            name = known.get(_bare(heading))
            if name and name not in (*_IMAGES, *found.values()):
                found[heading] = name
        for trade, columns in self.trades.items():
            heading = next((heading for heading in headings if _bare(heading) == trade), "")
            free = next((name for name in columns if name not in found.values()), "")
            if heading and heading not in found:
                found[heading] = free or "expertise"
        return {heading: found[heading] for heading in headings if heading in found}

    def describe_renamed(self, known: Mapping[str, str]) -> str:
        """'Métier → Domaines d'expertise': the headings that are not the label of their column.

        A separate first name has no column: it becomes part of the name.
        """
        labels = {heading: self.labels[name] for heading, name in known.items() if name in self.labels}
        return "\u00a0; ".join(
            f"{heading} → {label}" for heading, label in labels.items() if fold(heading) != fold(label)
        )


def _bare(heading: str) -> str:
    """A heading without its dots, such as 'Tél. portable', and without what marks a required column."""
    return fold(" ".join(heading.replace(".", " ").strip(" *:").split()))


class ExistingCompanies:
    """The existing companies, by name."""

    def __init__(self, session: Session) -> None:
        self._by_name: dict[str, list[Company]] = {}
        for company in session.exec(select(Company)):
            self._by_name.setdefault(fold(company.name), []).append(company)

    def named(self, name: str) -> list[Company]:
        """The companies of a name, ignoring case and accents."""
        return self._by_name.get(fold(name), [])

    def new_record(self) -> Company:
        """An empty company."""
        return Company(name="", created_at=clock.now(), updated_at=clock.now())

    def fill_form(self, before: Company) -> CompanyForm:
        """The form of a company."""
        return company_form.fill_form(before, edit_conflicts.version_of_row(before))

    def find_record(self, values: Mapping[str, str], found: FormCheck, chosen: str = "") -> Company | None:  # noqa: ARG002 - of ExistingRecords
        """The company that a line names, if it exists."""
        rows = self.named(values.get("name", ""))
        if len(rows) > 1:
            found.errors["name"] = "Plusieurs entreprises portent ce nom\u00a0: modifiez-les à l’écran."
        return rows[0] if rows else None

    def list_namesakes(self, values: Mapping[str, str], record: Any) -> tuple[Namesake, ...]:  # noqa: ARG002 - of ExistingRecords
        """None: a company is its name."""
        return ()

    def build_form(self, before: Any, values: Mapping[str, str], found: FormCheck) -> CompanyForm:  # noqa: ARG002 - of ExistingRecords
        """The form of a record with the cells of a line."""
        return _overlaid(self.fill_form(before) if before else CompanyForm(), values)

    def build_key(self, before: Any, wanted: Mapping[str, Any]) -> str:
        """The key by which two lines about one company are detected."""
        return before.id if before else fold(wanted["name"])

    def describe_changes(self, labels: Mapping[str, str], before: Any, changed: Mapping[str, Any]) -> str:
        """The changes, in French."""
        now = format_columns({name: getattr(before, name) for name in changed})
        return _describe_changes(labels, now, format_columns(changed))


class ExistingMembers:
    """The existing members, by address and name, and the companies."""

    def __init__(self, session: Session) -> None:
        self._companies = ExistingCompanies(session)
        self._by_email: dict[str, Member] = {}
        self._by_name: dict[str, list[Member]] = {}
        self._withheld = visibility.list_withheld(session)
        self._company_names: dict[str | None, str] = dict(session.exec(select(Company.id, Company.name)).all())
        for member in session.exec(select(Member)):
            self._by_name.setdefault(fold(member.name), []).append(member)
            if member.email:
                self._by_email[member.email] = member

    def new_record(self) -> Member:
        """An empty member."""
        return Member(name="", created_at=clock.now(), updated_at=clock.now())

    def fill_form(self, before: Member) -> MemberForm:
        """The form of a member."""
        return member_form.fill_form(before, edit_conflicts.version_of_row(before))

    def find_record(self, values: Mapping[str, str], found: FormCheck, chosen: str = "") -> Member | None:
        """The member with a line's address; else the one `chosen`, the id of a namesake or `ANOTHER`.

        Else, if either has no address, the member with its name, and its company when several do. With a member's
        address and no word of their name, the line may be a slip, and is refused.
        """
        email, named = _normalised(values.get("email", "")), self._named(values)
        if email in self._by_email:
            row = self._by_email[email]
            if values.get("name") and not _words(values["name"]) & _words(row.name):
                found.errors["name"] = OTHER_NAME.format(row.name)
            return row
        if chosen == ANOTHER:
            return None
        if picked := next((row for row in named if row.id == chosen), None):
            return picked
        rows = [row for row in named if not (email and row.email)]
        if company := values.get("company_id"):
            rows = [row for row in rows if len(rows) == 1 or fold(row.company) == fold(company)]
        if named and len(rows) != 1:
            found.errors["name"] = SEVERAL if len(rows) > 1 else SAME_PERSON
        return rows[0] if rows else None

    def list_namesakes(self, values: Mapping[str, str], record: Any) -> tuple[Namesake, ...]:
        """The members with a line's name; none when its address says who it is."""
        if _normalised(values.get("email", "")) in self._by_email:
            return ()
        return tuple(
            Namesake(row.id, ", ".join(filter(None, (row.name, row.company, row.email))), row is record)
            for row in self._named(values)
        )

    def _named(self, values: Mapping[str, str]) -> list[Member]:
        return self._by_name.get(fold(values.get("name", "")), [])

    def build_form(self, before: Any, values: Mapping[str, str], found: FormCheck) -> MemberForm:
        """The form of a member with the cells of a line; another company sets the domain, unless the line does.

        A company that does not exist is made with the member.
        """
        form = self.fill_form(before) if before else MemberForm()
        typed = dict(values)
        name, new = typed.pop("company_id", ""), ""
        if name and not (before and before.company_id is None and fold(before.company) == fold(name)):
            rows = self._companies.named(name)
            if not rows:
                typed["company_id"], new = NEW_COMPANY, name
            elif before is None or before.company_id not in [row.id for row in rows]:
                typed["company_id"] = rows[0].id
                typed.setdefault("activity_domain", rows[0].activity_domain)
        form = replace(form, company=new) if new else form
        flags = {flag: self._flag(found, flag, typed.pop(flag)) for flag in FLAGS if flag in typed}
        if before:
            visibility.check_consent(found, before, {**dict.fromkeys(ASKED, False), **flags}, self._withheld)
        return replace(_overlaid(form, typed), **flags)

    def build_key(self, before: Any, wanted: Mapping[str, Any]) -> str:
        """The key by which two lines about one member are detected."""
        if before:
            return before.id
        return wanted["email"] or f"{fold(wanted['name'])}\n{wanted['company_id']}"

    def describe_changes(self, labels: Mapping[str, str], before: Any, changed: Mapping[str, Any]) -> str:
        """The changes, in French."""
        now = format_columns({name: getattr(before, name) for name in changed})
        new = format_columns(changed)
        for shown in (now, new):
            if "company_id" in shown:
                names = {NEW_COMPANY: "à créer"} | self._company_names
                shown["company_id"] = names.get(shown["company_id"], "") or before.company
        return _describe_changes(labels, now, new)

    def _flag(self, found: FormCheck, name: str, text: str) -> bool:
        word = fold(text)
        if word not in (*_YES, *_NO):
            found.errors[name] = YES_OR_NO
        return word in _YES


def new_company_name(form: Any) -> str:
    """The name of the company that is made with a member; empty when there is none to make."""
    return form.company if getattr(form, "company_id", "") == NEW_COMPANY else ""


def describe_new_company(form: Any) -> str:
    """The company that is made with a member, in French; empty when there is none to make."""
    name = new_company_name(form)
    return f"Avec une nouvelle entreprise\u00a0: {name}." if name else ""


def read_cells(names: Mapping[str, str], cells: Mapping[str, str]) -> dict[str, str]:
    """The text of each column: several headings of one column make a list."""
    found: dict[str, list[str]] = {}
    for heading, cell in cells.items():
        if heading in names and cell:
            found.setdefault(names[heading], []).append(cell)
    return {name: ", ".join(texts) for name, texts in found.items()}


def join_names(values: Mapping[str, str]) -> dict[str, str]:
    """Put a separate first name before the name, unless the name has it and more: 'Martin' may be both."""
    whole = dict(values)
    first, name = whole.get(FIRST_NAME, ""), whole.get("name", "")
    given, words = fold(first).split(), fold(name).split()
    if name and given and not (set(given) <= set(words) and len(words) > len(given)):
        whole["name"] = f"{first} {name}"
    return whole


def _overlaid(form: Any, values: Mapping[str, str]) -> Any:
    """A form with the cells of a line. An equal telephone number keeps its stored format, and a name of the same words
    its spelling: many tables write 'DURAND Marie'.

    A spreadsheet may have removed the leading zero of a telephone number: it is restored. A domain may be shortened.
    """
    known = {each.name for each in fields(form)} - {"id", "seen", "company"}
    typed = {name: value for name, value in values.items() if name in known}
    if "phone" in typed and form.phone and phone_numbers.tel_link(typed["phone"]) == phone_numbers.tel_link(form.phone):
        del typed["phone"]
    if isinstance(form, MemberForm) and _words(typed.get("name", "")) == _words(form.name):
        typed.pop("name", None)
    if "activity_domain" in typed:
        typed["activity_domain"] = _nearest_domain(typed["activity_domain"])
    if _LOST_ZERO.fullmatch(typed.get("phone", "")):
        typed["phone"] = phone_numbers.format_phone(typed["phone"])
    return replace(form, **typed)


def _nearest_domain(typed: str) -> str:
    """The one domain that has all the words of a cell, such as 'Bâtiment & Travaux' for 'Bâtiment'; else the cell."""
    words = set(fold(typed).split())
    found = [domain for domain in DOMAINS if words and words <= set(fold(domain).split())]
    return found[0] if len(found) == 1 else typed


def _words(name: str) -> set[str]:
    return set(fold(name).replace("-", " ").split())


def _normalised(address: str) -> str:
    try:
        return normalise(address) if address else ""
    except Invalid:
        return ""


def shorten(text: str) -> str:
    """The value of a cell, or its beginning."""
    return text if len(text) <= SHOWN_OF_A_CELL else f"{text[: SHOWN_OF_A_CELL - 3]}…"


def _describe_changes(labels: Mapping[str, str], before: Mapping[str, Any], after: Mapping[str, Any]) -> str:
    def worded(value: Any) -> str:
        if isinstance(value, bool):
            return "oui" if value else "non"
        return shorten(str(value) or "(vide)")

    return "\u00a0; ".join(f"{labels[name]}\u00a0: {worded(before[name])} → {worded(after[name])}" for name in after)


KINDS = {
    MEMBERS: ImportKind(
        member_form.LABELS,
        _SYNONYMS | _OF_MEMBERS,
        member_form.build_columns,
        partial(member_editing.save, via=ChoiceSource.IMPORT),
        ExistingMembers,
        member_form.MAY_LACK,
        _TRADES,
    ),
    COMPANIES: ImportKind(
        company_form.LABELS,
        _SYNONYMS | _OF_COMPANIES,
        company_form.build_columns,
        company_editing.save,
        ExistingCompanies,
        company_form.MAY_LACK,
    ),
}
