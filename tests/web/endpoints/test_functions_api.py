"""The server functions: a bearer token and JSON, or a French error; a cookie opens nothing."""

from collections.abc import Callable
from datetime import datetime
from typing import Any

import pytest
from openapi_spec_validator import validate
from sqlmodel import select
from starlette.applications import Starlette
from starlette.testclient import TestClient

from clubapp import clock
from clubapp.database import reading, transaction
from clubapp.infra import refusal_counts
from clubapp.models import BroadcastEmail, Event, OutboxMail
from clubapp.services.access import sessions
from clubapp.services.base.actors import Actor
from clubapp.services.mailings import broadcasts
from clubapp.services.mailings.broadcasts import BroadcastForm
from clubapp.web.endpoints import functions_api, test_link
from tests.conftest import on_sqlite
from tests.factories import add_admin, add_event, add_member

pytestmark = on_sqlite

HELENE = "helene@beffroi.example"
MARIE = "marie@durand.example"
TEST, INVITE, SEND = (
    "/functions/send-test-email",
    "/functions/send-event-invitations",
    "/functions/send-broadcast-email",
)


@pytest.fixture(autouse=True)
def november(at: Callable[[str], datetime]) -> None:
    at("2026-11-20T10:00")


@pytest.fixture
def client(club: str) -> TestClient:
    """A script with an administrator's token, and one member to write to."""
    with transaction() as session:
        add_admin(session, HELENE)
        add_member(session, email=MARIE)
        token = sessions.issue_admin_token(session, HELENE).token
    made = TestClient(Starlette(routes=[*functions_api.routes(), *test_link.routes()]))
    made.headers["Authorization"] = f"Bearer {token}"
    return made


@pytest.fixture
def event_id(client: TestClient) -> str:
    with transaction() as session:
        return add_event(session, date=clock.from_local("2027-01-14T12:00"), status="confirmed").id


@pytest.fixture
def broadcast_id(client: TestClient) -> str:
    with transaction() as session:
        actor = Actor(email=HELENE, is_admin=True)
        return broadcasts.save(session, actor, BroadcastForm(subject="La lettre", content="Bonjour")).id


def kinds() -> list[str]:
    with reading() as session:
        return list(session.exec(select(OutboxMail.kind)))


def refused(answer: Any, status: int) -> str:
    """The French sentence of a refusal."""
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/json"
    assert answer.headers["cache-control"] == "no-store"
    assert list(answer.json()) == ["error"]
    return answer.json()["error"]


def test_a_test_of_an_event_s_mail_is_queued(client: TestClient, event_id: str) -> None:
    for email_type in ("invitation", "reminder_1", "reminder_2", None):
        body = {"testEmail": "essai@club.example", "type": "event", "eventId": event_id, "emailType": email_type}
        answer = client.post(TEST, json=body)
        assert (answer.status_code, answer.json()["success"]) == (200, True)
    assert kinds() == ["test"] * 4


def test_a_test_of_a_broadcast_is_queued(client: TestClient, broadcast_id: str) -> None:
    body = {"testEmail": "essai@club.example", "type": "broadcast", "broadcastId": broadcast_id}
    assert client.post(TEST, json=body).status_code == 200
    with reading() as session:
        assert session.get_one(BroadcastEmail, broadcast_id).status == "draft"


def test_invitations_go_out_once(client: TestClient, event_id: str) -> None:
    answer = client.post(INVITE, json={"eventId": event_id})
    assert answer.json() == {"success": True, "queued": 1, "excluded": []}
    assert refused(client.post(INVITE, json={"eventId": event_id}), 409).startswith("Les invitations")
    with reading() as session:
        assert session.get_one(Event, event_id).invitation_sent
    assert kinds() == ["invitation"]


def test_an_event_that_is_only_planned_is_refused_unless_the_call_confirms_it(client: TestClient) -> None:
    with transaction() as session:
        event_id = add_event(session, date=clock.from_local("2027-02-11T12:00"), status="draft").id
    assert "confirmez-le" in refused(client.post(INVITE, json={"eventId": event_id}), 409)
    refused(client.post(INVITE, json={"eventId": event_id, "confirm": "yes"}), 422)
    assert kinds() == []
    assert client.post(INVITE, json={"eventId": event_id, "confirm": True}).json()["queued"] == 1
    with reading() as session:
        assert session.get_one(Event, event_id).status == "confirmed"


def test_a_broadcast_goes_out_once(client: TestClient, broadcast_id: str) -> None:
    answer = client.post(SEND, json={"broadcastId": broadcast_id})
    assert answer.json() == {"success": True, "queued": 1, "excluded": 0}
    assert refused(client.post(SEND, json={"broadcastId": broadcast_id}), 409) == "Cet e-mail a déjà été envoyé."
    assert kinds() == ["broadcast"]


@pytest.mark.parametrize("path", [TEST, INVITE, SEND])
@pytest.mark.parametrize("header", ["", "Bearer", "Bearer forged", "Basic aGVsZW5l", "Bearer a.b.c"])
def test_without_a_living_token_nothing_is_done(client: TestClient, path: str, header: str) -> None:
    client.headers["Authorization"] = header
    answer = client.post(path, json={})
    assert refused(answer, 401).startswith("Connexion requise")
    assert answer.headers["www-authenticate"] == "Bearer"


def test_a_cookie_opens_nothing(client: TestClient, event_id: str) -> None:
    with transaction() as session:
        cookie, _ = sessions.open_session(session, HELENE)
    del client.headers["Authorization"]
    client.cookies.set("session", cookie)
    refused(client.post(INVITE, json={"eventId": event_id}, headers={"Origin": "http://localhost:3000"}), 401)


def test_a_token_ends_with_its_time_and_with_its_session(
    client: TestClient, event_id: str, at: Callable[[str], datetime]
) -> None:
    at("2026-11-20T10:11")
    refused(client.post(INVITE, json={"eventId": event_id}), 401)
    at("2026-11-20T10:01")
    with transaction() as session:
        sessions.end_all_sessions(session, HELENE)
    refused(client.post(INVITE, json={"eventId": event_id}), 401)


@pytest.mark.parametrize("path", [TEST, INVITE, SEND])
def test_a_member_s_token_is_not_enough(client: TestClient, path: str) -> None:
    with transaction() as session:
        cookie, _ = sessions.open_session(session, MARIE)
        person = sessions.find_actor(session, cookie.partition(".")[0])
        assert person is not None
    client.headers["Authorization"] = f"Bearer {sessions.issue_access_token(person).token}"
    refusal_counts.take()
    refused(client.post(path, json={}), 403)
    assert refusal_counts.take() == {"function": 1}
    assert kinds() == []


@pytest.mark.parametrize(
    ("path", "body"),
    [
        (INVITE, {"eventId": "no-such-event"}),
        (SEND, {"broadcastId": "no-such-broadcast"}),
        (TEST, {"testEmail": "a@club.example", "type": "event", "eventId": "x", "emailType": "invitation"}),
        (TEST, {"testEmail": "a@club.example", "type": "broadcast", "broadcastId": "x"}),
    ],
)
def test_what_does_not_exist_is_not_found(client: TestClient, path: str, body: dict[str, str]) -> None:
    assert "n’existe plus" in refused(client.post(path, json=body), 404)


@pytest.mark.parametrize(
    ("path", "body"),
    [
        (INVITE, {}),
        (INVITE, {"eventId": ""}),
        (INVITE, {"eventId": 12}),
        (INVITE, {"eventId": ["x"]}),
        (INVITE, {"eventId": "\0"}),
        (INVITE, []),
        (INVITE, "x"),
        (SEND, {"eventId": "x"}),
        (TEST, {"type": "event", "eventId": "x"}),
        (TEST, {"testEmail": "a@club.example"}),
        (TEST, {"testEmail": "a@club.example", "type": "sign_in"}),
        (TEST, {"testEmail": "pas une adresse", "type": "event", "eventId": "x"}),
        (TEST, {"testEmail": "a@b.example", "type": "event", "eventId": "x", "emailType": "sign_in"}),
    ],
)
def test_a_body_that_lacks_something_is_refused(client: TestClient, path: str, body: Any) -> None:
    assert refused(client.post(path, json=body), 422)
    assert kinds() == []


def test_what_is_not_json_is_refused(client: TestClient) -> None:
    refused(client.post(INVITE, content=b"{", headers={"Content-Type": "application/json"}), 400)
    refused(client.post(INVITE, content=b"[" * 9000, headers={"Content-Type": "application/json"}), 400)
    refused(client.post(INVITE, content=b"eventId=x", headers={"Content-Type": "text/plain"}), 415)
    refused(client.post(INVITE, data={"eventId": "x"}), 415)
    refused(client.post(INVITE, json={"eventId": "x" * 20_000}), 413)


@pytest.mark.parametrize("method", ["GET", "PUT", "PATCH", "DELETE", "OPTIONS"])
def test_only_post_is_taken(client: TestClient, method: str) -> None:
    answer = client.request(method, INVITE)
    assert refused(answer, 405)
    assert answer.headers["allow"] == "POST"


def test_the_description_is_valid_and_names_every_function(client: TestClient) -> None:
    answer = client.get("/functions/openapi.json", headers={"Authorization": ""})
    validate(answer.json())
    assert answer.json()["openapi"].startswith("3.1")
    assert set(answer.json()["paths"]) == {TEST, INVITE, SEND}


def test_a_link_of_a_test_mail_explains_itself(client: TestClient) -> None:
    answer = client.get("/essai?mode=test&answer=oui")
    assert answer.status_code == 200
    assert "Ce lien vient d’un e-mail de test" in answer.text
    assert "rien n’a été enregistré" in answer.text
