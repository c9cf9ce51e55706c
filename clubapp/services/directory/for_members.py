"""The directory of members: what is public, and what each shows to members who are signed in (P1)."""

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Row, case
from sqlmodel import Session, col

from clubapp import routes
from clubapp.models import Member, for_members
from clubapp.services.base.actors import Actor, require_member
from clubapp.services.directory.for_visitors import Directory, FoundMembers, find_members
from clubapp.services.images.responsive_images import Picture, face_picture
from clubapp.services.members.listing import main_trade
from clubapp.text import phone_numbers, web_links


@dataclass(frozen=True)
class Colleague:
    """A member as the others see them; what they do not show is empty. `href` is their public page."""

    id: str
    name: str
    trade: str
    company: str
    domain: str
    picture: Picture
    phone: str
    phone_href: str
    email: str
    email_href: str
    href: str


@dataclass(frozen=True)
class MemberDirectory(FoundMembers):
    """The directory of members, as one of them sees it."""

    members: tuple[Colleague, ...] = ()


def _shown(choice: str, column: Any) -> Any:
    return case((for_members(choice), column), else_="")


# What is hidden does not leave the database.
_COLUMNS = (
    Member.id,
    Member.name,
    Member.role,
    Member.company,
    Member.activity_domain,
    _shown("shows_email", col(Member.email)),
    _shown("shows_phone", col(Member.phone)),
    _shown("shows_photo", col(Member.image_url)),
    Member.is_listed,
    Member.expertise,
    Member.services,
)
_DIRECTORY = Directory(routes.MEMBER_DIRECTORY, (col(Member.is_active), for_members("is_listed")), _COLUMNS)


def search_members(session: Session, actor: Actor, domain: str = "", text: str = "", page: str = "") -> MemberDirectory:
    """The first members by company, then name; domain, text and page are as in the public directory.

    Raises:
        Forbidden: for anyone but a member.
    """
    require_member(actor)
    rows, told = find_members(session, _DIRECTORY, domain, text, page)
    nobody, advice = _nobody(told["wanted"], told["chosen"])
    return MemberDirectory(**told, members=tuple(map(_colleague, rows)), nobody=nobody, advice=advice)


def _colleague(row: Row) -> Colleague:
    member_id, name, role, company, domain, email, phone, image_url, is_listed, expertise, services, *_ = row
    return Colleague(
        id=member_id,
        name=name,
        trade=main_trade(expertise, services) or role,
        company=company,
        domain=domain,
        picture=face_picture(image_url, name),
        phone=phone_numbers.format_phone(phone),
        phone_href=phone_numbers.tel_link(phone),
        email=email or "",
        email_href=web_links.mail_to(email or ""),
        href=routes.member_profile(member_id) if is_listed else "",
    )


def _nobody(wanted: str, chosen: str) -> tuple[str, str]:
    """The sentence and the advice for an empty list."""
    if wanted:
        return f"Aucun membre ne correspond à «\u00a0{wanted}\u00a0»", "Essayez un nom, un métier ou une entreprise."
    if chosen:
        return "Aucun membre dans ce domaine", "Cherchez dans tous les domaines."
    return "Personne n’apparaît encore ici", "Les membres qui figurent dans l’annuaire se trouveront ici."
