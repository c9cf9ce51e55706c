"""Structured data of the public pages: schema.org nodes as dictionaries, serialised as JSON-LD."""

import json
from collections.abc import Sequence
from typing import Any

from clubapp import routes
from clubapp.services.directory.for_visitors import CompanyPage, ContactLink, MemberCard, MemberPage
from clubapp.services.events.next_event import NextEvent
from clubapp.services.public_site.club_presentation import Presentation
from clubapp.settings import settings

Node = dict[str, Any]
CLUB = "#club"
_LOGO = "/icon-512.png"
# Characters that could end a script element or a line of JavaScript.
_ESCAPED = str.maketrans({character: f"\\u{ord(character):04x}" for character in "<>&\u2028\u2029"})


def club_node(shown: Presentation) -> Node:
    """The node of the club."""
    return _filled(
        {
            "@type": "Organization",
            "@id": _absolute(f"{routes.HOME}{CLUB}"),
            "name": shown.name,
            "url": _absolute(routes.HOME),
            "logo": _absolute(_LOGO),
            "description": shown.headline,
            "email": shown.email,
            "telephone": shown.phone_href.removeprefix("tel:"),
            "sameAs": [shown.linkedin_url] if shown.linkedin_url else [],
        }
    )


def member_node(shown: MemberPage) -> Node:
    """The node of a member."""
    return _filled(
        {
            "@type": "Person",
            "@id": _absolute(routes.member_profile(shown.id)),
            "url": _absolute(routes.member_profile(shown.id)),
            "name": shown.name,
            "jobTitle": shown.role,
            "description": shown.description,
            "image": _absolute(shown.picture.address),
            "worksFor": _employer(shown),
            "knowsAbout": list(shown.expertise),
            "sameAs": _sites(shown.contacts),
            "memberOf": _the_club(),
        }
    )


def company_node(shown: CompanyPage) -> Node:
    """The node of a company and its members."""
    return _filled(
        {
            "@type": "Organization",
            "@id": _absolute(routes.company(shown.id)),
            "url": _absolute(routes.company(shown.id)),
            "name": shown.name,
            "description": shown.description,
            "logo": _absolute(shown.logo.address),
            "sameAs": _sites(shown.contacts),
            "employee": [_colleague(card) for card in shown.team],
            "memberOf": _the_club(),
        }
    )


def event_node(shown: NextEvent) -> Node:
    """The node of the next event."""
    return _filled(
        {
            "@type": "Event",
            "name": shown.title,
            "startDate": shown.starts_at,
            "endDate": shown.ends_at,
            "eventStatus": "https://schema.org/EventScheduled",
            "eventAttendanceMode": "https://schema.org/OfflineEventAttendanceMode",
            "location": {"@type": "Place", "name": shown.location, "address": shown.location},
            "organizer": _the_club(),
        }
    )


def breadcrumb_node(steps: Sequence[tuple[str, str]]) -> Node:
    """The breadcrumbs of a page: `steps` are (name, path) from the home page on."""
    return {
        "@type": "BreadcrumbList",
        "itemListElement": [
            {"@type": "ListItem", "position": place, "name": name, "item": _absolute(path)}
            for place, (name, path) in enumerate(steps, 1)
        ],
    }


def serialize_nodes(*nodes: Node) -> str:
    """Serialise nodes as JSON-LD that is safe inside a script element."""
    graph = {"@context": "https://schema.org", "@graph": list(nodes)}
    return json.dumps(graph, ensure_ascii=False, separators=(",", ":")).translate(_ESCAPED)


def _employer(shown: MemberPage) -> Node:
    if not shown.company:
        return {}
    url = _absolute(shown.company_href)
    return _filled({"@type": "Organization", "@id": url, "name": shown.company, "url": url})


def _colleague(card: MemberCard) -> Node:
    return {"@type": "Person", "@id": _absolute(card.href), "name": card.name, "url": _absolute(card.href)}


def _the_club() -> Node:
    """A reference to the club, with its name and address."""
    return {"@type": "Organization", "@id": _absolute(f"{routes.HOME}{CLUB}"), "name": settings().name}


def _sites(contacts: Sequence[ContactLink]) -> list[str]:
    return [contact.href for contact in contacts if contact.opens_site]


def _absolute(path: str) -> str:
    return settings().public_url + path if path else ""


def _filled(node: Node) -> Node:
    """A node without its empty values."""
    return {name: value for name, value in node.items() if value}
