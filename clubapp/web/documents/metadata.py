"""The heads of the public documents: title, description, canonical address, picture, JSON-LD."""

from clubapp import routes as paths
from clubapp.services.directory.for_visitors import CompanyPage, DirectoryPage, MemberPage
from clubapp.services.events.next_event import NextEvent
from clubapp.services.privacy.legal_pages import LegalPage
from clubapp.services.public_site import club_presentation, json_ld
from clubapp.settings import settings
from clubapp.web.documents.html_shell import Head

_HOME = ("Accueil", paths.HOME)
_MEMBERS = ("Nos membres", paths.DIRECTORY)


def landing(event: NextEvent) -> Head:
    """The club, and its next event when one is announced."""
    shown = club_presentation.build_presentation()
    nodes = [json_ld.club_node(shown)]
    if event.title:
        nodes.append(json_ld.event_node(event))
    return Head(
        title=page_title(shown.headline),
        description=club_presentation.LEAD,
        path=paths.HOME,
        image=paths.SHARED_CLUB,
        data=json_ld.serialize_nodes(*nodes),
    )


def directory(found: DirectoryPage) -> Head:
    """The members, however they are filtered: one canonical address."""
    return Head(
        title=page_title("Nos membres"),
        description=f"{found.count_label}. Les experts du réseau {club_presentation.build_presentation().name}, leurs "
        "métiers et leurs services.",
        path=paths.DIRECTORY,
        image=paths.SHARED_CLUB,
        data=json_ld.serialize_nodes(json_ld.breadcrumb_node([_HOME, _MEMBERS])),
    )


def profile(found: MemberPage) -> Head:
    """A member."""
    way = [_HOME, _MEMBERS, (found.name, paths.member_profile(found.id))]
    return Head(
        title=page_title(found.name),
        description=excerpt(found.description) or _sentence(found.name, found.role, found.company),
        path=paths.member_profile(found.id),
        image=paths.shared_member(found.id),
        image_label=_sentence(found.name, found.role, found.company),
        kind="profile",
        data=json_ld.serialize_nodes(json_ld.member_node(found), json_ld.breadcrumb_node(way)),
    )


def company(found: CompanyPage) -> Head:
    """A company."""
    way = [_HOME, _MEMBERS, (found.name, paths.company(found.id))]
    return Head(
        title=page_title(found.name),
        description=excerpt(found.description) or _sentence(found.name, found.domain),
        path=paths.company(found.id),
        image=paths.shared_company(found.id),
        image_label=_sentence(found.name, found.domain),
        data=json_ld.serialize_nodes(json_ld.company_node(found), json_ld.breadcrumb_node(way)),
    )


def legal(page: LegalPage, path: str) -> Head:
    """One of the two legal pages."""
    data = json_ld.serialize_nodes(json_ld.breadcrumb_node([_HOME, (page.title, path)]))
    return Head(title=page_title(page.title), description=page.lead, path=path, image=paths.SHARED_CLUB, data=data)


def page_title(text: str) -> str:
    """'Nos membres · Cercle du Beffroi'."""
    return f"{text} · {settings().name}"


def excerpt(text: str, most: int = 155) -> str:
    """The first words of a text, as search engines show them."""
    words = " ".join(text.split())
    return words if len(words) <= most else words[:most].rsplit(" ", 1)[0].rstrip(" ,;:.") + "…"


def _sentence(*parts: str) -> str:
    return ", ".join(part for part in parts if part) + "."
