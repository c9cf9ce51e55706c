"""One build for any origin: the same front end behind a real proxy with TLS, as https://club.example."""

import re
import shutil
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser, BrowserContext, expect

from clubapp import frontend_build
from clubapp.services.access.sign_in_limits import MAX_PER_REQUESTER
from clubapp.services.demo import ADMIN_EMAIL, MEMBER_EMAIL
from clubapp.web.security.websocket_gate import MOST_PER_ADDRESS
from tests.conftest import missing
from tests.e2e.conftest import CHROMIUM_FLAGS, STEP_MS, Watch, chromium
from tests.e2e.site import EMBEDDED, Site, link_in
from tests.proxies import HOST, SEEN_FROM, Proxy
from tests.servers import free_port
from tests.web.plain_socket import Closed
from tests.web.tab import Tab

ORIGIN = f"https://{HOST}"
SIGN_IN = "reflex___state____state.clubapp___pages___public___sign_in___state____sign_in_state"
TOO_MANY = "Trop de demandes depuis votre connexion"
KINDS = ("nginx", "caddy")
# Somebody else behind each, so that no mail is taken for another's: where they go, and what the socket brings them.
PEOPLE = {
    "nginx": (ADMIN_EMAIL, "/admin", "Marie Durand"),
    "caddy": (MEMBER_EMAIL, "/member", "Voir ma page publique"),
}


def needs(kind: str) -> None:
    if shutil.which(kind) is None:
        missing(kind, f"apt-get install {kind}")


@pytest.fixture(scope="module")
def club(built: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A server that stands behind a proxy on its own machine."""
    around = {"CLUB_PUBLIC_URL": ORIGIN, "CLUB_TRUSTED_PROXIES": "127.0.0.1"}
    made = Site(tmp_path_factory.mktemp("behind") / "data", environment=EMBEDDED | around)
    yield made.start()
    made.stop()


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


def test_a_person_signs_in_and_out_over_https(club: Site, proxy: Proxy, visitor: BrowserContext) -> None:
    email, home, text = PEOPLE[proxy.kind]
    page = visitor.new_page()
    page.goto("/connexion")
    page.get_by_role("textbox", name="Adresse e-mail").fill(email)
    page.get_by_role("button", name="Se connecter par email").click()
    expect(page.get_by_text("Email envoyé !").first).to_be_visible()
    link = link_in(club.wait_for_mail(email, "sign_in"), "/auth/callback")
    assert link.startswith(f"{ORIGIN}/auth/callback#")
    page.goto(link)
    page.wait_for_url(ORIGIN + home)
    expect(page.get_by_text(text).first).to_be_visible()
    (cookie,) = (each for each in visitor.cookies() if each.get("name") != "__Host-browser")
    kept = ("__Host-session", True, True, "Lax")
    assert tuple(dict(cookie)[name] for name in ("name", "secure", "httpOnly", "sameSite")) == kept
    page.get_by_role("button", name="Déconnexion").first.click()
    page.wait_for_url(f"{ORIGIN}/connexion")
    assert [each.get("name") for each in visitor.cookies()] == ["__Host-browser"]


def test_the_built_pages_open_their_socket_where_they_came_from(built: None) -> None:
    scripts = [path.read_text() for path in frontend_build.CLIENT.rglob("*.js")]
    assert [script for script in scripts if "location.origin.replace(/^http/,`ws`)+`/_event`" in script]
    assert not [script for script in scripts if re.search(r"ws://[^`\"]*/_event", script)]


def test_every_address_it_gives_is_the_public_one(proxy: Proxy) -> None:
    page = proxy.get("/membres")
    assert f'rel="canonical" href="{ORIGIN}/membres"' in page.text
    assert re.findall(r'"(https?://(?:localhost|127\.)[^"]*)"', page.text) == []
    assert page.headers["strict-transport-security"].startswith("max-age=31536000")
    assert f"connect-src 'self' wss://{HOST};" in page.headers["content-security-policy"]
    places = re.findall("<loc>(.*?)</loc>", proxy.get("/sitemap.xml").text)
    assert len(places) > 60
    assert not [place for place in places if not place.startswith(ORIGIN)]
    assert f"{ORIGIN}/sitemap.xml" in proxy.get("/robots.txt").text


def test_redirects_stay_on_the_public_origin(proxy: Proxy) -> None:
    assert (proxy.get("/membres/").status_code, proxy.get("/membres/").headers["location"]) == (308, "/membres")
    closed = proxy.get("/admin")
    assert (closed.status_code, closed.headers["location"]) == (303, "/connexion")


def test_only_the_public_origin_opens_a_socket(proxy: Proxy, club: Site) -> None:
    with Tab(proxy.url, origin=ORIGIN, Host=HOST) as tab:
        assert tab.hydrate()
    for stranger in ("https://evil.example", club.url, f"http://{HOST}"):
        with pytest.raises(Closed):
            Tab(proxy.url, origin=stranger, Host=HOST)


def test_the_local_mailbox_is_nowhere_to_be_seen(proxy: Proxy, club: Site) -> None:
    assert proxy.get("/boite-locale").status_code == 404
    assert proxy.get("/boite-locale", **{"X-Forwarded-For": "127.0.0.1"}).status_code == 404
    assert proxy.get("/metrics").status_code in (403, 404)


def test_a_visitor_is_who_the_proxy_says(club: Site) -> None:
    needs("nginx")
    with Proxy.running("nginx", club.port) as proxy:
        for number in range(MAX_PER_REQUESTER):
            # What a visitor says of themselves is not believed.
            assert TOO_MANY not in asked(proxy, number, seen_from="203.0.113.7", forged=f"198.51.100.{number}")
        assert TOO_MANY in asked(proxy, MAX_PER_REQUESTER, seen_from="203.0.113.7", forged="198.51.100.99")
        assert TOO_MANY not in asked(proxy, MAX_PER_REQUESTER, seen_from="203.0.113.8", forged="203.0.113.7")


def test_all_addresses_of_an_ipv6_network_hold_as_many_connections_as_one(club: Site) -> None:
    """Fails when whoever has a /64, as every household with IPv6 does, opens connections without end."""
    tabs: list[Tab] = []
    with suppress(Closed):
        while len(tabs) < 300:
            tabs.append(Tab(club.url, **{"X-Forwarded-For": f"2001:db8:7:1::{len(tabs):x}"}))
    assert len(tabs) == MOST_PER_ADDRESS
    with Tab(club.url, **{"X-Forwarded-For": "2001:db8:7:2::1"}) as other:
        assert other.hydrate()
    for tab in tabs:
        tab.close()


def asked(proxy: Proxy, number: int, *, seen_from: str, forged: str) -> str:
    """What the sign-in page shows after a request for a link, from a visitor elsewhere."""
    headers = {"Host": HOST, SEEN_FROM: seen_from, "X-Forwarded-For": forged}
    with Tab(proxy.url, origin=ORIGIN, **headers) as tab:
        return requested(tab, number)


def requested(tab: Tab, number: int) -> str:
    shown = str(tab.call(f"{SIGN_IN}.send", form={"email": f"personne{number}@ailleurs.example"}))
    assert "Email envoyé !" in shown or TOO_MANY in shown
    return shown


def test_nobody_is_believed_who_is_not_named_as_a_proxy(site: Site) -> None:
    with Tab(site.url, **{"X-Forwarded-For": "203.0.113.7"}) as tab:
        for number in range(MAX_PER_REQUESTER + 1):
            assert TOO_MANY not in requested(tab, number)


@pytest.mark.parametrize("kind", KINDS)
def test_a_proxy_takes_no_cipher_without_forward_secrecy_or_authentication_of_its_own(kind: str) -> None:
    needs(kind)
    with Proxy.running(kind, free_port()) as proxy:
        assert proxy.agrees_on("ECDHE-RSA-AES256-GCM-SHA384:ECDHE-ECDSA-AES256-GCM-SHA384")
        for weak in ("AES256-GCM-SHA384", "ECDHE-RSA-AES256-SHA384", "AES128-SHA", "ECDHE-RSA-CAMELLIA256-SHA384"):
            assert not proxy.agrees_on(f"{weak}:@SECLEVEL=0"), weak


@pytest.mark.parametrize("kind", KINDS)
def test_only_what_people_open_is_led_from_http_to_https(kind: str) -> None:
    """Fails when a script that was given http:// sends its token in the clear and does not notice."""
    needs(kind)
    with Proxy.running(kind, free_port()) as proxy:
        plain = httpx.Client(base_url=f"http://127.0.0.1:{proxy.plain_port}", headers={"Host": HOST})
        told = plain.get("/membres?q=a")
        assert (told.status_code, told.headers["location"]) == (308, f"{ORIGIN}/membres?q=a")
        for path in ("/functions/send-test-email", "/Factors", "/factors/1/verify", "/auth/token", "/metrics"):
            assert plain.get(path).status_code == 403, path
        assert plain.get("/factorsx").status_code == 308


@pytest.mark.parametrize("kind", KINDS)
def test_a_proxy_does_not_say_of_which_version_it_is(kind: str) -> None:
    needs(kind)
    with Proxy.running(kind, free_port()) as proxy:
        plain = httpx.get(f"http://127.0.0.1:{proxy.plain_port}/", headers={"Host": HOST})
        for told in (plain, proxy.get("/membres")):
            assert not re.search(r"(nginx|caddy)/\d", f"{told.headers} {told.text}", re.IGNORECASE)


@pytest.mark.parametrize("kind", KINDS)
def test_while_the_site_is_away_its_proxy_says_so_and_logs_no_token(kind: str) -> None:
    needs(kind)
    with Proxy.running(kind, free_port()) as proxy:
        told = proxy.get("/event/1?token=a-secret-of-an-invitation", Referer=f"{ORIGIN}/event/1?token=a-secret")
        assert (told.status_code, told.headers["retry-after"]) == (503, "10")
        assert "Le site redémarre. Réessayez dans une minute." in told.text
        assert told.headers["content-type"] == "text/html; charset=utf-8"
        assert "a-secret" not in proxy.logged()


def test_nginx_serves_what_certbot_writes_before_and_after_the_first_certificate(tmp_path: Path) -> None:
    """Fails when the file for the first certificate asks for one itself."""
    needs("nginx")
    (tmp_path / ".well-known" / "acme-challenge").mkdir(parents=True)
    (tmp_path / ".well-known" / "acme-challenge" / "proof").write_text("it is ours")
    with Proxy.first_nginx(tmp_path) as plain:
        assert plain.get("/.well-known/acme-challenge/proof").text == "it is ours"
        assert plain.get("/membres").status_code == 503
    with Proxy.running("nginx", free_port()) as proxy:
        plain_url = f"http://127.0.0.1:{proxy.plain_port}"
        assert httpx.get(f"{plain_url}/membres").status_code == 308
        assert httpx.get(f"{plain_url}/.well-known/acme-challenge/none").status_code == 404
