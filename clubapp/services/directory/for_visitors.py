"""The pages of the public directory: members and companies as visitors see them."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from sqlalchemy import Row, case, func, select
from sqlmodel import Session, col

from clubapp import routes
from clubapp.models import DOMAINS, Company, Member
from clubapp.refusals import NotFound
from clubapp.services.base.search import LONGEST_QUERY, find_records
from clubapp.services.directory import contact_links
from clubapp.services.directory.contact_links import ContactLink
from clubapp.services.images import initials as image_initials
from clubapp.services.images import responsive_images
from clubapp.services.images.responsive_images import NO_PICTURE, Picture
from clubapp.text.collation import fold

ALL_DOMAINS = "Tous les domaines"
DOMAIN_PARAMETER = "domaine"
SEARCH_PARAMETER = "q"
PAGE_PARAMETER = "page"
PARAMETERS = (DOMAIN_PARAMETER, SEARCH_PARAMETER, PAGE_PARAMETER)
PAGE = 60


@dataclass(frozen=True)
class MemberCard:
    """A member in a list. Without a photograph, `picture` has no `src` and the initials are shown."""

    id: str = ""
    name: str = ""
    role: str = ""
    company: str = ""
    domain: str = ""
    picture: Picture = NO_PICTURE
    initials: str = ""
    ground: int = 0
    href: str = ""


@dataclass(frozen=True)
class FoundMembers:
    """The members of one domain, or of all; `chosen` is the slug of that domain, `wanted` the search text.

    `more_href` leads to the same list with one page more, and `shown_label` says how many are shown; both are empty at
    the end. `nobody` and `advice` are shown when there are no members.
    """

    chosen: str = ""
    wanted: str = ""
    count_label: str = ""
    shown_label: str = ""
    more_href: str = ""
    nobody: str = ""
    advice: str = ""


@dataclass(frozen=True)
class DirectoryPage(FoundMembers):
    """The public directory; `ask_href` writes to the club about a search that found nobody."""

    members: tuple[MemberCard, ...] = ()
    ask_href: str = ""


@dataclass(frozen=True)
class MemberPage:
    """A member's own page."""

    id: str = ""
    name: str = ""
    role: str = ""
    company: str = ""
    company_href: str = ""
    card_href: str = ""
    domain: str = ""
    description: str = ""
    picture: Picture = NO_PICTURE
    contacts: tuple[ContactLink, ...] = ()
    mail_href: str = ""
    mail_hint: str = ""
    expertise: tuple[str, ...] = ()
    services: tuple[str, ...] = ()


@dataclass(frozen=True)
class CompanyPage:
    """A company's own page; `place` is as much of its address as is known."""

    id: str = ""
    name: str = ""
    domain: str = ""
    employees: str = ""
    place: str = ""
    description: str = ""
    logo: Picture = NO_PICTURE
    contacts: tuple[ContactLink, ...] = ()
    mail_href: str = ""
    mail_hint: str = ""
    services: tuple[str, ...] = ()
    team: tuple[MemberCard, ...] = ()
    team_label: str = ""


@dataclass(frozen=True)
class Directory:
    """A list of members at `path`: whom it shows, and which columns of them.

    `columns` begin with identifier, name, role, company and domain.
    """

    path: str
    shown: Sequence[Any]
    columns: Sequence[Any]


_LONGEST_DOMAIN = 100
_SEARCHED_COLUMNS = (Member.expertise, Member.services, Member.description)
# A hidden photograph is left out (P1).
_PHOTO = case((col(Member.shows_photo), col(Member.image_url)), else_="")
_CARD_COLUMNS = (Member.id, Member.name, Member.role, Member.company, Member.activity_domain, _PHOTO)
_PUBLIC = (col(Member.is_active), col(Member.is_listed))
_DIRECTORY = Directory(routes.DIRECTORY, _PUBLIC, _CARD_COLUMNS)
_PLACE = (col(Member.directory_place), col(Member.id))


def search_members(session: Session, domain: str = "", text: str = "", page: str = "") -> DirectoryPage:
    """The first listed members by company, then name; those without a company come last.

    `domain` is a domain or its slug; anything else means all. With a `text`, the members whose name, role, company,
    expertise, services or description match all its words, best match first. `page` is the number of pages of sixty to
    show, as text; anything else means one.
    """
    rows, told = find_members(session, _DIRECTORY, domain, text, page)
    nobody, advice = _nobody(find_domain(told["chosen"]), told["wanted"])
    return DirectoryPage(
        **told,
        members=tuple(_card(row) for row in rows),
        nobody=nobody,
        advice=advice,
        ask_href=contact_links.ask_club_href(told["wanted"]) if told["wanted"] and not rows else "",
    )


def find_members(
    session: Session, directory: Directory, domain: str, text: str, page: str
) -> tuple[Sequence[Row], dict[str, str]]:
    """The rows of a directory and what it says of them; `domain`, `text` and `page` are as for `search_members`."""
    chosen, wanted = find_domain(domain), " ".join(text[:LONGEST_QUERY].split())
    which = (*directory.shown, col(Member.activity_domain) == chosen) if chosen else directory.shown
    pages = int(page) if re.fullmatch(r"[1-9][0-9]{0,3}", page) else 1
    count, rows = (_found if wanted else _first)(session, directory.columns, which, wanted, pages * PAGE)
    more = {DOMAIN_PARAMETER: domain_slug(chosen), SEARCH_PARAMETER: wanted, PAGE_PARAMETER: pages + 1}
    told = {
        "chosen": domain_slug(chosen),
        "wanted": wanted,
        "count_label": _count_label(count, chosen, wanted),
        "shown_label": f"{len(rows)} membres affichés sur {count}" if len(rows) < count else "",
        "more_href": _address(directory.path, more) if len(rows) < count else "",
    }
    return rows, told


def read_member_page(session: Session, member_id: str) -> MemberPage:
    """The page of one active member who is listed.

    Raises:
        NotFound: when there is none.
    """
    found = session.get(Member, member_id)
    if found is None or not found.is_active or not found.is_listed:
        raise NotFound
    return build_member_page(found)


def build_member_page(found: Member) -> MemberPage:
    """Build the page of a member, with only those of e-mail, phone and photograph that they show (P1)."""
    email, phone = found.email or "" if found.shows_email else "", found.phone if found.shows_phone else ""
    return MemberPage(
        id=found.id,
        name=found.name,
        role=found.role,
        company=found.company,
        company_href=routes.company(found.company_id) if found.company_id else "",
        card_href=routes.contact_card(found.id),
        domain=found.activity_domain,
        description=found.description.strip(),
        picture=responsive_images.portrait_picture(found.image_url if found.shows_photo else "", found.name),
        contacts=contact_links.list_contact_links(email, phone, found.website, found.linkedin),
        mail_href=contact_links.mail_href(email),
        mail_hint=contact_links.mail_hint(found.name, email),
        expertise=_filled(found.expertise),
        services=_filled(found.services),
    )


def read_company_page(session: Session, company_id: str) -> CompanyPage:
    """The page of a company, with its active members by name.

    Raises:
        NotFound: when there is none.
    """
    found = session.get(Company, company_id)
    if found is None:
        raise NotFound
    return build_company_page(session, found)


def build_company_page(session: Session, found: Company) -> CompanyPage:
    """Build the page of a company."""
    team = _team(session, found.id)
    return CompanyPage(
        id=found.id,
        name=found.name,
        domain=found.activity_domain,
        employees=_employees(found.employee_count),
        place=_place(found),
        description=found.description.strip(),
        logo=responsive_images.logo_picture(found.logo_url, found.name),
        contacts=contact_links.list_contact_links(found.email, found.phone, found.website),
        mail_href=contact_links.mail_href(found.email),
        mail_hint=contact_links.mail_hint(found.name, found.email),
        services=_filled(found.services),
        team=team,
        team_label=f"Notre équipe ({len(team)} {'membre' if len(team) < 2 else 'membres'})",
    )


def list_domain_filters() -> tuple[tuple[str, str], ...]:
    """The filter buttons as (slug, label), with ('', 'Tous les domaines') first."""
    return (("", ALL_DOMAINS), *((domain_slug(domain), domain) for domain in DOMAINS))


def find_domain(text: str) -> str:
    """The activity domain of a slug or name; empty when there is none."""
    wanted = domain_slug(text[:_LONGEST_DOMAIN])
    return next((domain for domain in DOMAINS if domain_slug(domain) == wanted), "")


def domain_slug(domain: str) -> str:
    """'batiment-travaux' for 'Bâtiment & Travaux'."""
    return "-".join(re.findall(r"[a-z0-9]+", fold(domain)))


def _first(
    session: Session, columns: Sequence[Any], which: Sequence[Any], _: str, shown: int
) -> tuple[int, Sequence[Row]]:
    """The number of matching members, and the first of them."""
    connection = session.connection()
    count = connection.execute(select(func.count()).select_from(Member).where(*which)).scalar_one()
    query = select(*columns).where(*which).order_by(*_PLACE).limit(shown)
    return count, connection.execute(query).all()


def _found(
    session: Session, columns: Sequence[Any], which: Sequence[Any], wanted: str, shown: int
) -> tuple[int, Sequence[Row]]:
    """The same for a search, best match first."""
    # The overloads of `select` know no list of columns.
    query = select(*columns, *_SEARCHED_COLUMNS).where(*which).order_by(*_PLACE)  # type: ignore[arg-type]
    rows = session.connection().execute(query).all()
    places = find_records([_searched(row) for row in rows], wanted)
    return len(places), [rows[place] for place in places[:shown]]


def _address(path: str, asked: dict[str, Any]) -> str:
    return f"{path}?{urlencode({name: value for name, value in asked.items() if value})}"


def _searched(row: Row) -> tuple[str, ...]:
    """The searched fields, the heaviest first."""
    _, name, role, company_name, *_, expertise, services, description = row
    return name, role, company_name, " ".join(expertise), " ".join(services), description


def _card(row: Row) -> MemberCard:
    member_id, name, role, company_name, domain, image_url, *_ = row
    return MemberCard(
        id=member_id,
        name=name,
        role=role,
        company=company_name,
        domain=domain,
        picture=responsive_images.member_picture(image_url, name),
        initials=image_initials.person_initials(name),
        ground=image_initials.pick_ground(name),
        href=routes.member_profile(member_id),
    )


def _count_label(count: int, chosen: str, wanted: str) -> str:
    label = f"{count} membre" if count < 2 else f"{count} membres"
    if wanted:
        label += f" pour «\u00a0{wanted}\u00a0»"
    if chosen:
        label += f" en {chosen}"
    return label


def _nobody(chosen: str, wanted: str) -> tuple[str, str]:
    """The sentence and the advice for an empty list."""
    if wanted:
        advice = "Essayez un autre mot, ou écrivez au club\u00a0: il connaît peut-être la personne qu’il vous faut."
        return f"Aucun membre ne correspond à «\u00a0{wanted}\u00a0»", advice
    if not chosen:
        return "Le réseau se constitue", "Ses premiers membres seront présentés ici."
    return "Aucun membre dans ce domaine", "La place est peut-être libre\u00a0: parlez-nous de votre métier."


def _team(session: Session, company_id: str) -> tuple[MemberCard, ...]:
    query = select(*_CARD_COLUMNS).where(*_PUBLIC, Member.company_id == company_id)  # type: ignore[arg-type]
    team = [_card(row) for row in session.connection().execute(query)]
    return tuple(sorted(team, key=lambda card: (fold(card.name), card.id)))


def _employees(count: str) -> str:
    """'10-50 employés', '1 employé'; the field is free text."""
    typed = count.strip()
    if not typed:
        return ""
    return f"{typed} {'employé' if typed in ('0', '1') else 'employés'}"


def _place(company: Company) -> str:
    """'14 rue des Tanneurs, 59100 Roubaix', or 'Roubaix' when only the city is known."""
    town = " ".join(filter(None, (company.postal_code.strip(), company.city.strip())))
    return ", ".join(filter(None, (company.address.strip(), town)))


def _filled(texts: list[str]) -> tuple[str, ...]:
    return tuple(text.strip() for text in texts if text.strip())
