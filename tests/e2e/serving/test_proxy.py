"""One build for any origin: the same front end behind a real proxy with TLS, as https://club.example."""

import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

import httpx
import pytest
from playwright.sync_api import Browser, BrowserContext, expect

from clubapp import frontend_build
from clubapp.database import transaction
from clubapp.pages.member.profile.state import ProfileState
from clubapp.pages.public.sign_in.state import SignInState
from clubapp.services.access import sign_in
from clubapp.services.access.sign_in_limits import MAX_PER_REQUESTER
from clubapp.services.demo import ADMIN_EMAIL, MEMBER_EMAIL
from tests.conftest import missing
from tests.e2e.conftest import CHROMIUM_FLAGS, STEP_MS, Watch, chromium
from tests.e2e.invitation_steps import database_of
from tests.e2e.site import EMBEDDED, Site, link_in
from tests.proxies import HOST, SEEN_FROM, Proxy
from tests.servers import free_port
from tests.web.plain_socket import Closed
from tests.web.tab import Tab

ORIGIN = f"https://{HOST}"
SIGN_IN, PROFILE = SignInState.get_full_name(), ProfileState.get_full_name()
TOO_MANY = "Trop de demandes depuis votre connexion"
KINDS = ("nginx", "caddy")
IN_NGINX = pytest.mark.parametrize("proxy", ["nginx"], indirect=True)


def needs(kind: str) -> None:
    if shutil.which(kind) is None:
        missing(kind, f"apt-get install {kind}")


@pytest.fixture(scope="module")
def club(file_site: Callable[..., Site]) -> Site:
    """A server that stands behind a proxy on its own machine."""
    return file_site(**EMBEDDED, CLUB_PUBLIC_URL=ORIGIN, CLUB_TRUSTED_PROXIES="127.0.0.1")


@pytest.fixture(scope="module", params=KINDS)
def proxy(request: pytest.FixtureRequest, club: Site) -> Iterator[Proxy]:
    """Each proxy in turn, before that server."""
    needs(request.param)
    with Proxy.running(request.param, club.port) as running:
        yield running


@pytest.fixture
def visitor(proxy: Proxy, browser: Browser, watch: Watch) -> Iterator[BrowserContext]:
    """A browser that finds club.example at the proxy."""
    found = f"--host-resolver-rules=MAP {HOST}:443 127.0.0.1:{proxy.port}"
    own = browser.browser_type.launch(executable_path=chromium(), args=[*CHROMIUM_FLAGS, found])
    context = own.new_context(base_url=ORIGIN, locale="fr-FR", ignore_https_errors=True)
    context.set_default_timeout(STEP_MS)
    watch.follow(context)
    yield context
    own.close()


def test_each_kind_of_answer_is_for_https_and_our_origin_only(club: Site) -> None:
    """Fails when an answer that Reflex gives by itself has no headers of ours, or invites other origins."""
    asset = next((frontend_build.ROOT / ".web/build/client/assets").glob("*.js")).name
    foreign = {"Origin": "https://elsewhere.example", "Access-Control-Request-Method": "POST"}
    asked = [("OPTIONS", path) for path in ("/", "/auth/token", "/_event/")]
    traced = [
        ("TRACE", path) for path in ("/", "/favicon.svg", "/auth/token", "/functions/send-test-email", "/nowhere")
    ]
    asked += [("POST", path) for path in ("/auth/token", "/functions/send-test-email", "/nowhere")]
    paths = (
        "/",
        f"/assets/{asset}",
        "/assets/none.js",
        "/media/none.webp",
        "/favicon.svg",
        "/admin",
        "/nowhere",
        "/ping",
    )
    asked += [("GET", path) for path in (*paths, "/_event/", f"/{'a' * 3_000}")]
    with httpx.Client(base_url=f"http://127.0.0.1:{club.port}") as client:
        kept = client.get("/favicon.svg").headers["etag"]
        answers = [client.request(method, path, headers=foreign) for method, path in (*asked, *traced)]
        assert not [answer for answer in answers if answer.request.method == "TRACE" and answer.is_success]
        answers.append(client.get("/favicon.svg", headers={**foreign, "If-None-Match": kept}))
    assert {200, 303, 304, 400, 403, 404, 405, 414} <= {answer.status_code for answer in answers}
    bare = [answer for answer in answers if "strict-transport-security" not in answer.headers]
    assert [str(answer.request.url)[:80] for answer in bare] == []
    inviting = [answer for answer in answers if any(name.startswith("access-control-") for name in answer.headers)]
    assert [str(answer.request.url)[:80] for answer in inviting] == []


@IN_NGINX
def test_a_person_signs_in_and_out_over_https(club: Site, proxy: Proxy, visitor: BrowserContext) -> None:
    """A browser takes the cookies, and lets the script open its socket. Behind Caddy it gets the same: see below."""
    page = visitor.new_page()
    page.goto("/connexion")
    page.get_by_role("textbox", name="Adresse e-mail").fill(ADMIN_EMAIL)
    page.get_by_role("button", name="Se connecter par email").click()
    expect(page.get_by_text("Email envoyé !").first).to_be_visible()
    link = link_in(club.wait_for_mail(ADMIN_EMAIL, "sign_in"), "/auth/callback")
    assert link.startswith(f"{ORIGIN}/auth/callback#")
    page.goto(link)
    page.wait_for_url(f"{ORIGIN}/admin")
    expect(page.get_by_text("Marie Durand").first).to_be_visible()
    (cookie,) = (each for each in visitor.cookies() if each.get("name") != "__Host-browser")
    kept = ("__Host-session", True, True, "Lax")
    assert tuple(dict(cookie)[name] for name in ("name", "secure", "httpOnly", "sameSite")) == kept
    page.get_by_role("button", name="Déconnexion").first.click()
    page.wait_for_url(f"{ORIGIN}/connexion")
    assert [each.get("name") for each in visitor.cookies()] == ["__Host-browser"]


def test_a_link_opens_a_session_over_https_and_its_screens_follow(club: Site, proxy: Proxy) -> None:
    with database_of(club), transaction() as session:
        link = sign_in.create_link(session, MEMBER_EMAIL)
    assert link.startswith(f"{ORIGIN}/auth/callback#")
    sent = dict(parse_qsl(urlsplit(link).fragment)) | {"confirmed": True}
    with httpx.Client(verify=False) as client:
        told = client.post(
            f"{proxy.url}/auth/redeem",
            json=sent,
            headers={"Host": HOST, "Origin": ORIGIN},
            extensions={"sni_hostname": HOST},
        )
    assert told.json() == {"status": "ok", "next": "/member"}
    (cookie,) = (each for each in told.headers.get_list("set-cookie") if each.startswith("__Host-session="))
    assert {"secure", "httponly", "samesite=lax", "path=/"} <= set(cookie.lower().split("; "))
    with Tab(proxy.url, origin=ORIGIN, Host=HOST, cookie=cookie.partition(";")[0], path="/member") as tab:
        assert MEMBER_EMAIL in str(tab.call(f"{PROFILE}.load"))


def test_the_built_pages_open_their_socket_where_they_came_from(built: None) -> None:
    scripts = [path.read_text() for path in frontend_build.CLIENT.rglob("*.js")]
    assert [script for script in scripts if "location.origin.replace(/^http/,`ws`)+`/_event`" in script]
    assert not [script for script in scripts if re.search(r"ws://[^`\"]*/_event", script)]


def test_every_address_it_gives_or_leads_to_is_the_public_one(proxy: Proxy) -> None:
    page = proxy.get("/membres")
    assert f'rel="canonical" href="{ORIGIN}/membres"' in page.text
    assert re.findall(r'"(https?://(?:localhost|127\.)[^"]*)"', page.text) == []
    assert page.headers["strict-transport-security"].startswith("max-age=31536000")
    assert f"connect-src 'self' wss://{HOST};" in page.headers["content-security-policy"]
    places = re.findall("<loc>(.*?)</loc>", proxy.get("/sitemap.xml").text)
    assert len(places) > 60
    assert not [place for place in places if not place.startswith(ORIGIN)]
    assert f"{ORIGIN}/sitemap.xml" in proxy.get("/robots.txt").text
    assert (proxy.get("/membres/").status_code, proxy.get("/membres/").headers["location"]) == (308, "/membres")
    closed = proxy.get("/admin")
    assert (closed.status_code, closed.headers["location"]) == (303, "/connexion")
    # The local mailbox is nowhere to be seen.
    assert proxy.get("/boite-locale").status_code == 404
    assert proxy.get("/boite-locale", **{"X-Forwarded-For": "127.0.0.1"}).status_code == 404
    assert proxy.get("/metrics").status_code in (403, 404)


def test_only_the_public_origin_opens_a_socket(proxy: Proxy, club: Site) -> None:
    with Tab(proxy.url, origin=ORIGIN, Host=HOST) as tab:
        assert tab.hydrate()
    for stranger in ("https://evil.example", club.url, f"http://{HOST}"):
        with pytest.raises(Closed):
            Tab(proxy.url, origin=stranger, Host=HOST)


@IN_NGINX
def test_a_visitor_is_who_the_proxy_says(club: Site, proxy: Proxy) -> None:
    """What visitors say of themselves is not believed."""
    ask_often(club, "203.0.113.7")
    assert TOO_MANY in asked(proxy, seen_from="203.0.113.7", forged="198.51.100.99")
    assert TOO_MANY not in asked(proxy, seen_from="203.0.113.8", forged="203.0.113.7")


def ask_often(site: Site, requester: str) -> None:
    """As many requests for a link come from a visitor elsewhere as may."""
    with database_of(site), transaction() as session:
        for number in range(MAX_PER_REQUESTER):
            sign_in.request_link(session, f"personne{number}@ailleurs.example", requester=requester)


def asked(proxy: Proxy, *, seen_from: str, forged: str) -> str:
    """What the sign-in page shows after a request for a link, from a visitor elsewhere."""
    headers = {"Host": HOST, SEEN_FROM: seen_from, "X-Forwarded-For": forged}
    with Tab(proxy.url, origin=ORIGIN, **headers) as tab:
        return requested(tab)


def requested(tab: Tab) -> str:
    shown = str(tab.call(f"{SIGN_IN}.send", form={"email": "quelquun@ailleurs.example"}))
    assert "Email envoyé !" in shown or TOO_MANY in shown
    return shown


def test_nobody_is_believed_who_is_not_named_as_a_proxy(site: Site) -> None:
    ask_often(site, "203.0.113.7")
    with Tab(site.url, **{"X-Forwarded-For": "203.0.113.7"}) as tab:
        assert TOO_MANY not in requested(tab)


@pytest.mark.parametrize("kind", KINDS)
def test_a_proxy_alone_keeps_to_strong_ciphers_and_https_and_says_that_the_site_is_away(kind: str) -> None:
    """Fails, too, when a script that was given http:// sends its token in the clear and does not notice."""
    needs(kind)
    with Proxy.running(kind, free_port()) as proxy:
        assert proxy.agrees_on("ECDHE-RSA-AES256-GCM-SHA384:ECDHE-ECDSA-AES256-GCM-SHA384")
        # Without forward secrecy, or authentication of its own.
        for weak in ("AES256-GCM-SHA384", "ECDHE-RSA-AES256-SHA384", "AES128-SHA", "ECDHE-RSA-CAMELLIA256-SHA384"):
            assert not proxy.agrees_on(f"{weak}:@SECLEVEL=0"), weak
        with httpx.Client(base_url=f"http://127.0.0.1:{proxy.plain_port}", headers={"Host": HOST}) as plain:
            led = plain.get("/membres?q=a")
            assert (led.status_code, led.headers["location"]) == (308, f"{ORIGIN}/membres?q=a")
            for path in ("/functions/send-test-email", "/Factors", "/factors/1/verify", "/auth/token", "/metrics"):
                assert plain.get(path).status_code == 403, path
            assert plain.get("/factorsx").status_code == 308
        told = proxy.get("/event/1?token=a-secret-of-an-invitation", Referer=f"{ORIGIN}/event/1?token=a-secret")
        assert (told.status_code, told.headers["retry-after"]) == (503, "10")
        assert "Le site redémarre. Réessayez dans une minute." in told.text
        assert told.headers["content-type"] == "text/html; charset=utf-8"
        assert "a-secret" not in proxy.logged()
        for answer in (led, told, proxy.get("/membres")):  # of which version it is
            assert not re.search(r"(nginx|caddy)/\d", f"{answer.headers} {answer.text}", re.IGNORECASE)


@IN_NGINX
def test_nginx_serves_what_certbot_writes_before_and_after_the_first_certificate(proxy: Proxy, tmp_path: Path) -> None:
    """Fails when the file for the first certificate asks for one itself."""
    (tmp_path / ".well-known" / "acme-challenge").mkdir(parents=True)
    (tmp_path / ".well-known" / "acme-challenge" / "proof").write_text("it is ours")
    with Proxy.first_nginx(tmp_path) as plain:
        assert plain.get("/.well-known/acme-challenge/proof").text == "it is ours"
        assert plain.get("/membres").status_code == 503
    plain_url = f"http://127.0.0.1:{proxy.plain_port}"
    assert httpx.get(f"{plain_url}/membres").status_code == 308
    assert httpx.get(f"{plain_url}/.well-known/acme-challenge/none").status_code == 404
