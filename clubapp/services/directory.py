"""The public directory: members and companies as visitors see them (specification, section 2)."""

import re
import unicodedata
from dataclasses import dataclass

from sqlalchemy import Row, select
from sqlmodel import Session

from clubapp import links, phones, routes
from clubapp.models import DOMAINS, Company, Member
from clubapp.refusals import NotFound
from clubapp.services import avatars
from clubapp.settings import settings

ALL_DOMAINS = "Tous les domaines"
DOMAIN_PARAMETER = "domaine"


@dataclass(frozen=True)
class MemberCard:
    """A member in a list. `picture` is empty when the initials stand in for it."""

    id: str = ""
    name: str = ""
    role: str = ""
    company: str = ""
    domain: str = ""
    picture: str = ""
    initials: str = ""
    ground: int = 0
    href: str = ""


@dataclass(frozen=True)
class Directory:
    """The members of one domain, or all of them; `chosen` is the slug of that domain."""

    members: tuple[MemberCard, ...] = ()
    chosen: str = ""
    count_label: str = ""


@dataclass(frozen=True)
class ContactLink:
    """One way to reach someone: what the button says, where it leads, what a reader of the page learns from it."""

    kind: str
    label: str
    href: str
    detail: str
    opens_site: bool = False


@dataclass(frozen=True)
class MemberProfile:
    """A member's own page."""

    id: str = ""
    name: str = ""
    role: str = ""
    company: str = ""
    company_href: str = ""
    domain: str = ""
    description: str = ""
    picture: str = ""
    contacts: tuple[ContactLink, ...] = ()
    mail_href: str = ""
    mail_hint: str = ""
    expertise: tuple[str, ...] = ()
    services: tuple[str, ...] = ()


@dataclass(frozen=True)
class CompanyPage:
    """A company's own page."""

    id: str = ""
    name: str = ""
    domain: str = ""
    employees: str = ""
    description: str = ""
    logo: str = ""
    contacts: tuple[ContactLink, ...] = ()
    mail_href: str = ""
    mail_hint: str = ""
    services: tuple[str, ...] = ()
    team: tuple[MemberCard, ...] = ()
    team_label: str = ""


_CARD_COLUMNS = (Member.id, Member.name, Member.role, Member.company, Member.activity_domain, Member.image_url)


def search(session: Session, domain: str = "") -> Directory:
    """The active members by company then name, case and accents ignored; those without a company come last.

    `domain` is a domain or its slug, as an address carries it; anything else means all domains.
    """
    chosen = domain_named(domain)
    query = select(*_CARD_COLUMNS).where(Member.is_active)  # type: ignore[arg-type]
    if chosen:
        query = query.where(Member.activity_domain == chosen)  # type: ignore[arg-type]
    members = [_card(row) for row in session.connection().execute(query)]
    members.sort(key=lambda card: (not card.company.strip(), fold(card.company), fold(card.name), card.id))
    return Directory(
        members=tuple(members),
        chosen=slug(chosen),
        count_label=_count_label(len(members), chosen),
    )


def profile(session: Session, member_id: str) -> MemberProfile:
    """The page of one active member.

    Raises:
        NotFound: when there is none.
    """
    found = session.get(Member, member_id)
    if found is None or not found.is_active:
        raise NotFound
    return MemberProfile(
        id=found.id,
        name=found.name,
        role=found.role,
        company=found.company,
        company_href=routes.company(found.company_id) if found.company_id else "",
        domain=found.activity_domain,
        description=found.description.strip(),
        picture=_image(found.image_url) or avatars.person_image(found.name),
        contacts=_contacts(found.email or "", found.phone, found.website, found.linkedin),
        mail_href=_mail_href(found.email or ""),
        mail_hint=_mail_hint(found.name, found.email or ""),
        expertise=_filled(found.expertise),
        services=_filled(found.services),
    )


def company(session: Session, company_id: str) -> CompanyPage:
    """The page of one company, with its active members by name.

    Raises:
        NotFound: when there is none.
    """
    found = session.get(Company, company_id)
    if found is None:
        raise NotFound
    team = _team(session, company_id)
    return CompanyPage(
        id=found.id,
        name=found.name,
        domain=found.activity_domain,
        employees=_employees(found.employee_count),
        description=found.description.strip(),
        logo=_image(found.logo_url) or avatars.company_image(found.name),
        contacts=_contacts(found.email, found.phone, found.website),
        mail_href=_mail_href(found.email),
        mail_hint=_mail_hint(found.name, found.email),
        services=_filled(found.services),
        team=team,
        team_label=f"Notre équipe ({len(team)} {'membre' if len(team) < 2 else 'membres'})",
    )


def filters() -> tuple[tuple[str, str], ...]:
    """The filter buttons: what the address carries, and the label; nothing and 'Tous les domaines' first."""
    return (("", ALL_DOMAINS), *((slug(domain), domain) for domain in DOMAINS))


def domain_named(text: str) -> str:
    """The activity domain that a slug or a name means; empty when it means none."""
    wanted = slug(text)
    return next((domain for domain in DOMAINS if slug(domain) == wanted), "")


def slug(domain: str) -> str:
    """'batiment-travaux' for 'Bâtiment & Travaux'."""
    return "-".join(re.findall(r"[a-z0-9]+", fold(domain)))


def fold(text: str) -> str:
    """What sorting compares: no case, no accents (C6)."""
    opened = text.replace("œ", "oe").replace("Œ", "Oe").replace("æ", "ae").replace("Æ", "Ae")
    bare = (character for character in unicodedata.normalize("NFKD", opened) if not unicodedata.combining(character))
    return "".join(bare).casefold().strip()


def _card(row: Row) -> MemberCard:
    member_id, name, role, company_name, domain, image_url = row
    return MemberCard(
        id=member_id,
        name=name,
        role=role,
        company=company_name,
        domain=domain,
        picture=_image(image_url),
        initials=avatars.initials(name),
        ground=avatars.ground(name),
        href=routes.member_profile(member_id),
    )


def _count_label(count: int, chosen: str) -> str:
    noun = "membre" if count < 2 else "membres"
    return f"{count} {noun} en {chosen}" if chosen else f"{count} {noun}, un par métier"


def _team(session: Session, company_id: str) -> tuple[MemberCard, ...]:
    query = select(*_CARD_COLUMNS).where(Member.is_active, Member.company_id == company_id)  # type: ignore[arg-type]
    team = [_card(row) for row in session.connection().execute(query)]
    return tuple(sorted(team, key=lambda card: (fold(card.name), card.id)))


def _contacts(email: str, phone: str, website: str, linkedin: str = "") -> tuple[ContactLink, ...]:
    site, network = links.web_address(website), links.web_address(linkedin)
    offered = (
        ContactLink("email", "Email", links.mail_to(email), email),
        ContactLink("phone", "Téléphone", phones.dialled(phone), phones.written(phone)),
        ContactLink("linkedin", "LinkedIn", network, links.written(network), opens_site=True),
        ContactLink("website", "Site web", site, links.written(site), opens_site=True),
    )
    return tuple(contact for contact in offered if contact.href)


def _mail_href(email: str) -> str:
    return links.mail_to(email or settings().contact_email)


def _mail_hint(name: str, email: str) -> str:
    """Whom the message reaches: without an address of their own, the club passes it on."""
    return f"Écrivez directement à {name}." if email else f"Écrivez au club, qui transmettra à {name}."


def _employees(count: str) -> str:
    """'10-50 employés', '1 employé'; the field is free text."""
    typed = count.strip()
    if not typed:
        return ""
    return f"{typed} {'employé' if typed in ('0', '1') else 'employés'}"


def _image(address: str) -> str:
    """A picture of ours, or nothing: pages ask nothing of any other origin (W10)."""
    return address if address.startswith("/") and not address.startswith(("//", "/\\")) else ""


def _filled(texts: list[str]) -> tuple[str, ...]:
    return tuple(text.strip() for text in texts if text.strip())
