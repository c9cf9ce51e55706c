"""The calls of second factors over HTTP: our pages and the session only, JSON, nothing kept by caches (S12)."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from httpx import Response
from pyotp.totp import TOTP
from starlette.applications import Starlette
from starlette.testclient import TestClient

from clubapp import clock
from clubapp.database import reading, transaction
from clubapp.infra import refusal_counts
from clubapp.services.access import sessions
from clubapp.web.endpoints import auth
from clubapp.web.endpoints.access import factors_api
from tests.factories import add_admin
from tests.passkeys import ORIGIN, Passkey
from tests.services.access.sign_ins import HELENE, newest, secrets_of
from tests.services.access.sign_ins import ask as ask_for_mail

LEA = "lea@beffroi.example"
Later = Callable[[timedelta], None]


class Browser(TestClient):
    """A browser on one of our pages, signed in unless its person is nobody."""

    def __init__(self, email: str = "") -> None:
        routes = [*auth.routes(), *factors_api.routes()]
        super().__init__(Starlette(routes=routes), base_url=ORIGIN, follow_redirects=False)
        self.headers["Origin"] = ORIGIN
        if email:
            with transaction() as session:
                self.cookies.set("session", sessions.open_session(session, email)[0], domain="localhost.local")

    def sign_in_by_mail(self, email: str) -> Any:
        """Open the link of a mail that this browser asked for."""
        nonce = ask_for_mail(email)
        access, refresh = secrets_of(newest(email))
        tokens = {"access_token": access, "refresh_token": refresh, "nonce": nonce}
        return self.post("/auth/redeem", json=tokens).json()

    def challenge(self, factor_id: str) -> dict[str, Any]:
        """The challenge of a factor."""
        return self.post(f"/factors/{factor_id}/challenge").json()

    def answer(self, factor_id: str, **answer: Any) -> Response:
        """The answer to a challenge."""
        return self.post(f"/factors/{factor_id}/verify", json=answer)

    def add_passkey(self, key: Passkey) -> str:
        """Let a passkey count; the id of its factor."""
        made = self.post("/factors", json={"factor_type": "webauthn", "friendly_name": "Téléphone"}).json()["id"]
        asked = self.challenge(made)
        assert asked["webauthn"]["type"] == "create"
        credential = key.create(asked["webauthn"]["credential_options"]["publicKey"])
        done = self.answer(made, challenge_id=asked["id"], credential_response=credential)
        assert done.status_code == 200, done.text
        return made

    def use_passkey(self, factor_id: str, key: Passkey, **how: Any) -> Response:
        """Verify a passkey that counts."""
        asked = self.challenge(factor_id)
        credential = key.get(asked["webauthn"]["credential_options"]["publicKey"], **how)
        return self.answer(factor_id, challenge_id=asked["id"], webauthn={"credential_response": credential})

    def sign_in_with(self, key: Passkey, **how: Any) -> dict[str, Any]:
        """Sign in without a mail."""
        asked = self.post("/auth/passkey/options", json={}).json()
        answer = {"challenge_id": asked["challenge_id"], "credential_response": key.get(asked["options"], **how)}
        return self.post("/auth/passkey", json=answer).json()

    @property
    def actor(self) -> Any:
        """Whose browser it is."""
        with reading() as session:
            return sessions.find_actor(session, self.cookies.get("session", "").partition(".")[0])


@pytest.fixture
def helene(club: str, later: Later) -> Browser:
    with transaction() as session:
        add_admin(session, HELENE)
        add_admin(session, LEA)
    return Browser(HELENE)


def refused(answer: Response, status: int) -> str:
    assert answer.status_code == status, answer.text
    assert answer.headers["cache-control"] == "no-store"
    return answer.json()["error"]


def test_an_app_is_added_challenged_and_verified(helene: Browser, later: Later) -> None:
    made = helene.post("/factors", json={"factor_type": "totp", "friendly_name": "Mon appli", "issuer": "x"})
    assert made.headers["cache-control"] == "no-store"
    body = made.json()
    assert (body["type"], body["friendly_name"], body["status"]) == ("totp", "Mon appli", "unverified")
    assert body["totp"]["uri"].startswith("otpauth://totp/")
    asked = helene.challenge(body["id"])
    assert asked["expires_at"] > clock.now().timestamp()
    code = TOTP(body["totp"]["secret"]).at(clock.now())
    before = helene.cookies["session"]
    done = helene.answer(body["id"], challenge_id=asked["id"], code=code).json()
    assert done["event"] == "MFA_CHALLENGE_VERIFIED"
    assert done["user"] == {
        "email": HELENE,
        "factors": [{"id": body["id"], "factor_type": "totp", "friendly_name": "Mon appli", "status": "verified"}],
    }
    assert len(done["recovery_codes"]) == 10
    assert helene.cookies["session"] != before
    with reading() as session:
        bearer = sessions.find_token_actor(session, done["access_token"])
    assert bearer is not None
    assert bearer.email == HELENE
    again = helene.challenge(body["id"])
    assert refused(helene.answer(body["id"], challenge_id=again["id"], code=code), 422)
    assert helene.delete(f"/factors/{body['id']}").json() == {"id": body["id"]}


def test_a_telephone_is_refused_and_what_cannot_be_read_too(helene: Browser) -> None:
    phone = {"factor_type": "phone", "phone": "+33612345678"}
    assert "SMS" in refused(helene.post("/factors", json=phone), 422)
    assert refused(helene.post("/factors", content="x", headers={"content-type": "text/plain"}), 415)
    assert refused(helene.post("/factors", content="[", headers={"content-type": "application/json"}), 400)
    assert refused(helene.post("/factors", json={"factor_type": "x" * 40_000}), 413)
    assert refused(helene.post("/factors/nobody-s/challenge"), 404)
    for odd in ({"factor_type": 3}, {"factor_type": None}, {}):
        assert refused(helene.post("/factors", json=odd), 422)


def test_only_our_pages_and_a_session_may_call(helene: Browser) -> None:
    calls: list[tuple[str, str]] = [
        ("POST", "/factors"),
        ("DELETE", "/factors/x"),
        ("POST", "/factors/x/challenge"),
        ("POST", "/factors/x/verify"),
        ("POST", "/factors/recovery-codes"),
        ("POST", "/factors/recovery-codes/verify"),
    ]
    visitor = Browser()
    for method, path in calls:
        assert "session" in refused(visitor.request(method, path, json={}), 401)
        for origin in ("https://ailleurs.example", "null"):
            assert refused(helene.request(method, path, json={}, headers={"Origin": origin}), 403)


def test_what_is_refused_is_counted(helene: Browser) -> None:
    """Fails when somebody tries codes of a second factor and no entry of the journal says so."""
    made = helene.post("/factors", json={"factor_type": "totp"}).json()["id"]
    refusal_counts.take()
    for _ in range(2):
        refused(helene.answer(made, challenge_id=helene.challenge(made)["id"], code="12"), 422)
    refused(helene.answer(made, challenge_id="forged", code="123456"), 404)
    refused(helene.post("/factors/recovery-codes/verify", json={"code": "abcd"}), 422)
    for _ in range(2):
        refused(helene.post("/factors/recovery-codes/verify", json={"code": "abcd"}), 422)
    refused(helene.post("/factors/recovery-codes/verify", json={"code": "abcd"}), 429)
    assert refusal_counts.take() == {"factor": 7}
    refused(helene.post("/factors", json={}, headers={"Origin": "https://elsewhere.example"}), 403)
    assert refusal_counts.take() == {"origin": 1}


def test_the_key_set_is_empty(helene: Browser) -> None:
    answer = helene.get("/.well-known/jwks.json")
    assert (answer.status_code, answer.json()) == (200, {"keys": []})


def test_a_half_open_session_gets_no_token(helene: Browser) -> None:
    key = Passkey()
    factor_id = helene.add_passkey(key)
    half = Browser()
    assert half.sign_in_by_mail(HELENE) == {"status": "ok", "next": "/connexion/verification"}
    assert half.post("/auth/token", json={}).status_code == 401
    assert refused(half.post("/factors", json={"factor_type": "totp"}), 403)
    assert refused(half.delete(f"/factors/{factor_id}"), 403)
    done = half.use_passkey(factor_id, key)
    assert (done.status_code, done.json()["next"]) == (200, "/admin")
    assert half.post("/auth/token", json={}).status_code == 200


def test_a_passkey_signs_in_without_a_mail(helene: Browser) -> None:
    key = Passkey()
    helene.add_passkey(key)
    elsewhere = Browser()
    assert elsewhere.sign_in_with(key) == {"status": "ok", "next": "/admin"}
    assert elsewhere.actor.is_admin
    assert not elsewhere.actor.needs_proof
    assert elsewhere.sign_in_with(Passkey())["status"] == "error"


def test_a_passkey_alone_must_have_verified_its_user(helene: Browser) -> None:
    key = Passkey()
    helene.add_passkey(key)
    assert Browser().sign_in_with(key, is_verified=False)["status"] == "error"


def test_a_copy_of_a_passkey_is_recognised_by_its_counter(helene: Browser) -> None:
    key = Passkey()
    factor_id = helene.add_passkey(key)
    assert helene.use_passkey(factor_id, key).status_code == 200
    assert refused(helene.use_passkey(factor_id, key, counts=False), 422)
    assert Browser().sign_in_with(key, counts=False)["status"] == "error"
    key.count -= 1
    assert refused(helene.use_passkey(factor_id, key, counts=False), 422)


def test_another_site_s_answer_is_refused(helene: Browser) -> None:
    key = Passkey()
    factor_id = helene.add_passkey(key)
    assert refused(helene.use_passkey(factor_id, key, origin="https://ailleurs.example"), 422)
    assert Browser().sign_in_with(key, origin="https://ailleurs.example")["status"] == "error"
    key.site = "ailleurs.example"
    assert refused(helene.use_passkey(factor_id, key), 422)


def test_a_passkey_made_on_another_site_does_not_count(helene: Browser) -> None:
    made = helene.post("/factors", json={"factor_type": "webauthn"}).json()["id"]
    for site, origin in (("localhost", "https://ailleurs.example"), ("ailleurs.example", ORIGIN)):
        asked = helene.challenge(made)
        credential = Passkey(site).create(asked["webauthn"]["credential_options"]["publicKey"], origin=origin)
        assert refused(helene.answer(made, challenge_id=asked["id"], credential_response=credential), 422)
    with reading() as session:
        assert not sessions.has_factor(session, HELENE)


def test_an_answer_serves_once_in_its_browser_and_in_time(helene: Browser, later: Later) -> None:
    key = Passkey()
    helene.add_passkey(key)
    one, other = Browser(), Browser()
    asked = one.post("/auth/passkey/options", json={}).json()

    def answer() -> dict[str, Any]:
        return {"challenge_id": asked["challenge_id"], "credential_response": key.get(asked["options"])}

    other.post("/auth/passkey/options", json={})
    assert other.post("/auth/passkey", json=answer()).json()["status"] == "error"
    assert one.post("/auth/passkey", json=answer()).json()["status"] == "ok"
    assert one.post("/auth/passkey", json=answer()).json()["status"] == "error"
    asked = one.post("/auth/passkey/options", json={}).json()
    later(timedelta(minutes=6))
    assert one.post("/auth/passkey", json=answer()).json()["status"] == "error"


def test_a_refused_answer_uses_its_challenge_up(helene: Browser) -> None:
    """Fails when one challenge may be tried until an answer is right."""
    key = Passkey()
    factor_id = helene.add_passkey(key)
    asked = helene.challenge(factor_id)
    options = asked["webauthn"]["credential_options"]["publicKey"]

    def answer(**how: Any) -> Response:
        return helene.answer(factor_id, challenge_id=asked["id"], credential_response=key.get(options, **how))

    assert refused(answer(origin="https://ailleurs.example"), 422)
    assert "a déjà servi" in refused(answer(), 404)

    one = Browser()
    alone = one.post("/auth/passkey/options", json={}).json()
    for stranger in (Passkey(), key):
        credential = stranger.get(alone["options"])
        answered = {"challenge_id": alone["challenge_id"], "credential_response": credential}
        assert one.post("/auth/passkey", json=answered).json()["status"] == "error"


def test_a_passkey_that_is_somebody_s_already_uses_its_challenge_up(helene: Browser) -> None:
    key = Passkey()
    helene.add_passkey(key)
    lea = Browser(LEA)
    made = lea.post("/factors", json={"factor_type": "webauthn"}).json()["id"]
    asked = lea.challenge(made)
    options = asked["webauthn"]["credential_options"]["publicKey"]
    for answering, status in ((key, 409), (Passkey(), 404)):
        refused(lea.answer(made, challenge_id=asked["id"], credential_response=answering.create(options)), status)
    with reading() as session:
        assert not sessions.has_factor(session, LEA)


def test_somebody_else_s_passkey_is_refused(helene: Browser) -> None:
    own, foreign = Passkey(), Passkey()
    factor_id = helene.add_passkey(own)
    lea = Browser(LEA)
    lea_s = lea.add_passkey(foreign)
    assert refused(helene.use_passkey(factor_id, foreign), 422)
    assert refused(lea.post(f"/factors/{factor_id}/challenge"), 404)
    foreign.id = own.id  # says that it is hers, signed by another key
    assert refused(helene.use_passkey(factor_id, foreign), 422)
    again = helene.post("/factors", json={"factor_type": "webauthn"}).json()["id"]
    asked = helene.challenge(again)
    stolen = own.create(asked["webauthn"]["credential_options"]["publicKey"])
    assert refused(helene.answer(again, challenge_id=asked["id"], credential_response=stolen), 409)
    assert lea.delete(f"/factors/{lea_s}").status_code == 200


def test_any_passkey_of_the_person_answers(helene: Browser) -> None:
    first, second = Passkey(), Passkey()
    factor_id = helene.add_passkey(first)
    helene.add_passkey(second)
    assert helene.use_passkey(factor_id, second).status_code == 200


def test_recovery_codes_over_http(helene: Browser) -> None:
    assert refused(helene.post("/factors/recovery-codes", json={}), 409)
    helene.add_passkey(Passkey())
    codes = helene.post("/factors/recovery-codes", json={}).json()["recovery_codes"]
    half = Browser()
    half.sign_in_by_mail(HELENE)
    for _ in range(5):
        assert refused(half.post("/factors/recovery-codes/verify", json={"code": "nope"}), 422)
    blocked = half.post("/factors/recovery-codes/verify", json={"code": codes[0]})
    assert refused(blocked, 429)
    assert int(blocked.headers["retry-after"]) == 30


def test_an_old_proof_adds_nothing(helene: Browser, later: Later) -> None:
    key = Passkey()
    factor_id = helene.add_passkey(key)
    later(timedelta(minutes=11))
    answer = helene.post("/factors", json={"factor_type": "totp"})
    assert refused(answer, 403)
    assert answer.json()["code"] == "proof_required"
    assert helene.use_passkey(factor_id, key).status_code == 200
    assert helene.post("/factors", json={"factor_type": "totp"}).status_code == 200
