"""The addresses of second factors: adding one, its challenge and its answer, removing it (S12).

Access: the session cookie, half open or not, and one of our own pages as the origin. Every refusal is JSON with one
French sentence under `error`.
"""

from collections.abc import Awaitable, Callable
from http import HTTPStatus
from typing import Any

from sqlmodel import Session
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from clubapp import clock
from clubapp import routes as paths
from clubapp.infra import refusal_counts
from clubapp.refusals import Conflict, Forbidden, Invalid, NotFound, ProofRequired, Refusal, TooMany
from clubapp.services.access import factors, known_browsers, sessions
from clubapp.services.access.factors import ChallengeView, Enrolment, Refused, Verified
from clubapp.services.base.actors import Actor
from clubapp.web.endpoints.auth import FOREIGN_REQUEST, MALFORMED, NO_STORE, browser_of, is_from_our_pages, with_cookie
from clubapp.web.endpoints.request_body import UnreadableBody, read_json
from clubapp.web.security.current_actor import cookie_name
from clubapp.web.security.guard import is_clean
from clubapp.web.service_calls import write

MAX_BODY = 32_768  # an answer of a passkey with its attestation
NO_SESSION = "Connexion requise\u00a0: ouvrez d’abord une session."
PROOF_REQUIRED = "proof_required"
_STATUS: dict[type[Refusal], int] = {Forbidden: 403, NotFound: 404, Conflict: 409, Invalid: 422}
_Function = Callable[[Session, Actor, Request, dict[str, Any]], Any]


class _NoSession(Exception):
    """The cookie is not that of an active session."""


def routes() -> list[Route]:
    """The HTTP routes of this module."""
    one = f"{paths.FACTORS}/{{factor_id}}"
    return [
        Route(paths.KEY_SET, key_set),
        Route(paths.RECOVERY_CODES, _endpoint(renew_recovery_codes), methods=["POST"]),
        Route(f"{paths.RECOVERY_CODES}/verify", _endpoint(use_recovery_code), methods=["POST"]),
        Route(paths.FACTORS, _endpoint(enrol), methods=["POST"]),
        Route(one, _endpoint(remove), methods=["DELETE"]),
        Route(f"{one}/challenge", _endpoint(challenge), methods=["POST"]),
        Route(f"{one}/verify", _endpoint(verify), methods=["POST"]),
    ]


def key_set(_request: Request) -> Response:
    """No public key: access tokens are signed with a secret that only this site knows, and only it can check them."""
    return JSONResponse({"keys": []}, headers={"Cache-Control": "public, max-age=3600"})


def enrol(session: Session, person: Actor, _request: Request, body: dict[str, Any]) -> dict[str, Any]:
    """Begin to add a factor; an app gets its seed and QR code."""
    made = factors.enrol_factor(session, person, _text(body, "factor_type"), _text(body, "friendly_name"))
    answer: dict[str, Any] = {
        "id": made.id,
        "type": made.factor_type,
        "factor_type": made.factor_type,
        "friendly_name": made.friendly_name,
        "status": "unverified",
    }
    return answer | _seed(made)


def challenge(session: Session, person: Actor, request: Request, _body: dict[str, Any]) -> dict[str, Any]:
    """A challenge for one of the person's factors."""
    made = factors.challenge_factor(session, person, _factor_id(request))
    answer: dict[str, Any] = {
        "id": made.id,
        "type": made.factor_type,
        "factor_type": made.factor_type,
        "expires_at": int(made.expires_at.timestamp()),
    }
    return answer | _options(made)


def verify(session: Session, person: Actor, request: Request, body: dict[str, Any]) -> Any:
    """Check the code or the passkey's answer to a challenge; the session is open from then on."""
    done = factors.verify_factor(
        session,
        person,
        _factor_id(request),
        _text(body, "challenge_id"),
        code=_text(body, "code"),
        credential=_credential(body),
    )
    return _opened(session, person, request, done)


def use_recovery_code(session: Session, person: Actor, request: Request, body: dict[str, Any]) -> Any:
    """Open the session with a recovery code."""
    return _opened(session, person, request, factors.use_recovery_code(session, person, _text(body, "code")))


def renew_recovery_codes(session: Session, person: Actor, _request: Request, _body: dict[str, Any]) -> dict[str, Any]:
    """Ten new recovery codes, shown once."""
    return {"recovery_codes": list(factors.renew_recovery_codes(session, person))}


def remove(session: Session, person: Actor, request: Request, _body: dict[str, Any]) -> dict[str, Any]:
    """Remove one of the person's factors."""
    factor_id = _factor_id(request)
    factors.remove_factor(session, person, factor_id)
    return {"id": factor_id}


def _opened(session: Session, person: Actor, request: Request, done: Verified | Refused) -> Any:
    """The answer to a factor that was verified, with another secret for the cookie."""
    if isinstance(done, Refused):
        return done
    changed = sessions.rotate_secret(session, request.cookies.get(cookie_name(), ""))
    opened = sessions.find_actor(session, person.session_id or "")
    if changed is None or opened is None:
        raise _NoSession
    known_browsers.confirm_browser(session, opened.email, browser_of(request))
    token = sessions.issue_access_token(opened)
    answer: dict[str, Any] = {
        "event": factors.VERIFIED_EVENT,
        "access_token": token.token,
        "token_type": "bearer",
        "expires_at": int(token.expires_at.timestamp()),
        "expires_in": int((token.expires_at - clock.now()).total_seconds()),
        "user": {
            "email": opened.email,
            "factors": [
                {"id": one.id, "factor_type": one.factor_type, "friendly_name": one.name, "status": "verified"}
                for one in factors.list_factors(session, opened)
            ],
        },
        "next": paths.ADMIN if opened.is_admin else paths.MEMBER,
    }
    if done.recovery_codes:
        answer["recovery_codes"] = list(done.recovery_codes)
    return with_cookie(JSONResponse(answer, headers=NO_STORE), *changed)


def _endpoint(function: _Function) -> Callable[[Request], Awaitable[Response]]:
    async def called(request: Request) -> Response:
        if not is_from_our_pages(request):
            return _error(FOREIGN_REQUEST, HTTPStatus.FORBIDDEN)
        try:
            made = await write(_run, function, request, await _body(request))
        except UnreadableBody as unreadable:
            return _error(MALFORMED, unreadable.status)
        except _NoSession:
            return _error(NO_SESSION, HTTPStatus.UNAUTHORIZED)
        except Refusal as refusal:
            return _refuse(refusal)
        if isinstance(made, Refused):
            refusal_counts.count(refusal_counts.FACTOR)
            return _error(made.text, HTTPStatus.CONFLICT if made.is_conflict else HTTPStatus.UNPROCESSABLE_ENTITY)
        return made if isinstance(made, Response) else JSONResponse(made, headers=NO_STORE)

    return called


def _refuse(refusal: Refusal) -> Response:
    if isinstance(refusal, NotFound | TooMany):  # what is gone, a stranger's, or tried too often
        refusal_counts.count(refusal_counts.FACTOR)
    if isinstance(refusal, TooMany):
        waiting = {"Retry-After": str(refusal.retry_after)}
        return _error(refusal.text, HTTPStatus.TOO_MANY_REQUESTS, **waiting)
    status = next((code for kind, code in _STATUS.items() if isinstance(refusal, kind)), 400)
    return _error(refusal.text, status, code=PROOF_REQUIRED if isinstance(refusal, ProofRequired) else "")


def _run(session: Session, function: _Function, request: Request, body: dict[str, Any]) -> Any:
    living = sessions.resolve_cookie(session, request.cookies.get(cookie_name(), ""))
    if living is None:
        raise _NoSession
    return function(session, living.actor, request, body)


def _error(text: str, status: int, *, code: str = "", **headers: str) -> Response:
    content = {"error": text} | ({"code": code} if code else {})
    return JSONResponse(content, status, NO_STORE | headers)


async def _body(request: Request) -> dict[str, Any]:
    """The object in the body; a DELETE, and a challenge, may have none."""
    if not request.headers.get("content-type") and request.headers.get("content-length", "0") == "0":
        return {}
    body = await read_json(request, MAX_BODY)
    if not isinstance(body, dict) or not is_clean(body):
        raise UnreadableBody(HTTPStatus.BAD_REQUEST)
    return body


def _text(body: dict[str, Any], name: str) -> str:
    value = body.get(name, "")
    return value if isinstance(value, str) else ""


def _factor_id(request: Request) -> str:
    given = request.path_params["factor_id"]
    return given if is_clean(given) else ""


def _credential(body: dict[str, Any]) -> dict[str, Any]:
    """The answer of a passkey, alone or inside `webauthn`."""
    outer = body.get("webauthn")
    found = (outer if isinstance(outer, dict) else body).get("credential_response")
    return found if isinstance(found, dict) else {}


def _seed(made: Enrolment) -> dict[str, Any]:
    return {"totp": {"secret": made.secret, "uri": made.uri, "qr_code": made.qr_code}} if made.secret else {}


def _options(made: ChallengeView) -> dict[str, Any]:
    if made.options is None:
        return {}
    kind = "create" if made.act == "create" else "request"
    return {"webauthn": {"type": kind, "credential_options": {"publicKey": made.options}}}
