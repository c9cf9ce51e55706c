"""What surrounds the content of a document: the built page, its styles and scripts, and the addresses without one."""

import gzip
from collections.abc import Callable
from pathlib import Path

import brotli
import pytest
from starlette.testclient import TestClient

from clubapp.web.documents import html_shell

PAGE = {"accept": "text/html"}


def test_a_page_is_painted_from_its_document_alone(visit: TestClient) -> None:
    html = visit.get("/membres").text
    assert '<style>h1{color:red}i{content:"<\\/style>"}</style>' in html
    # React looks for the links that the build made; neither fetches anything.
    assert '<link disabled media="not all" href="/assets/looks.css" rel="stylesheet"' in html
    assert '<link media="not all" as="style" href="/assets/looks.css" rel="preload"/>' in html
    assert 'as="image"' not in html
    assert 'content="" property="og:image"' not in html
    assert '<link rel="later" href="/assets/root.js"/>' in html
    assert '<first-paint id="first-paint">' in html
    assert "<div>React</div><script" in html


def test_the_first_paint_and_the_page_beside_it_share_no_main_part(visit: TestClient) -> None:
    html = visit.get("/membres").text
    painted = html.partition("</first-paint>")[0]
    assert '<div role="main" ' in painted
    assert 'href="#contenu-peint"' in painted
    assert "<main" not in painted
    assert 'id="contenu"' not in painted


def test_a_first_visit_does_not_wait_for_the_typefaces(visit: TestClient) -> None:
    public, plain = visit.get("/membres").text, visit.get("/auth/callback").text
    assert public.index('classList.add("plain")') < public.index("<first-paint")
    assert 'classList.add("plain")' not in plain
    assert 'rel="preload" as="font"' not in public


def test_the_scripts_of_an_area_are_fetched_once_its_sheet_has_come(visit: TestClient, build: Path) -> None:
    asks = 'link.rel = "modulepreload"'
    public = visit.get("/membres").text
    assert public.index("<div>React") < public.index(asks)
    (build / "assets" / "area-auth-1.css").write_text("")
    area = visit.get("/auth/callback").text
    assert area.index("/assets/area-auth-1.css") < area.index("<body>") < area.index(asks) < area.index("<div>React")


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
    plain = visit.get("/", headers={"accept-encoding": "identity"})
    assert "content-encoding" not in plain.headers
    assert plain.text == first.text


@pytest.mark.parametrize(
    ("accepted", "encoding", "unpack"),
    [("gzip, deflate, br, zstd", "br", brotli.decompress), ("gzip, deflate", "gzip", gzip.decompress)],
)
def test_a_document_is_packed_as_the_browser_likes_it(
    visit: TestClient, accepted: str, encoding: str, unpack: Callable[[bytes], bytes]
) -> None:
    plain = visit.get("/", headers={"accept-encoding": "identity"}).content
    with visit.stream("GET", "/", headers={"accept-encoding": accepted}) as answer:
        packed = b"".join(answer.iter_raw())
    assert answer.headers["content-encoding"] == encoding
    assert unpack(packed) == plain
    assert len(packed) < len(plain) / 2


def test_only_the_scripts_of_the_build_may_run(visit: TestClient) -> None:
    policy = visit.get("/").headers["content-security-policy"]
    assert (
        policy.count("'sha256-") == 4
    )  # the page's own, the first, the one that starts the interface, the one it starts
    assert "unsafe-eval" not in policy


def test_the_interface_starts_after_the_first_paint_and_not_before(visit: TestClient) -> None:
    html = visit.get("/membres").text
    assert 'type="module"' not in html
    assert 'rel="modulepreload"' not in html
    assert '<script type="text/plain" id="boot">import "/assets/manifest-1.js";</script>' in html
    assert html.index('id="boot"') < html.index("requestAnimationFrame")


def test_without_a_build_the_answer_says_what_to_do(visit: TestClient, build: Path) -> None:
    (build / "index.html").unlink()
    answer = visit.get("/")
    assert (answer.status_code, answer.text) == (503, html_shell.NOT_BUILT)


@pytest.mark.parametrize(
    "path", ["/index.html", "/404.html", "/__spa-fallback.html", "/admin.html", "/INDEX.HTML", "/index.html.br"]
)
@pytest.mark.parametrize("accept", ["text/html", "*/*"])
def test_a_file_of_the_build_is_no_page(visit: TestClient, path: str, accept: str) -> None:
    answer = visit.get(path, headers={"accept": accept})
    assert answer.status_code == 404
    assert answer.text != "reflex"


@pytest.mark.parametrize("path", ["/folder", "///folder/%2f..", "/folder/%5C.."])
@pytest.mark.parametrize("accept", ["text/html", "*/*"])
def test_no_answer_leads_to_a_name_that_the_visitor_made_up(visit: TestClient, path: str, accept: str) -> None:
    headers = {"accept": accept, "host": "evil.example"}
    answer = visit.get(f"http://testserver{path}", headers=headers)
    assert "evil.example/" not in answer.headers.get("location", "")
    assert answer.status_code == 404 or answer.headers["location"].startswith("/folder")
