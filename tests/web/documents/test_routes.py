"""Documents carry their content and their metadata before any script, and real status codes."""

from pathlib import Path
from typing import Any

import extruct
import pytest
from markupsafe import escape
from sqlalchemy.exc import OperationalError
from starlette.requests import Request
from starlette.testclient import TestClient

from clubapp import clock, routes
from clubapp.database import transaction
from clubapp.services.base.actors import Actor
from clubapp.services.directory import for_visitors
from clubapp.web.documents import commit_stamp, metadata
from clubapp.web.documents import routes as document_routes
from tests.conftest import forget_settings, on_sqlite
from tests.factories import add_company, add_event, add_member

pytestmark = on_sqlite

HOSTILE = """<script>alert("1")</script> & 'co'"""
OURS = "http://localhost:3000"


def machines_read(html: str) -> tuple[list[dict[str, Any]], dict[str, str]]:
    """The JSON-LD nodes and the Open Graph of a page, as a library of others finds them."""
    found = extruct.extract(html, base_url=OURS, syntaxes=["json-ld", "opengraph"])
    nodes = [node for graph in found["json-ld"] for node in graph["@graph"]]
    (graph,) = found["opengraph"]
    return nodes, dict(graph["properties"])


def test_the_landing_page_tells_everything_before_any_script(visit: TestClient) -> None:
    answer = visit.get("/")
    assert answer.status_code == 200
    for text in (
        "Les experts du Nord qui font affaire ensemble",
        "Hélène Caudrelier",
        "30+",
        "12+",
        "Voir les membres",
        "Rejoindre le réseau",
        "30\u00a0entreprises par événement",
        "activité en concurrence directe",
        "subject=Demande%20d%E2%80%99adh%C3%A9sion",
        f"© {clock.to_local(clock.now()).year} Cercle du Beffroi",
    ):
        assert text in answer.text
    for title in ("Réseau B2B premium", "Réussites commerciales", "Innovation et IA", "Entraide"):
        assert title in answer.text


def test_the_directory_lists_the_members_and_says_what_it_is(visit: TestClient) -> None:
    with transaction() as session:
        add_member(session, name="Zoé Lefèbvre", email=None, company="Atelier", activity_domain="Bâtiment & Travaux")
        add_member(session, name="Karim Benali", email=None, company="Nord Logis")
    answer = visit.get("/membres")
    assert answer.text.index("Zoé Lefèbvre") < answer.text.index("Karim Benali")
    assert "2 membres" in answer.text
    assert "<title>Nos membres · Cercle du Beffroi</title>" in answer.text
    assert answer.text.count("<title") == 1
    assert '<link data-of-document rel="canonical" href="http://localhost:3000/membres">' in answer.text
    assert '<meta data-of-document property="og:title" content="Nos membres · Cercle du Beffroi">' in answer.text


def test_the_address_chooses_the_domain(visit: TestClient) -> None:
    with transaction() as session:
        add_member(session, name="Zoé Lefèbvre", email=None, activity_domain="Bâtiment & Travaux")
        add_member(session, name="Karim Benali", email=None, activity_domain="Logistique & Transport")
    answer = visit.get("/membres?domaine=batiment-travaux")
    assert "Zoé Lefèbvre" in answer.text
    assert "Karim Benali" not in answer.text
    assert (
        '<button aria-pressed="true" class="chip" name="domaine" type="submit" value="batiment-travaux"' in answer.text
    )
    empty = visit.get("/membres?domaine=formation-conseil").text
    assert "Aucun membre dans ce domaine" in empty


def test_the_address_carries_a_search(visit: TestClient) -> None:
    with transaction() as session:
        add_member(
            session, name="Zoé Lefèbvre", email=None, services=["Plomberie"], activity_domain="Bâtiment & Travaux"
        )
        add_member(session, name="Karim Benali", email=None, activity_domain="Bâtiment & Travaux")
    answer = visit.get("/membres?q=plombier&domaine=batiment-travaux").text
    assert "Zoé Lefèbvre" in answer
    assert "Karim Benali" not in answer
    assert "1 membre pour «\u00a0plombier\u00a0» en Bâtiment &amp; Travaux" in answer
    assert 'type="search" value="plombier">' in answer
    assert '<input name="domaine" type="hidden" value="batiment-travaux">' in answer
    assert '<input name="q" type="hidden" value="plombier">' in answer
    assert '<link data-of-document rel="canonical" href="http://localhost:3000/membres">' in answer
    nobody = visit.get(f"/membres?q={HOSTILE}").text
    assert "Aucun membre ne correspond à" in nobody
    assert "<script>alert" not in nobody


def test_a_long_list_goes_on_by_a_link(visit: TestClient) -> None:
    with transaction() as session:
        for number in range(130):
            add_member(session, name=f"Membre {number:03}", email=None, activity_domain="Bâtiment & Travaux")
    more = '<a class="button button-secondary" href="{}" rel="next">Afficher plus de membres</a>'
    canonical = '<link data-of-document rel="canonical" href="http://localhost:3000/membres">'
    first, second, last = (visit.get("/membres", params={"page": page} if page else {}).text for page in ("", "2", "3"))
    for html, cards, following in ((first, 60, "/membres?page=2"), (second, 120, "/membres?page=3"), (last, 130, "")):
        assert html.count('class="member-card"') == cards
        assert html.count('rel="next"') == html.count(more.format(following)) == (1 if following else 0)
        assert canonical in html
        assert "130 membres" in html
    narrowed = visit.get("/membres?q=membre&domaine=batiment-travaux&page=2").text
    assert more.format("/membres?domaine=batiment-travaux&amp;q=membre&amp;page=3") in narrowed


def test_the_next_event_is_announced_to_everyone(visit: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "Prochaine rencontre" not in visit.get("/").text
    with transaction() as session:
        add_event(session, title="Vœux <du> beffroi", status="confirmed", location="Arras", address="8 rue Cachée")
    answer = visit.get("/")
    for text in ("Prochaine rencontre", "Vœux &lt;du&gt; beffroi", "Arras"):
        assert text in answer.text
    assert "rue Cachée" not in answer.text
    nodes, _ = machines_read(answer.text)
    assert [node["@type"] for node in nodes] == ["Organization", "Event"]
    assert nodes[1]["name"] == "Vœux <du> beffroi"

    def gone(*given: object) -> None:
        raise OperationalError("select", {}, Exception("gone"))

    monkeypatch.setattr(commit_stamp, "read_stamp", gone)
    without = visit.get("/")
    assert without.status_code == 200
    assert "Voir les membres" in without.text
    assert "Prochaine rencontre" not in without.text


def test_machines_read_who_a_member_is(visit: TestClient) -> None:
    with transaction() as session:
        home = add_company(session).id
        someone = add_member(
            session, name=f"Zoé {HOSTILE}", role="Gérante", company="Atelier", company_id=home, description=HOSTILE
        ).id
    nodes, graph = machines_read(visit.get(routes.member_profile(someone)).text)
    person, trail = nodes
    assert (person["@type"], person["name"], person["jobTitle"]) == ("Person", f"Zoé {HOSTILE}", "Gérante")
    assert person["worksFor"]["url"] == OURS + routes.company(home)
    assert [step["name"] for step in trail["itemListElement"]] == ["Accueil", "Nos membres", f"Zoé {HOSTILE}"]
    assert graph["og:type"] == "profile"
    assert graph["og:title"] == f"Zoé {HOSTILE} · Cercle du Beffroi"
    assert graph["og:image"] == OURS + routes.shared_member(someone)
    assert (graph["og:image:width"], graph["og:image:height"]) == ("1200", "630")
    nodes, graph = machines_read(visit.get(routes.company(home)).text)
    assert [node["@type"] for node in nodes] == ["Organization", "BreadcrumbList"]
    assert graph["og:image"] == OURS + routes.shared_company(home)


@pytest.mark.parametrize("path", ["/", "/membres", "/mentions-legales", "/confidentialite"])
def test_every_public_page_has_a_picture_and_its_data(visit: TestClient, path: str) -> None:
    answer = visit.get(path)
    assert '<meta data-of-document name="twitter:card" content="summary_large_image">' in answer.text
    nodes, graph = machines_read(answer.text)
    assert nodes
    assert graph["og:image"] == f"{OURS}/partage/club.png"
    assert graph["og:url"] == OURS + path
    assert 'href="/mentions-legales"' in answer.text
    assert 'href="/confidentialite"' in answer.text


def test_the_legal_pages_are_there_before_any_script(visit: TestClient) -> None:
    assert "association régie par la loi du 1er juillet 1901" in visit.get("/mentions-legales").text
    privacy = visit.get("/confidentialite").text
    for text in ("Vos droits", "CNIL", "24\u00a0heures", "club-nonce"):
        assert text in privacy


def test_what_people_type_is_shown_as_text(visit: TestClient) -> None:
    with transaction() as session:
        someone = add_member(
            session,
            name=HOSTILE,
            email=None,
            role=HOSTILE,
            company=HOSTILE,
            description=HOSTILE,
            website="javascript:alert(1)",
            expertise=[HOSTILE],
            image_url='/media/"><script>.jpg',
        ).id
        home = add_company(session, name=HOSTILE, description=HOSTILE, website="javascript:alert(1)").id
    for path in ("/membres", routes.member_profile(someone), routes.company(home), f"/membres?domaine={HOSTILE}"):
        answer = visit.get(path)
        assert answer.status_code == 200
        assert "<script>alert" not in answer.text
        assert "javascript:" not in answer.text
        assert '"><script>' not in answer.text
    assert "&lt;script&gt;alert(&#34;1&#34;)&lt;/script&gt; &amp; &#39;co&#39;" in visit.get("/membres").text


@pytest.mark.parametrize(
    "name", ['L\'"Étoile" <b>', "😀 Zoé", "Z" * 200, "مريم العلوي", "\u202eeoZ", "{{ 7*7 }}", "%s &amp; \\"]
)
def test_whatever_a_name_holds_it_is_shown_as_it_is(visit: TestClient, name: str) -> None:
    with transaction() as session:
        someone = add_member(session, name=name, email=None, description=f"</script>{name}").id
        home = add_company(session, name=name).id
    for path, at in ((routes.member_profile(someone), 0), (routes.company(home), 0)):
        html = visit.get(path).text
        nodes, graph = machines_read(html)
        assert nodes[at]["name"] == name
        assert graph["og:title"] == f"{name} · Cercle du Beffroi"
        assert f'<h1 class="page-title">{escape(name)}</h1>' in html
    assert f">{escape(name)}</h2>" in visit.get("/membres").text


def test_a_profile_says_who_it_is_and_announces_its_scripts(visit: TestClient) -> None:
    with transaction() as session:
        someone = add_member(session, description="Je bâtis.\n\nDes  maisons.", phone="0320555501").id
    answer = visit.get(routes.member_profile(someone))
    assert "<title data-first-paint>Marie Durand · Cercle du Beffroi</title>" in answer.text
    assert '<meta data-of-document name="description" content="Je bâtis. Des maisons.">' in answer.text
    assert '<link data-first-paint rel="later" href="/assets/member.js">' in answer.text
    assert 'href="tel:+33320555501"' in answer.text
    assert 'href="mailto:marie@durand.example"' in answer.text


def test_a_company_page_shows_its_team(visit: TestClient) -> None:
    with transaction() as session:
        home = add_company(session).id
        add_member(session, company_id=home)
    answer = visit.get(routes.company(home))
    assert "Notre équipe (1 membre)" in answer.text
    assert "/membres/" in answer.text


@pytest.mark.parametrize("path", ["/membres/nobody", "/entreprises/nothing", "/membres/%00", "/membres/%ED%A0%80"])
def test_an_unknown_person_is_a_404_that_leads_back_silently(visit: TestClient, path: str) -> None:
    answer = visit.get(path)
    assert answer.status_code == 404
    assert '<meta http-equiv="refresh" content="0; url=/membres">' in answer.text
    assert "noindex" in answer.text


def test_someone_who_left_is_not_found(visit: TestClient) -> None:
    with transaction() as session:
        parted = add_member(session, is_active=False).id
    assert visit.get(routes.member_profile(parted)).status_code == 404


@pytest.mark.parametrize("path", ["/admin", "/admin/events", "/member"])
def test_a_private_area_sends_visitors_to_the_door(visit: TestClient, path: str) -> None:
    answer = visit.get(path)
    assert (answer.status_code, answer.headers["location"]) == (303, "/connexion")
    assert answer.headers["cache-control"] == "no-store"
    visit.cookies.set("session", "a-session-that-ended")
    assert visit.get(path).headers["location"] == "/connexion?motif=expiree"


@pytest.mark.parametrize(
    ("who", "path", "status"),
    [
        (Actor(email="a@b.example", is_admin=True, session_id="s"), "/admin/events", 200),
        (Actor(email="a@b.example", member_id="m", session_id="s"), "/admin/events", 303),
        (Actor(email="a@b.example", member_id="m", session_id="s"), "/member", 200),
    ],
)
def test_a_private_area_opens_to_its_own(
    visit: TestClient, monkeypatch: pytest.MonkeyPatch, who: Actor, path: str, status: int
) -> None:
    async def someone(request: Request) -> Actor:
        return who

    monkeypatch.setattr(document_routes, "actor_of", someone)
    answer = visit.get(path)
    assert answer.status_code == status
    assert answer.headers["cache-control"] == "no-store"
    assert "<first-paint" not in answer.text


def test_without_the_database_the_bare_page_is_sent(visit: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    def gone(*given: object) -> None:
        raise OperationalError("select", {}, Exception("gone"))

    monkeypatch.setattr(for_visitors, "search_members", gone)
    answer = visit.get("/membres")
    assert answer.status_code == 503
    assert "<first-paint" not in answer.text
    assert "<div>React</div>" in answer.text


@pytest.mark.parametrize(
    ("text", "shown"), [("court", "court"), ("a\n b", "a b"), ("mot " * 60, ("mot " * 38).strip() + "…"), ("", "")]
)
def test_an_excerpt_ends_with_a_word(text: str, shown: str) -> None:
    assert metadata.excerpt(text) == shown


def test_the_page_of_the_components_is_there_in_a_demonstration_only(
    visit: TestClient, build: Path, environment: pytest.MonkeyPatch
) -> None:
    (build / "kit.html").write_text((build / "index.html").read_text())
    gone = visit.get(routes.KIT)
    assert gone.status_code == 404
    assert "Composants" not in gone.text
    assert routes.KIT not in visit.get(routes.SITEMAP).text
    environment.setenv("CLUB_DEMO", "1")
    forget_settings()
    shown = visit.get(routes.KIT)
    assert shown.status_code == 200
    assert "Composants" in shown.text
    assert "noindex" in shown.text
