"""A company as administrators read it: how to reach it, what the public sees, its people, the meetings it received."""

from dataclasses import dataclass

from sqlmodel import Session, col, select

from clubapp import clock, routes
from clubapp.models import Company, Event, EventStatus, Member
from clubapp.refusals import NotFound
from clubapp.services.base.act_codes import COMPANY
from clubapp.services.base.actors import Actor, require_admin
from clubapp.services.companies.editing import GONE
from clubapp.services.images import initials, responsive_images
from clubapp.services.images.responsive_images import NO_PICTURE, Picture
from clubapp.services.members import last_answer
from clubapp.services.members.last_answer import LastAnswer
from clubapp.services.members.person_history import HistoryLine, describe_change
from clubapp.services.monitoring import acts
from clubapp.text import phone_numbers, web_links
from clubapp.text.collation import fold, sort_by_name
from clubapp.text.email_addresses import split_address

FIRST_LINES, MOST_LINES = 12, 600
MOST_PEOPLE, MOST_HOSTED = 200, 24


@dataclass(frozen=True)
class PublicPart:
    """Whether the public sees something of a company."""

    label: str
    is_visible: bool
    word: str
    chosen: str = ""


@dataclass(frozen=True)
class CompanyPerson:
    """A member of the company."""

    id: str
    name: str
    role: str
    trade: str
    picture: Picture
    is_active: bool
    answer: LastAnswer


@dataclass(frozen=True)
class HostedEvent:
    """A meeting that the company received, or will receive."""

    id: str
    title: str
    day: str


@dataclass(frozen=True)
class CompanyRecord:
    """All of the page; `site` is the address of the website as text."""

    id: str = ""
    name: str = ""
    domain: str = ""
    city: str = ""
    logo: Picture = NO_PICTURE
    phone: str = ""
    phone_href: str = ""
    email: str = ""
    email_parts: tuple[str, ...] = ()
    email_href: str = ""
    site: str = ""
    site_href: str = ""
    address: str = ""
    description: str = ""
    employees: str = ""
    founded: str = ""
    services: tuple[str, ...] = ()
    certifications: tuple[str, ...] = ()
    public_href: str = ""
    visible: tuple[PublicPart, ...] = ()
    people: tuple[CompanyPerson, ...] = ()
    hosted: tuple[HostedEvent, ...] = ()
    history: tuple[HistoryLine, ...] = ()
    has_more: bool = False


def read_company(session: Session, actor: Actor, company_id: str, most: int = FIRST_LINES) -> CompanyRecord:
    """The page of a company, with the latest `most` changes of its record.

    Raises:
        NotFound: when it was deleted.
    """
    require_admin(actor)
    company = session.get(Company, company_id)
    if company is None:
        raise NotFound(GONE)
    most = min(most, MOST_LINES)
    changes = acts.list_changes_of(session, actor, company.id, most + 1, COMPANY)
    site = web_links.web_address(company.website)
    return CompanyRecord(
        id=company.id,
        name=company.name,
        domain=company.activity_domain,
        city=company.city,
        logo=responsive_images.logo_picture(company.logo_url, company.name),
        phone=phone_numbers.format_phone(company.phone),
        phone_href=phone_numbers.tel_link(company.phone),
        email=company.email,
        email_parts=tuple(split_address(company.email)),
        email_href=web_links.mail_to(company.email),
        site=web_links.format_web_address(site),
        site_href=site,
        address=_format_address(company),
        description=company.description.strip(),
        employees=company.employee_count,
        founded=str(company.founded_year or ""),
        services=tuple(company.services),
        certifications=tuple(company.certifications),
        public_href=routes.company(company.id),
        visible=_list_visible(company),
        people=_list_people(session, company),
        hosted=_list_hosted(session, company),
        history=tuple(describe_change(at, act) for at, act in changes[:most]),
        has_more=len(changes) > most,
    )


def _format_address(company: Company) -> str:
    town = " ".join(part for part in (company.postal_code, company.city) if part)
    return ", ".join(part for part in (company.address, town) if part)


def _list_visible(company: Company) -> tuple[PublicPart, ...]:
    parts = (
        ("Sa page", company.id),
        ("Son logo", company.logo_url),
        ("Son e-mail", company.email),
        ("Son téléphone", company.phone),
        ("Son site", company.website),
        ("Ses services", company.services),
    )
    return tuple(PublicPart(label, bool(value), "visible" if value else "à compléter") for label, value in parts)


def _list_people(session: Session, company: Company) -> tuple[CompanyPerson, ...]:
    query = (
        select(Member).where(Member.company_id == company.id).order_by(col(Member.directory_place)).limit(MOST_PEOPLE)
    )
    members = sort_by_name(session.exec(query))
    answers = last_answer.read_last_answers(session, [member.id for member in members])
    return tuple(_person(member, answers.get(member.id, LastAnswer())) for member in members)


def _person(member: Member, answer: LastAnswer) -> CompanyPerson:
    found, side = responsive_images.list_picture(member.image_url), responsive_images.FACE.side
    return CompanyPerson(
        id=member.id,
        name=member.name,
        role=member.role,
        trade=", ".join([*member.expertise, *member.services][:3]),
        picture=found if found.src else Picture(src=initials.person_image_url(member.name), width=side, height=side),
        is_active=member.is_active,
        answer=answer,
    )


def _list_hosted(session: Session, company: Company) -> tuple[HostedEvent, ...]:
    """The events whose host has the name of the company, the latest first."""
    query = select(Event.id, Event.title, Event.date, Event.host).where(
        Event.host != "", Event.status != EventStatus.CANCELLED
    )
    rows = session.exec(query.order_by(col(Event.date).desc())).all()
    hosted = [row for row in rows if fold(row[3]) == fold(company.name)][:MOST_HOSTED]
    return tuple(HostedEvent(event_id, title, clock.plain_day(date)) for event_id, title, date, _ in hosted)
