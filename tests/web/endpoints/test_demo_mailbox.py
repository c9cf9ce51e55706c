"""The local mailbox is for the demonstration, on this machine only."""

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from clubapp.mail.transport.delivery import deliver
from clubapp.web.endpoints import demo_mailbox
from tests.conftest import forget_settings, on_sqlite
from tests.mail.mailings import ask_for_link, invite

pytestmark = on_sqlite

LOCAL = ("127.0.0.1", 50000)


@pytest.fixture
def demo(club: str, environment: pytest.MonkeyPatch) -> None:
    environment.setenv("CLUB_DEMO", "1")
    forget_settings()


def browser(client: tuple[str, int] = LOCAL, host: str = "http://localhost:3000") -> TestClient:
    return TestClient(Starlette(routes=demo_mailbox.routes()), base_url=host, client=client)


def test_it_lists_and_opens_the_mail(demo: None) -> None:
    invite("Marie Durand", title='Pause "café" & <script>')
    deliver()
    ask_for_link()
    deliver()
    page = browser().get("/boite-locale")
    assert page.status_code == 200
    assert page.headers["cache-control"] == "no-store"
    assert page.text.index("votre lien de connexion") < page.text.index("Pause")
    assert "<script" not in page.text
    link = page.text.split('data-kind="invitation"')[0].rsplit('href="', 1)[1].split('"')[0]
    assert '<span class="kind">Lien de connexion</span>' in page.text
    mail = browser().get(link)
    assert 'sandbox="allow-popups allow-popups-to-escape-sandbox allow-top-navigation-by-user-activation"' in mail.text
    assert "&lt;a href=" in mail.text
    assert "<script" not in mail.text
    text = browser().get(f"{link}?vue=texte").text
    assert "<iframe" not in text
    assert 'target="_blank">http://localhost:3000/event/' in text


def test_an_empty_box_says_what_it_is_for(demo: None) -> None:
    assert "Aucun message pour l’instant" in browser().get("/boite-locale").text


def test_with_a_relay_it_says_where_mail_goes(demo: None, environment: pytest.MonkeyPatch) -> None:
    environment.setenv("CLUB_SMTP_URL", "smtp://club:secret@relay.example")
    forget_settings()
    page = browser().get("/boite-locale").text
    assert "relay.example" in page
    assert "secret" not in page


def test_an_unknown_mail_is_not_found(demo: None) -> None:
    assert browser().get("/boite-locale/20260101T000000Z-" + "0" * 36).status_code == 404


@pytest.mark.parametrize(
    ("client", "host", "headers"),
    [
        (("192.0.2.7", 50000), "http://localhost:3000", {}),
        (LOCAL, "http://club.example", {}),
        (LOCAL, "http://localhost:3000", {"X-Forwarded-For": "192.0.2.7"}),
        (LOCAL, "http://localhost:3000", {"X-Forwarded-Host": "club.example"}),
        (LOCAL, "http://localhost:3000", {"Via": "1.1 proxy"}),
        (LOCAL, "http://localhost:3000", {"Forwarded": "for=192.0.2.7"}),
    ],
)
def test_nobody_from_elsewhere_sees_it(demo: None, client: tuple[str, int], host: str, headers: dict[str, str]) -> None:
    assert browser(client, host).get("/boite-locale", headers=headers).status_code == 404


def test_behind_a_proxy_that_says_nothing_it_does_not_exist(demo: None, environment: pytest.MonkeyPatch) -> None:
    environment.setenv("CLUB_PUBLIC_URL", "https://club.example")
    forget_settings()
    assert browser().get("/boite-locale").status_code == 404


def test_outside_the_demonstration_it_does_not_exist(club: str) -> None:
    assert browser().get("/boite-locale").status_code == 404
