"""The ways to reach a member or a company, as buttons."""

from dataclasses import dataclass

from clubapp.settings import settings
from clubapp.text import phone_numbers, web_links


@dataclass(frozen=True)
class ContactLink:
    """One way to reach someone: what the button says, where it leads, what a reader of the page learns from it."""

    kind: str
    label: str
    href: str
    detail: str
    opens_site: bool = False


def ways(email: str, phone: str, website: str, linkedin: str = "") -> tuple[ContactLink, ...]:
    """Those that exist, in their order."""
    site, network = web_links.web_address(website), web_links.web_address(linkedin)
    offered = (
        ContactLink("email", "Email", web_links.mail_to(email), email),
        ContactLink("phone", "Téléphone", phone_numbers.dialled(phone), phone_numbers.written(phone)),
        ContactLink("linkedin", "LinkedIn", network, web_links.written(network), opens_site=True),
        ContactLink("website", "Site web", site, web_links.written(site), opens_site=True),
    )
    return tuple(contact for contact in offered if contact.href)


def mail_href(email: str) -> str:
    """Where a message to someone goes: without an address of their own, to the club."""
    return web_links.mail_to(email or settings().contact_email)


def mail_hint(name: str, email: str) -> str:
    """Whom the message reaches: without an address of their own, the club passes it on."""
    return f"Écrivez directement à {name}." if email else f"Écrivez au club, qui transmettra à {name}."
