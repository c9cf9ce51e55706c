"""Leaving the mailings by one POST, without signing in, and coming back (M3; RFC 8058)."""

import re
from collections.abc import Iterator

import pytest
from sqlmodel import Session, select
from starlette.applications import Starlette
from starlette.testclient import TestClient

from clubapp import tokens
from clubapp.database import reading, transaction
from clubapp.mail.messages import recipients_now
from clubapp.mail.transport.delivery import deliver
from clubapp.models import Act, Member, OutboxMail
from clubapp.refusals import NotFound
from clubapp.services.base import link_limit
from clubapp.services.base.actors import Actor
from clubapp.services.mailings import broadcasts
from clubapp.services.mailings import unsubscribe as mailing_unsubscribe
from clubapp.web.endpoints.mailings import unsubscribe
from clubapp.web.security.headers import SecurityHeaders
from tests.conftest import forget_settings
from tests.factories import add_member
from tests.smtp_server import Relay

ADMIN = Actor(email="helene@beffroi.example", is_admin=True)


@pytest.fixture
def browser(club: str) -> Iterator[TestClient]:
    """A browser without cookies, at the addresses of this module."""
    app = SecurityHeaders(Starlette(routes=unsubscribe.routes()))
    with TestClient(app, base_url="http://localhost:3000", follow_redirects=False) as client:
        yield client


def member() -> Member:
    with transaction() as session:
        return add_member(session, name="Zoé Lefèbvre", email="zoe@lefebvre.example")


def path_of(person: Member) -> str:
    return recipients_now.unsubscribe_link(person).removeprefix("http://localhost:3000")


def is_out(person: Member) -> bool:
    with reading() as session:
        return session.get_one(Member, person.id).opted_out_at is not None


def test_opening_the_link_changes_nothing(browser: TestClient) -> None:
    person = member()
    answer = browser.get(path_of(person))
    assert answer.status_code == 200
    assert "Ne plus recevoir nos envois" in answer.text
    assert "Zoé Lefèbvre" in answer.text
    assert not is_out(person)


def test_a_bare_post_unsubscribes_at_once_without_cookie_or_redirect(browser: TestClient) -> None:
    person = member()
    answer = browser.post(path_of(person), data={"List-Unsubscribe": "One-Click"}, headers={"Origin": "null"})
    assert answer.status_code == 200
    assert not answer.cookies
    assert is_out(person)
    again = browser.post(path_of(person), content=b"")
    assert again.status_code == 200
    assert is_out(person)


def test_a_link_does_not_fill_the_journal_and_leaving_is_never_refused(browser: TestClient) -> None:
    """Fails when whoever holds a link can write without end (W14)."""
    person = member()
    for _ in range(link_limit.MOST_CHANGES // 2):
        browser.post(path_of(person))
        browser.post(path_of(person))
        assert browser.post(path_of(person), data={"choix": "recevoir"}).status_code == 303
    assert (browser.post(path_of(person)).status_code, is_out(person)) == (200, True)
    refused = browser.post(path_of(person), data={"choix": "recevoir"})
    assert (refused.status_code, "Trop de changements" in refused.text, is_out(person)) == (429, True, True)
    with reading() as session:
        acts = session.exec(select(Act).where(Act.subject == person.id)).all()
    assert len(acts) == link_limit.MOST_CHANGES + 1


def test_the_page_leads_out_and_back_without_a_script(browser: TestClient) -> None:
    person = member()
    address = path_of(person)
    for expected in (True, False, True):
        page = browser.get(address).text
        form = re.search(r'<form method="post" action="([^"]+)">(.*?)</form>', page, re.DOTALL)
        assert form is not None
        assert "<script" not in page
        pressed = dict(re.findall(r'<button[^>]* name="([^"]+)" value="([^"]+)"', form[2]))
        assert "<input" not in form[2], "whoever posts a form's fields without pressing its button changes nothing"
        done = browser.post(form[1].replace("&amp;", "&"), data=pressed)
        assert (done.status_code, is_out(person)) == (303, expected)
        told = browser.get(done.headers["location"]).text
        assert ("C’est fait" if expected else "Vous recevez de nouveau nos envois") in told
        assert is_out(person) is expected, "a page that is loaded again changes nothing"


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://ailleurs.example"},
        {"Origin": "null", "Sec-Fetch-Site": "cross-site"},
        {"Referer": "http://[::1/x"},
    ],
    ids=["origin", "fetch", "an address that is none"],
)
def test_only_our_own_page_brings_somebody_back(browser: TestClient, headers: dict[str, str]) -> None:
    person = member()
    assert browser.post(path_of(person), headers=headers).status_code == 200, "a mail program's page may be anywhere"
    refused = browser.post(path_of(person), data={"choix": "recevoir"}, headers=headers)
    assert (refused.status_code, "Cette requête ne vient pas du site." in refused.text) == (403, True)
    assert "Ce lien n’est pas valable" not in refused.text
    assert is_out(person)
    ours = {"Origin": "null", "Sec-Fetch-Site": "same-origin"}
    assert browser.post(path_of(person), data={"choix": "recevoir"}, headers=ours).status_code == 303
    assert not is_out(person)


@pytest.mark.parametrize("token", ["", "x", "x.y", "{id}.", "{id}.x", "{id}." + "é" * 40, "%00.%00"])
def test_a_wrong_link_is_told_kindly_and_changes_nothing(browser: TestClient, token: str) -> None:
    person = member()
    address = f"/desinscription?token={token.replace('{id}', person.id)}"
    for answer in (browser.get(address), browser.post(address)):
        assert answer.status_code == 404
        assert "Ce lien n’est pas valable" in answer.text
        assert "contact@beffroi.example" in answer.text
    assert not is_out(person)


def test_a_token_for_something_else_is_worth_nothing(club: str) -> None:
    person = member()
    with transaction() as session, pytest.raises(NotFound):
        mailing_unsubscribe.unsubscribe(session, f"{person.id}.{tokens.derive('answer', person.id)}")


def test_the_link_of_someone_who_is_gone_leads_nowhere(browser: TestClient) -> None:
    person = member()
    address = path_of(person)
    with transaction() as session:
        session.delete(session.get_one(Member, person.id))
    assert browser.post(address).status_code == 404


def test_the_link_survives_a_change_of_key(browser: TestClient, environment: pytest.MonkeyPatch) -> None:
    person = member()
    address = path_of(person)
    environment.setenv(
        "CLUB_SECRET_KEY", "a-newer-key-of-enough-length-to-sign,a-test-key-of-enough-length-to-sign-with"
    )
    forget_settings()
    assert browser.post(address).status_code == 200
    assert is_out(person)


def test_the_page_is_private_and_safe(browser: TestClient) -> None:
    headers = browser.get(path_of(member())).headers
    assert headers["cache-control"] == "no-store"
    assert headers["referrer-policy"] == "no-referrer"
    assert "script-src 'self'" in headers["content-security-policy"]


def test_a_long_body_is_not_read_to_its_end(browser: TestClient) -> None:
    person = member()
    browser.post(path_of(person), data={"choix": "recevoir", "x": "y" * 100_000})
    assert is_out(person)  # not the page's own form: taken for a mail program's


def send(session: Session, subject: str) -> broadcasts.BroadcastRecipients:
    draft = broadcasts.save(session, ADMIN, broadcasts.BroadcastForm(subject=subject, content="Bonjour."))
    return broadcasts.send_broadcast(session, ADMIN, draft.id)


def test_one_click_takes_a_person_off_the_next_broadcast_which_says_so(relay: Relay, browser: TestClient) -> None:
    zoe = member()
    with transaction() as session:
        add_member(session)
        send(session, "Premier")
    deliver()
    mail = next(message for message in relay.accepted if "zoe@" in message["To"])
    assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    address = mail["List-Unsubscribe"].removeprefix("<http://localhost:3000").removesuffix(">")
    assert browser.post(address, data={"List-Unsubscribe": "One-Click"}).status_code == 200
    with transaction() as session:
        assert send(session, "Second").sentence == (
            "Il partira maintenant vers 1 membre. 1\u00a0ne veut plus d’e-mails et ne le recevra pas."
        )
        excluded = session.exec(select(OutboxMail.reason).where(OutboxMail.state == "excluded")).all()
    deliver()
    assert excluded == ["désinscrit des envois"]
    assert relay.recipients == {zoe.email: 1, "marie@durand.example": 2}
