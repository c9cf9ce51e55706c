"""A member's own profile and company, as they see them in the member area (specification, section 2)."""

from dataclasses import dataclass

from sqlmodel import Session

from clubapp.models import Company, Member
from clubapp.refusals import NotFound
from clubapp.services.actors import Actor, require_member


@dataclass(frozen=True)
class OwnProfile:
    """What a member reads of themselves."""

    name: str = ""
    role: str = ""
    company: str = ""
    email: str = ""
    phone: str = ""
    linkedin: str = ""
    website: str = ""
    description: str = ""
    expertise: str = ""
    services: str = ""


@dataclass(frozen=True)
class OwnCompany:
    """What a member reads of their company."""

    name: str = ""
    activity_domain: str = ""
    email: str = ""
    phone: str = ""
    website: str = ""
    city: str = ""
    address: str = ""
    description: str = ""
    services: str = ""
    certifications: str = ""


def profile(session: Session, actor: Actor) -> OwnProfile:
    """The actor's own profile.

    Raises:
        Forbidden: for anyone but a member.
    """
    member = _member(session, actor)
    return OwnProfile(
        name=member.name,
        role=member.role,
        company=member.company,
        email=member.email or "",
        phone=member.phone,
        linkedin=member.linkedin,
        website=member.website,
        description=member.description,
        expertise=", ".join(member.expertise),
        services=", ".join(member.services),
    )


def company(session: Session, actor: Actor) -> OwnCompany | None:
    """The actor's own company; None when they have none.

    Raises:
        Forbidden: for anyone but a member.
    """
    company_id = _member(session, actor).company_id
    found = session.get(Company, company_id) if company_id else None
    if found is None:
        return None
    return OwnCompany(
        name=found.name,
        activity_domain=found.activity_domain,
        email=found.email,
        phone=found.phone,
        website=found.website,
        city=found.city,
        address=found.address,
        description=found.description,
        services=", ".join(found.services),
        certifications=", ".join(found.certifications),
    )


def _member(session: Session, actor: Actor) -> Member:
    found = session.get(Member, require_member(actor))
    if found is None:
        raise NotFound
    return found
