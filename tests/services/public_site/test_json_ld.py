"""What machines read is true, complete, accepted by a reader of others, and never ends its element."""

import json
from typing import Any

import extruct
import pytest

from clubapp.services.directory.for_visitors import CompanyPage, ContactLink, MemberCard, MemberPage
from clubapp.services.events.next_event import NextEvent
from clubapp.services.images.responsive_images import Picture
from clubapp.services.public_site import club_presentation, json_ld

OURS = "http://localhost:3000"
HOSTILE = '</script><script>alert("1")</script><!-- & \u2028\u2029 \\ \x00 😀 مريم'
SITE = ContactLink("website", "Site web", "https://durand.example", "durand.example", opens_site=True)
MAIL = ContactLink("email", "Email", "mailto:marie@durand.example", "marie@durand.example")


def read_back(*nodes: json_ld.Node) -> list[dict[str, Any]]:
    """The nodes as another library finds them in a page."""
    page = f'<html><body><script type="application/ld+json">{json_ld.serialize_nodes(*nodes)}</script></body></html>'
    (found,) = extruct.extract(page, base_url=OURS, syntaxes=["json-ld"])["json-ld"]
    assert found["@context"] == "https://schema.org"
    return found["@graph"]


def test_the_club_is_an_organization(environment: pytest.MonkeyPatch) -> None:
    (read,) = read_back(json_ld.club_node(club_presentation.build_presentation()))
    assert read["@type"] == "Organization"
    assert (read["name"], read["url"]) == ("Cercle du Beffroi", f"{OURS}/")
    assert read["telephone"] == "+33353015501"
    assert read["sameAs"] == ["https://www.linkedin.com/company/cercle-du-beffroi"]


def test_a_member_is_a_person_who_works_for_a_company(environment: pytest.MonkeyPatch) -> None:
    shown = MemberPage(
        id="m1",
        name="Marie Durand",
        role="Gérante",
        company="Durand",
        company_href="/entreprises/c1",
        picture=Picture(src="/media/marie.jpg?w=384"),
        contacts=(MAIL, SITE),
        expertise=("Bois",),
    )
    (read,) = read_back(json_ld.member_node(shown))
    assert (read["@type"], read["name"], read["jobTitle"]) == ("Person", "Marie Durand", "Gérante")
    assert read["worksFor"]["url"] == f"{OURS}/entreprises/c1"
    assert read["image"] == f"{OURS}/media/marie.jpg"
    assert read["sameAs"] == ["https://durand.example"]
    assert "description" not in read
    assert "marie@durand.example" not in json.dumps(read)


def test_a_member_without_a_company_works_for_nobody(environment: pytest.MonkeyPatch) -> None:
    (read,) = read_back(json_ld.member_node(MemberPage(id="m1", name="Marie Durand")))
    assert "worksFor" not in read


def test_a_company_names_its_team(environment: pytest.MonkeyPatch) -> None:
    shown = CompanyPage(id="c1", name="Durand", team=(MemberCard(id="m1", name="Marie", href="/membres/m1"),))
    (read,) = read_back(json_ld.company_node(shown))
    assert read["@id"] == f"{OURS}/entreprises/c1"
    assert [one["name"] for one in read["employee"]] == ["Marie"]


def test_the_next_event_has_its_instants_and_its_town(environment: pytest.MonkeyPatch) -> None:
    shown = NextEvent("Vœux", "…", "Arras", "2026-12-01T09:00:00+01:00", "2026-12-01T12:00:00+01:00")
    (read,) = read_back(json_ld.event_node(shown))
    assert (read["@type"], read["startDate"], read["endDate"]) == ("Event", shown.starts_at, shown.ends_at)
    assert read["location"]["name"] == "Arras"
    assert read["organizer"]["name"] == "Cercle du Beffroi"


def test_breadcrumbs_count_from_one(environment: pytest.MonkeyPatch) -> None:
    (read,) = read_back(json_ld.breadcrumb_node([("Accueil", "/"), ("Nos membres", "/membres")]))
    assert [(one["position"], one["item"]) for one in read["itemListElement"]] == [
        (1, f"{OURS}/"),
        (2, f"{OURS}/membres"),
    ]


def test_nothing_people_type_ends_the_element(environment: pytest.MonkeyPatch) -> None:
    shown = MemberPage(id="m1", name=HOSTILE, role=HOSTILE, description=HOSTILE, expertise=(HOSTILE,))
    written = json_ld.serialize_nodes(json_ld.member_node(shown))
    assert not set("<>&\u2028\u2029") & set(written)
    (read,) = read_back(json_ld.member_node(shown))
    assert (read["name"], read["description"], read["knowsAbout"]) == (HOSTILE, HOSTILE, [HOSTILE])
