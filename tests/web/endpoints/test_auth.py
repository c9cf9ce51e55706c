"""The HTTP addresses of sign-in: only our own pages, only the cookie, nothing kept by caches."""

from collections.abc import Callable
from datetime import datetime, timedelta
from http.cookies import Morsel, SimpleCookie
from typing import Any

import pytest
from httpx import Response
from starlette.applications import Starlette
from starlette.testclient import TestClient

from clubapp.database import reading, transaction
from clubapp.infra import refusal_counts
from clubapp.models import SignInLink
from clubapp.services.access import administrators, sessions, sign_in
from clubapp.services.base.actors import SYSTEM
from clubapp.web.endpoints import auth
from tests.conftest import on_sqlite
from tests.factories import add_admin, add_member
from tests.services.access.sign_ins import code_of, newest, secrets_of, wrong_code_of

pytestmark = on_sqlite

ORIGIN = "http://localhost:3000"
HELENE = "helene@beffroi.example"
MARIE = "marie@durand.example"
At = Callable[[str], datetime]
EVERY = (
    "/auth/redeem",
    "/auth/code",
    "/auth/refresh",
    "/auth/renew",
    "/auth/token",
    "/auth/sign-out",
    "/auth/sign-out-everywhere",
)


class Browser(TestClient):
    """A browser on one of our pages."""

    def __init__(self, origin: str = ORIGIN) -> None:
        super().__init__(Starlette(routes=auth.routes()), base_url=origin, follow_redirects=False)
        self.headers["Origin"] = origin

    def redeem(self, link: SignInLink, nonce: str = "", **more: Any) -> Response:
        access, refresh = secrets_of(link)
        return self.post(
            "/auth/redeem", json={"access_token": access, "refresh_token": refresh, "nonce": nonce, **more}
        )

    @property
    def session_cookie(self) -> str:
        return self.cookies.get("session") or self.cookies.get("__Host-session") or ""


def session_cookie_of(answer: Response) -> Morsel[str]:
    """The session's cookie; the other one recognises the browser at its next sign-in."""
    found, other = [next(iter(SimpleCookie(header).values())) for header in answer.headers.get_list("set-cookie")]
    assert other.key in ("browser", "__Host-browser")
    assert (other["httponly"], other["samesite"], other["path"], other["domain"]) == (True, "lax", "/", "")
    return found


@pytest.fixture
def browser(club: str) -> Browser:
    with transaction() as session:
        add_admin(session, HELENE)
        add_member(session, email=MARIE)
    return Browser()


def ask(email: str = HELENE) -> str:
    with transaction() as session:
        return sign_in.request_link(session, email, requester="192.0.2.7")


def signed_in(browser: Browser, email: str = HELENE) -> Browser:
    nonce = ask(email)
    assert browser.redeem(newest(email), nonce).json()["status"] == "ok"
    return browser


def opens(cookie: str) -> bool:
    with transaction() as session:
        return sessions.resolve_cookie(session, cookie) is not None


@pytest.mark.parametrize(("email", "home"), [(HELENE, "/admin"), (MARIE, "/member")])
def test_a_link_sets_a_cookie_that_no_script_reads(browser: Browser, email: str, home: str) -> None:
    nonce = ask(email)
    answer = browser.redeem(newest(email), nonce)
    assert answer.json() == {"status": "ok", "next": home}
    cookie = session_cookie_of(answer)
    assert cookie.key == "session"
    assert (cookie["httponly"], cookie["samesite"], cookie["path"], cookie["domain"]) == (True, "lax", "/", "")
    assert 3590 <= int(cookie["max-age"]) <= 3600
    assert opens(cookie.value)
    assert cookie.value not in answer.text


def test_under_https_the_cookie_is_secure_and_bound_to_the_host(
    browser: Browser, environment: pytest.MonkeyPatch
) -> None:
    from clubapp.settings import settings

    environment.setenv("CLUB_PUBLIC_URL", "https://club.example")
    settings.cache_clear()
    answer = Browser("https://club.example").redeem(newest(), "") if ask() else None
    assert answer is not None
    assert answer.json()["status"] == "confirm"
    answer = Browser("https://club.example").redeem(newest(), confirmed=True)
    cookie = session_cookie_of(answer)
    assert cookie.key == "__Host-session"
    assert (cookie["secure"], cookie["httponly"], cookie["path"], cookie["domain"]) == (True, True, "/", "")


def test_another_browser_confirms_first(browser: Browser) -> None:
    ask()
    answer = browser.redeem(newest(), "someone-else")
    assert answer.json() == {"status": "confirm", "email": "he•••@beffroi.example"}
    assert "set-cookie" not in answer.headers
    assert browser.redeem(newest(), confirmed="true").json()["status"] == "confirm"
    assert browser.redeem(newest(), confirmed=True).json() == {"status": "ok", "next": "/admin"}


def test_whose_session_a_link_of_somebody_else_would_end_is_said_first(browser: Browser) -> None:
    cookie = signed_in(browser, MARIE).session_cookie
    ask()
    asked = browser.redeem(newest(), "someone-else").json()
    assert (asked["status"], asked["email"]) == ("confirm", "he•••@beffroi.example")
    assert asked["text"] == f"La session de {MARIE} est ouverte dans ce navigateur\u00a0: la confirmation la ferme."
    assert opens(cookie)
    browser.redeem(newest(), confirmed=True)
    assert not opens(cookie)
    ask()
    assert "text" not in browser.redeem(newest(), "someone-else").json(), "the same person"


def test_who_waits_for_a_second_factor_is_said_too_before_a_link_ends_their_session(browser: Browser) -> None:
    with transaction() as session:
        cookie, _ = sessions.open_session(session, MARIE, is_half_open=True)
    browser.cookies.set("session", cookie, domain="localhost.local")
    ask()
    asked = browser.redeem(newest(), "someone-else").json()
    assert asked["text"] == f"{MARIE} n’a pas fini de se connecter dans ce navigateur\u00a0: la confirmation y met fin."


def test_what_goes_wrong_is_said_in_its_own_words(browser: Browser) -> None:
    nonce = ask()
    assert browser.post("/auth/redeem", json={"nonce": nonce}).json()["text"] == "Tokens manquants"
    assert browser.post("/auth/redeem", json={"access_token": "a", "refresh_token": ["b"]}).json() == {
        "status": "error",
        "text": "Tokens manquants",
    }
    forged = browser.post("/auth/redeem", json={"access_token": "a", "refresh_token": "b"})
    assert forged.json() == {"status": "error", "text": "Pas de session"}
    link = newest()
    with transaction() as session:
        administrators.add_administrator(session, SYSTEM, "lea@beffroi.example")
        administrators.remove_administrator(session, SYSTEM, HELENE)
    assert browser.redeem(link, nonce).json() == {"status": "error", "text": "Utilisateur non autorisé"}
    assert not browser.cookies


def test_a_code_signs_in_and_a_wrong_one_is_counted(browser: Browser) -> None:
    nonce = ask(MARIE)
    link = newest(MARIE)
    wrong = browser.post("/auth/code", json={"code": wrong_code_of(link), "nonce": nonce})
    assert wrong.json() == {"status": "error", "text": "Code incorrect. Il vous reste 4 essais."}
    assert newest(MARIE).code_tries == 1
    right = browser.post("/auth/code", json={"code": code_of(link), "nonce": nonce})
    assert right.json() == {"status": "ok", "next": "/member"}
    assert opens(browser.session_cookie)


@pytest.mark.parametrize("path", EVERY)
@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "http://localhost:3001"},
        {"Origin": "null"},
        {"Origin": ""},
        {"Origin": "null", "Sec-Fetch-Site": "cross-site"},
        {"Origin": "https://evil.example", "Sec-Fetch-Site": "same-origin"},
    ],
)
def test_another_site_is_refused(browser: Browser, path: str, headers: dict[str, str]) -> None:
    cookie = signed_in(browser).session_cookie
    answer = browser.post(path, json={}, headers=headers)
    assert answer.status_code == 403
    assert "set-cookie" not in answer.headers
    assert opens(cookie)


@pytest.mark.parametrize("path", EVERY)
def test_a_request_without_origin_is_ours_only_when_the_browser_says_so(browser: Browser, path: str) -> None:
    del browser.headers["Origin"]
    assert browser.post(path, json={}).status_code == 403
    assert browser.post(path, json={}, headers={"Sec-Fetch-Site": "same-origin"}).status_code != 403


@pytest.mark.parametrize("path", EVERY)
def test_nothing_happens_on_get(browser: Browser, path: str) -> None:
    cookie = signed_in(browser).session_cookie
    assert browser.get(path).status_code == 405
    assert opens(cookie)


@pytest.mark.parametrize("path", ["/auth/redeem", "/auth/code"])
@pytest.mark.parametrize(
    ("content", "kind", "status"),
    [
        (b"access_token=a&refresh_token=b", "application/x-www-form-urlencoded", 415),
        (b"{}", "text/plain", 415),
        (b"{}", "", 415),
        (b"{", "application/json", 400),
        (b"[]", "application/json", 400),
        (b"\xff\xfe", "application/json", 400),
        (b"[" * 4000, "application/json", 400),
        (b'{"code": "' + b"1" * 5000 + b'"}', "application/json", 413),
    ],
)
def test_what_is_not_small_json_is_refused(browser: Browser, path: str, content: bytes, kind: str, status: int) -> None:
    assert browser.post(path, content=content, headers={"Content-Type": kind}).status_code == status


def test_hostile_text_is_only_a_wrong_answer(browser: Browser) -> None:
    for text in ("\0", "\ud800", "é" * 1000, "' OR 1=1 --"):
        body = '{"access_token": %s, "refresh_token": %s, "code": %s, "nonce": %s}'.replace("%s", _quoted(text))
        for path in ("/auth/redeem", "/auth/code"):
            answer = browser.post(path, content=body, headers={"Content-Type": "application/json"})
            assert answer.json()["status"] == "error"


def _quoted(text: str) -> str:
    import json

    return json.dumps(text)


def test_nothing_is_kept_by_caches(browser: Browser) -> None:
    for path in EVERY:
        assert browser.post(path, json={}).headers["cache-control"] == "no-store"
        assert browser.post(path, json={}, headers={"Origin": "https://evil.example"}).headers["cache-control"] == (
            "no-store"
        )


def test_a_refresh_changes_the_cookie_and_keeps_the_end(browser: Browser, at: At) -> None:
    at("2026-11-20T10:00")
    first = signed_in(browser).session_cookie
    at("2026-11-20T10:10")
    answer = browser.post("/auth/refresh")
    assert answer.json() == {"status": "ok"}
    cookie = SimpleCookie(answer.headers["set-cookie"])["session"]
    assert cookie.value != first
    assert int(cookie["max-age"]) == 3000
    assert opens(cookie.value)


def test_a_refresh_after_the_end_says_so_and_clears_the_cookie(browser: Browser, at: At) -> None:
    at("2026-11-20T10:00")
    signed_in(browser)
    cookie = browser.session_cookie
    at("2026-11-20T11:00")
    answer = browser.post("/auth/refresh", headers={"Cookie": f"session={cookie}"})
    assert answer.json() == {"status": "ended"}
    assert not browser.session_cookie


def test_signing_out_ends_the_session_and_leads_to_the_sign_in_page(browser: Browser) -> None:
    cookie = signed_in(browser).session_cookie
    answer = browser.post("/auth/sign-out", content=b"", headers={"Content-Type": "application/x-www-form-urlencoded"})
    assert (answer.status_code, answer.headers["location"]) == (303, "/connexion")
    assert not browser.session_cookie
    assert not opens(cookie)
    assert browser.post("/auth/sign-out").status_code == 303


def test_signing_out_everywhere_ends_every_session_of_that_person_and_of_nobody_else(browser: Browser) -> None:
    other, someone = signed_in(Browser()).session_cookie, signed_in(Browser(), MARIE).session_cookie
    cookie = signed_in(browser).session_cookie
    answer = browser.post("/auth/sign-out-everywhere", content=b"")
    assert (answer.status_code, answer.headers["location"]) == (303, "/connexion")
    assert [opens(one) for one in (cookie, other, someone)] == [False, False, True]
    assert not browser.session_cookie
    assert browser.post("/auth/sign-out-everywhere").status_code == 303


def test_signing_in_again_ends_the_former_session_of_that_browser(browser: Browser) -> None:
    former = signed_in(browser).session_cookie
    signed_in(browser, MARIE)
    assert not opens(former)
    assert opens(browser.session_cookie)


def test_a_failed_sign_in_leaves_the_present_session_alone(browser: Browser) -> None:
    cookie = signed_in(browser).session_cookie
    browser.post("/auth/redeem", json={"access_token": "a", "refresh_token": "b"})
    assert opens(cookie)


def test_a_bearer_token_is_given_to_a_living_session(browser: Browser, at: At) -> None:
    at("2026-11-20T10:00")
    assert browser.post("/auth/token").status_code == 401
    signed_in(browser)
    answer = browser.post("/auth/token")
    assert answer.json()["expires_at"] == "2026-11-20T10:10:00+00:00"
    with reading() as session:
        actor = sessions.find_token_actor(session, answer.json()["access_token"])
    assert actor
    assert actor.email == HELENE
    at("2026-11-20T11:00")
    assert browser.post("/auth/token").status_code == 401


def ends_at(cookie: str) -> datetime:
    with transaction() as session:
        active = sessions.resolve_cookie(session, cookie)
        assert active
        return active.expires_at


def test_a_code_lets_the_same_session_last_another_hour(browser: Browser, at: At) -> None:
    at("2026-11-20T10:00")
    signed_in(browser)
    session_id, before = browser.session_cookie.partition(".")[0], ends_at(browser.session_cookie)
    at("2026-11-20T10:56")
    nonce = ask()
    refused = browser.post("/auth/renew", json={"code": wrong_code_of(newest()), "nonce": nonce})
    assert refused.json()["status"] == "error"
    assert ends_at(browser.session_cookie) == before
    answer = browser.post("/auth/renew", json={"code": code_of(newest()), "nonce": nonce})
    assert answer.json() == {"status": "ok"}
    assert browser.session_cookie.partition(".")[0] == session_id
    assert ends_at(browser.session_cookie) - before == timedelta(minutes=56)
    again = browser.post("/auth/renew", json={"code": code_of(newest()), "nonce": nonce})
    assert again.json()["status"] == "error", "a code is good once"


def test_a_session_is_not_renewed_by_somebody_elses_code_nor_after_its_end(browser: Browser, at: At) -> None:
    at("2026-11-20T10:00")
    signed_in(browser)
    before = ends_at(browser.session_cookie)
    nonce = ask(MARIE)
    refusal_counts.take()
    other = browser.post("/auth/renew", json={"code": code_of(newest(MARIE)), "nonce": nonce})
    assert other.json()["status"] == "error"
    assert refusal_counts.take() == {"code": 1}
    assert ends_at(browser.session_cookie) == before
    at("2026-11-20T11:01")
    nonce = ask()
    late = browser.post("/auth/renew", json={"code": code_of(newest()), "nonce": nonce})
    assert late.json() == {"status": "error", "text": "Pas de session"}
    assert refusal_counts.take() == {"sign_in": 1}
