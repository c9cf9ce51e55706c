"""The vCard of a member, for import into phones and mail programs.

vCard 3.0 (RFC 2426) and not 4.0: iOS, Android and Outlook all read it with its accents, Outlook nothing newer.
A card holds what the member's public page shows, and nothing else.
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from sqlmodel import Session

from clubapp import routes
from clubapp.services.base.search import fold
from clubapp.services.directory import for_visitors
from clubapp.services.directory.for_visitors import MemberPage
from clubapp.settings import settings


@dataclass(frozen=True)
class ContactCard:
    """A vCard and the name of its file, which is plain ASCII."""

    file_name: str
    content: bytes


def build_vcard(session: Session, member_id: str) -> ContactCard:
    """The contact card of an active member.

    Raises:
        NotFound: when there is none.
    """
    from icalendar.parser import Contentline  # imported late: the start of the site does not need it

    shown = for_visitors.read_member_page(session, member_id)
    lines = ("BEGIN:VCARD", "VERSION:3.0", *_lines(shown), "END:VCARD")
    content = b"".join(Contentline(line).to_ical() + b"\r\n" for line in lines)
    return ContactCard(file_name=f"{_plain(shown.name) or 'contact'}.vcf", content=content)


def _lines(shown: MemberPage) -> Iterator[str]:
    given, _, family = shown.name.strip().partition(" ")
    yield _text("PRODID", f"-//{settings().name}//Membres//FR")
    yield _text("UID", f"urn:uuid:{shown.id}")
    yield _text("FN", shown.name)
    # The directory stores one name: its first word is taken as the given name.
    yield _text("N", family, given, "", "", "") if family else _text("N", given, "", "", "", "")
    if shown.company:
        yield _text("ORG", shown.company)
    if shown.role:
        yield _text("TITLE", shown.role)
    yield from _contacts(shown)
    yield "NOTE:" + "\\n".join(_escaped(line) for line in (shown.domain, settings().name, _address(shown)) if line)


def _contacts(shown: MemberPage) -> Iterator[str]:
    ways = {contact.kind: contact for contact in shown.contacts}
    if email := ways.get("email"):
        yield _text("EMAIL;TYPE=INTERNET,WORK", email.detail)
    if phone := ways.get("phone"):
        yield _text("TEL;TYPE=WORK,VOICE", phone.href.removeprefix("tel:"))
    if website := ways.get("website"):
        yield f"URL:{_separable(website.href)}"
    if network := ways.get("linkedin"):
        yield f"item1.URL:{_separable(network.href)}"
        yield "item1.X-ABLABEL:LinkedIn"


def _separable(address: str) -> str:
    """A URL is not escaped (RFC 2426, section 3.6.8), but some readers split it at these two characters."""
    return address.replace(",", "%2C").replace(";", "%3B")


def _address(shown: MemberPage) -> str:
    return settings().public_url + routes.member_profile(shown.id)


def _text(name: str, *parts: str) -> str:
    """Add a line of one value or of several parts."""
    return f"{name}:" + ";".join(map(_escaped, parts))


def _escaped(text: str) -> str:
    """Escape a value (RFC 2426, section 4) and remove control characters."""
    from icalendar import vText

    kept = "".join(character for character in " ".join(text.split()) if unicodedata.category(character) != "Cc")
    return vText(kept).to_ical().decode()


def _plain(name: str) -> str:
    return "-".join(re.findall(r"[a-z0-9]+", fold(name)))[:60].strip("-")
