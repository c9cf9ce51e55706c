"""Signing in by plain forms: what a browser without scripts posts, and what nobody else can post for it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Protocol

import pytest
from httpx import Response
from sqlmodel import select
from starlette.applications import Starlette
from starlette.testclient import TestClient

from clubapp.clubapp import SCREENS  # noqa: F401 - they say what the documents hold
from clubapp.database import reading, transaction
from clubapp.models import SignInLink
from clubapp.services.access import sessions
from clubapp.web.documents import routes as documents
from clubapp.web.documents import sign_in_page
from clubapp.web.endpoints import auth
from tests.conftest import on_sqlite
from tests.factories import add_admin, add_member
from tests.services.access.sign_ins import code_of, newest, secrets_of, wrong_code_of

pytestmark = on_sqlite

ORIGIN = "http://localhost:3000"
HELENE = "helene@beffroi.example"
MARIE = "marie@durand.example"


class At(Protocol):
    def __call__(self, moment: str) -> datetime: ...


@dataclass
class Browser:
    """A browser that runs no script, on our pages."""

    client: TestClient

    def ask(self, email: str, **headers: str) -> Response:
        return self.post({"email": email}, **headers)

    def type_code(self, code: str, **headers: str) -> Response:
        return self.post({"code": code}, **headers)

    def post(self, fields: dict[str, str], **headers: str) -> Response:
        return self.client.post("/connexion", data=fields, headers={"Origin": ORIGIN} | headers)

    def follow(self, answer: Response) -> str:
        assert answer.status_code == 303, answer.text
        return self.client.get(answer.headers["location"]).text

    @property
    def is_signed_in(self) -> bool:
        with transaction() as session:
            return sessions.resolve_cookie(session, self.client.cookies.get("session") or "") is not None


@pytest.fixture
def browser(club: str, build: Path) -> Iterator[Browser]:
    with transaction() as session:
        add_admin(session, HELENE)
        add_member(session, email=MARIE)
    served = Starlette(routes=[*sign_in_page.routes(), *documents.routes(), *auth.routes()])
    with TestClient(served, base_url=ORIGIN, follow_redirects=False) as client:
        yield Browser(client)


def forms_in(html: str) -> list[str]:
    return re.findall(r"<form.*?</form>", html, re.DOTALL)


def test_a_session_that_waits_for_a_second_factor_is_not_called_open(browser: Browser) -> None:
    browser.ask(HELENE)
    for is_half_open in (True, False):
        with transaction() as session:
            cookie, _ = sessions.open_session(session, HELENE, is_half_open=is_half_open)
        browser.client.cookies.set("session", cookie, domain="localhost.local")
        shown = browser.client.get("/connexion").text
        assert ("Votre session est déjà ouverte" in shown) is not is_half_open


@pytest.mark.parametrize(("email", "home"), [(HELENE, "/admin"), (MARIE, "/member")])
def test_the_address_then_the_code_open_the_right_area(browser: Browser, email: str, home: str) -> None:
    (form,) = forms_in(browser.client.get("/connexion").text)
    assert 'action="/connexion"' in form
    assert 'method="post"' in form
    assert 'name="email"' in form
    page = browser.follow(browser.ask(f" {email} "))
    assert "Email envoyé !" in page
    assert "Vérifiez votre boîte mail et cliquez sur le lien de connexion." in page
    assert email in page
    assert 'name="code"' in forms_in(page)[0]
    done = browser.type_code(code_of(newest(email)))
    assert (done.status_code, done.headers["location"]) == (303, home)
    assert browser.is_signed_in
    assert "HttpOnly" in done.headers["set-cookie"]
    assert "SameSite=lax" in done.headers["set-cookie"]
    assert browser.client.cookies.get("sign-in") is None


def test_a_stranger_is_told_the_same(browser: Browser) -> None:
    known, unknown = browser.follow(browser.ask(MARIE)), browser.follow(browser.ask("personne@ailleurs.example"))
    assert unknown.replace("personne@ailleurs.example", MARIE) == known


def test_the_link_of_the_mail_needs_no_press_in_the_browser_that_asked(browser: Browser) -> None:
    browser.ask(MARIE)
    access, refresh = secrets_of(newest(MARIE))
    sent = {"access_token": access, "refresh_token": refresh, "nonce": ""}
    told = browser.client.post("/auth/redeem", json=sent, headers={"Origin": ORIGIN})
    assert told.json() == {"status": "ok", "next": "/member"}


def test_who_has_asked_is_led_to_the_code(browser: Browser) -> None:
    browser.ask(MARIE)
    page = browser.client.get("/connexion")
    assert "J’ai déjà reçu un code" in page.text
    assert page.headers["cache-control"] == "no-store"
    assert 'name="code"' in browser.client.get("/connexion?etape=code").text
    browser.client.cookies.clear()
    assert 'name="code"' not in browser.client.get("/connexion?etape=code").text


def test_a_wrong_code_counts_and_says_how_many_are_left(browser: Browser) -> None:
    browser.ask(MARIE)
    link = newest(MARIE)
    told = [browser.type_code(wrong_code_of(link)) for _ in range(5)]
    assert {answer.status_code for answer in told} == {422}
    assert "Code incorrect. Il vous reste 4 essais." in told[0].text
    assert 'name="code"' in told[0].text
    assert MARIE in told[0].text
    assert "Trop de codes erronés." in browser.type_code(code_of(link)).text
    assert not browser.is_signed_in


@pytest.mark.parametrize(("code", "sentence"), [("123", "Le code a 6 chiffres"), ("", "Le code a 6 chiffres")])
def test_half_a_code_is_no_try(browser: Browser, code: str, sentence: str) -> None:
    browser.ask(MARIE)
    assert sentence in browser.type_code(code).text
    assert newest(MARIE).code_tries == 0


def test_a_code_is_good_where_it_was_asked_for_only(browser: Browser) -> None:
    browser.ask(MARIE)
    link = newest(MARIE)
    browser.client.cookies.clear()
    for kept in ("", "x.y", "x.\x7f", "."):
        cookie = {"Cookie": f"sign-in={kept}"} if kept else {}
        told = browser.type_code(code_of(link), **cookie)
        assert (told.status_code, "Ce code n’est plus valable" in told.text) == (422, True)
    assert not browser.is_signed_in


def test_an_address_that_is_none_is_refused_with_what_was_typed(browser: Browser) -> None:
    told = browser.ask('helene@beffroi"><b>')
    assert (told.status_code, "Indiquez une adresse e-mail valide" in told.text) == (422, True)
    assert 'value="helene@beffroi&#34;&gt;&lt;b&gt;"' in told.text
    assert browser.post({"autre": "x"}).status_code == 422


@pytest.mark.usefixtures("later")  # the clock stands still
def test_too_many_requests_are_refused_with_a_time(browser: Browser) -> None:
    for _ in range(5):
        browser.ask(MARIE)
    told = browser.ask(MARIE)
    assert (told.status_code, told.headers["retry-after"]) == (429, "900")
    assert "Trop de demandes pour cette adresse." in told.text


FOREIGN: list[dict[str, Any]] = [
    {"Origin": "https://mechant.example"},
    {"Origin": "null", "Sec-Fetch-Site": "cross-site"},
    {"Origin": "null", "Referer": "https://mechant.example/piege"},
]


@pytest.mark.parametrize("headers", FOREIGN)
def test_no_other_site_signs_anybody_in_or_asks_for_a_mail(browser: Browser, headers: dict[str, str]) -> None:
    assert browser.ask(MARIE, **headers).status_code == 403
    with reading() as session:
        assert session.exec(select(SignInLink)).first() is None
    browser.ask(MARIE)
    told = browser.type_code(code_of(newest(MARIE)), **headers)
    assert (told.status_code, "Cette requête ne vient pas du site." in told.text) == (403, True)
    assert not browser.is_signed_in
