"""The contact links of a member or a company, shown as buttons."""

from dataclasses import dataclass

from clubapp.settings import settings
from clubapp.text import phone_numbers, web_links


@dataclass(frozen=True)
class ContactLink:
    """One contact link; `detail` is the number, address or site as text."""

    kind: str
    label: str
    href: str
    detail: str
    opens_site: bool = False


def list_contact_links(email: str, phone: str, website: str, linkedin: str = "") -> tuple[ContactLink, ...]:
    """List the contact links that exist, in their order."""
    site, network = web_links.web_address(website), web_links.web_address(linkedin)
    offered = (
        ContactLink("email", "Email", web_links.mail_to(email), email),
        ContactLink("phone", "Téléphone", phone_numbers.tel_link(phone), phone_numbers.format_phone(phone)),
        ContactLink("linkedin", "LinkedIn", network, web_links.format_web_address(network), opens_site=True),
        ContactLink("website", "Site web", site, web_links.format_web_address(site), opens_site=True),
    )
    return tuple(contact for contact in offered if contact.href)


def mail_href(email: str) -> str:
    """The mailto link for writing to someone: to the club when they have no address."""
    return web_links.mail_to(email or settings().contact_email)


def ask_club_href(wanted: str) -> str:
    """The mailto link for asking the club about what a search did not find."""
    return web_links.mail_to(settings().contact_email, f"Je cherche\u00a0: {wanted}")


def mail_hint(name: str, email: str) -> str:
    """The French hint that says who gets the message: the club passes it on when they have no address."""
    return f"Écrivez directement à {name}." if email else f"Écrivez au club, qui transmettra à {name}."
