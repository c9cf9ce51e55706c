"""Documents carry their content and their metadata before any script, and real status codes."""

import gzip
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import extruct
import pytest
from sqlalchemy.exc import OperationalError
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Router
from starlette.testclient import TestClient
from starlette.types import Receive, Scope, Send

from clubapp import frontend, routes
from clubapp.database import transaction
from clubapp.services import directory, next_event
from clubapp.services.actors import Actor
from clubapp.web import documents, heads, shell
from tests.factories import add_company, add_event, add_member

BUILT = (
    '<!DOCTYPE html><html lang="fr"><head><meta charSet="utf-8"/><title>Construit</title>'
    '<meta content="" property="og:image"/><link rel="modulepreload" href="/assets/root.js"/>'
    '<link as="style" href="/assets/looks.css" rel="preload"/>'
    "<script>let here = 1;</script></head><body><div>React</div>"
    '<script type="module" async="">import "/assets/manifest-1.js";</script></body></html>'
)
FALLBACK = BUILT.replace("<title>Construit</title>", "")
MANIFEST = (
    'window.__reactRouterManifest={"routes":{"a":{"path":"membres/:member_id",'
    '"module":"/assets/member.js","imports":["/assets/shared.js"]}}};'
)
HOSTILE = """<script>alert("1")</script> & 'co'"""
PAGE = {"accept": "text/html"}
OURS = "http://localhost:3000"


def machines_read(html: str) -> tuple[list[dict[str, Any]], dict[str, str]]:
    """The JSON-LD nodes and the Open Graph of a page, as a library of others finds them."""
    found = extruct.extract(html, base_url=OURS, syntaxes=["json-ld", "opengraph"])
    nodes = [node for graph in found["json-ld"] for node in graph["@graph"]]
    (graph,) = found["opengraph"]
    return nodes, dict(graph["properties"])


@pytest.fixture
def build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A front end as the build leaves it."""
    client = tmp_path / "client"
    public = ("index", "membres", "connexion", "mentions-legales", "confidentialite")
    for name in (*public, "admin", "admin/events", "member"):
        path = client / f"{name}.html"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(BUILT)
    (client / "__spa-fallback.html").write_text(FALLBACK)
    (client / "assets").mkdir()
    (client / "assets" / "manifest-1.js").write_text(MANIFEST)
    monkeypatch.setattr(frontend, "CLIENT", client)
    return client


async def _reflex(scope: Scope, receive: Receive, send: Send) -> None:
    status = 200 if scope["path"] == "/assets/root.js" else 404
    await PlainTextResponse("reflex", status)(scope, receive, send)


@pytest.fixture
def visit(club: str, build: Path) -> Iterator[TestClient]:
    """A visitor of the site, who does not follow redirects."""
    site = Router(documents.routes(), default=documents.or_not_found(_reflex), redirect_slashes=False)
    with TestClient(site, follow_redirects=False, headers={"accept-encoding": "identity"}) as client:
        yield client


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
        "subject=Demande%20d%27adh%C3%A9sion",
        "© 2025 Cercle du Beffroi",
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
    assert 'content="" property="og:image"' not in answer.text
    assert '<link rel="later" href="/assets/root.js"/>' in answer.text
    assert answer.text.index('as="style"') < answer.text.index('rel="later"')
    assert '<body><first-paint id="first-paint">' in answer.text
    assert "<div>React</div><script" in answer.text


def test_the_address_chooses_the_domain(visit: TestClient) -> None:
    with transaction() as session:
        add_member(session, name="Zoé Lefèbvre", email=None, activity_domain="Bâtiment & Travaux")
        add_member(session, name="Karim Benali", email=None, activity_domain="Logistique & Transport")
    answer = visit.get("/membres?domaine=batiment-travaux")
    assert "Zoé Lefèbvre" in answer.text
    assert "Karim Benali" not in answer.text
    assert '<button aria-pressed="true" class="chip" type="submit" value="batiment-travaux"' in answer.text
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
    assert 'type="search" value="plombier"' in answer
    assert '<input name="domaine" type="hidden" value="batiment-travaux">' in answer
    assert '<input name="q" type="hidden" value="plombier">' in answer
    assert '<link data-of-document rel="canonical" href="http://localhost:3000/membres">' in answer
    nobody = visit.get(f"/membres?q={HOSTILE}").text
    assert "Personne ne répond à" in nobody
    assert "<script>alert" not in nobody


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

    monkeypatch.setattr(next_event, "announced", gone)
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


def test_an_unknown_address_is_the_404_page_for_people_only(visit: TestClient) -> None:
    answer = visit.get("/nulle/part", headers=PAGE)
    assert answer.status_code == 404
    assert "Oops! Page not found" in answer.text
    assert 'href="/"' in answer.text
    assert visit.get("/nulle/part.png", headers={"accept": "image/*"}).text == "reflex"
    assert visit.get("/assets/root.js", headers=PAGE).text == "reflex"


@pytest.mark.parametrize(
    ("path", "leads_to"),
    [
        ("/membres/", "/membres"),
        ("/membres/?domaine=x", "/membres?domaine=x"),
        ("//evil.example/", "/evil.example"),
        ("/%5Cevil.example/", "/%5Cevil.example"),
    ],
)
def test_a_trailing_slash_is_taken_off_without_leaving_the_site(visit: TestClient, path: str, leads_to: str) -> None:
    answer = visit.get(f"http://testserver{path}", headers=PAGE)
    assert (answer.status_code, answer.headers["location"]) == (308, leads_to)


def test_a_document_is_asked_for_again_but_sent_once(visit: TestClient) -> None:
    first = visit.get("/")
    assert first.headers["cache-control"] == "no-cache"
    again = visit.get("/", headers={"if-none-match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    packed = visit.get("/", headers={"accept-encoding": "gzip"})
    assert packed.headers["content-encoding"] == "gzip"
    assert packed.text == first.text
    assert len(gzip.compress(first.content)) < len(first.content) / 2


def test_only_the_scripts_of_the_build_may_run(visit: TestClient) -> None:
    policy = visit.get("/").headers["content-security-policy"]
    assert policy.count("'sha256-") == 3  # the page's own, the one that starts the interface, and the one it starts
    assert "unsafe-eval" not in policy


def test_the_interface_starts_after_the_first_paint_and_not_before(visit: TestClient) -> None:
    html = visit.get("/membres").text
    assert 'type="module"' not in html
    assert 'rel="modulepreload"' not in html
    assert '<script type="text/plain" id="boot">import "/assets/manifest-1.js";</script>' in html
    assert html.index('id="boot"') < html.index("requestAnimationFrame")


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

    monkeypatch.setattr(documents, "actor_of", someone)
    answer = visit.get(path)
    assert answer.status_code == status
    assert answer.headers["cache-control"] == "no-store"
    assert "<first-paint" not in answer.text


def test_without_the_database_the_bare_page_is_sent(visit: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    def gone(*given: object) -> None:
        raise OperationalError("select", {}, Exception("gone"))

    monkeypatch.setattr(directory, "search", gone)
    answer = visit.get("/membres")
    assert answer.status_code == 503
    assert "<first-paint" not in answer.text
    assert "<div>React</div>" in answer.text


def test_without_a_build_the_answer_says_what_to_do(visit: TestClient, build: Path) -> None:
    (build / "index.html").unlink()
    answer = visit.get("/")
    assert (answer.status_code, answer.text) == (503, shell.NOT_BUILT)


@pytest.mark.parametrize(
    ("text", "shown"), [("court", "court"), ("a\n b", "a b"), ("mot " * 60, ("mot " * 38).strip() + "…"), ("", "")]
)
def test_an_excerpt_ends_with_a_word(text: str, shown: str) -> None:
    assert heads.excerpt(text) == shown
