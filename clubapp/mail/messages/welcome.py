"""The mail to who was entered by somebody else: what the club keeps and shows of them, and how to choose (P5).

It says what the law wants said to a person whose data come from elsewhere (RGPD, article 14).
"""

from sqlmodel import Session

from clubapp import clock, routes, tokens
from clubapp.mail.messages.letter import Letter, Withdrawn
from clubapp.mail.messages.recipients_now import MEMBER_GONE, require_member
from clubapp.models import ChoiceSource, Member, OutboxMail, is_for_members
from clubapp.settings import settings
from clubapp.text import person_names, phone_numbers

KIND, PURPOSE = "welcome", "welcome"
ADDRESS_CHANGED = "L’adresse e-mail du membre a changé."
_ABOUT = (
    ("nom", "name"), ("fonction", "role"), ("entreprise", "company"), ("domaine d’activité", "activity_domain"),
    ("présentation", "description"), ("domaines d’expertise", "expertise"), ("services proposés", "services"),
    ("LinkedIn", "linkedin"), ("site web", "website"),
)  # fmt: skip


def link_identifier(member: Member) -> str:
    """What the token of a member's link is derived from: it ends when their address changes."""
    return f"{member.id} {member.email}"


def choice_link(member: Member) -> str:
    """The member's own link to the page of their choices."""
    token = tokens.derive(PURPOSE, link_identifier(member))
    return f"{settings().public_url}{routes.own_choices(member.id)}?token={token}"


def compose_welcome(session: Session, mail: OutboxMail) -> Letter:
    """To a new member: what the public sees now, where the data come from, their link and their rights."""
    member = require_member(session, mail, opted_out_too=True)
    if member.email != mail.recipient:
        raise Withdrawn(ADDRESS_CHANGED if member.email else MEMBER_GONE)
    contacts = (
        ("Votre e-mail", member.email, "shows_email"),
        ("Votre téléphone", phone_numbers.format_phone(member.phone), "shows_phone"),
        ("Votre photo", "celle de votre fiche" if member.image_url else "", "shows_photo"),
    )
    return Letter(
        KIND,
        {
            "first_name": person_names.first_name(member.name, member.first_name),
            "is_listed": member.is_listed,
            "page": settings().public_url + routes.member_profile(member.id),
            "about": ", ".join(name for name, column in _ABOUT if getattr(member, column)),
            "contacts": [(name, value, _seen_by(member, choice)) for name, value, choice in contacts if value],
            "waits": member.needs_consent and not any(is_for_members(member, choice) for *_, choice in contacts),
            "is_imported": member.entered_via == ChoiceSource.IMPORT,
            "day": clock.plain_day(member.created_at),
            "link": choice_link(member),
            "privacy": settings().public_url + routes.PRIVACY,
            "sign_in": settings().public_url + routes.SIGN_IN,
            "publisher": settings().legal_publisher.rstrip("."),
            "contact_email": settings().contact_email,
        },
        to_name=member.name,
    )


def _seen_by(member: Member, choice: str) -> str:
    """'visible par tous', 'visible des membres connectés' or 'masqué'."""
    if member.is_listed and getattr(member, choice):
        return "visible par tous"
    if is_for_members(member, "is_listed") and is_for_members(member, choice):
        return "visible des membres connectés"
    return "masquée" if choice == "shows_photo" else "masqué"
