"""The server functions, for scripts and other systems (E1).

A bearer token of an administrator, from `access-token` or POST /auth/token, opens them; a cookie does not, so that no
page of another site can press these buttons. Every refusal is JSON with one French sentence under `error`.
"""

from collections.abc import Awaitable, Callable
from http import HTTPStatus
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from clubapp import routes as paths
from clubapp.infra import refusal_counts
from clubapp.refusals import Conflict, Forbidden, Invalid, NotFound, Refusal, TooMany
from clubapp.services.access import sessions
from clubapp.services.base.actors import Actor, require_admin
from clubapp.services.events import invitations
from clubapp.services.mailings import broadcasts, test_mails
from clubapp.web.endpoints.functions_openapi import DESCRIPTION
from clubapp.web.endpoints.request_body import UnreadableBody, read_json
from clubapp.web.security.guard import is_clean
from clubapp.web.service_calls import read, write

MAX_BODY = 16_384
NO_STORE = {"Cache-Control": "no-store"}
NO_TOKEN = "Connexion requise\u00a0: joignez un jeton d’accès valable dans l’en-tête Authorization (Bearer)."  # noqa: S105 - a sentence
NOT_JSON = "Le corps de la requête doit être un objet JSON, annoncé par Content-Type: application/json."
TOO_LONG = "Le corps de la requête est trop long."
ONLY_POST = "Cette fonction s’appelle par POST."
UNKNOWN_TYPE = "Indiquez le type d’e-mail à tester\u00a0: event ou broadcast."
NOT_A_CHOICE = "Le champ confirm vaut true ou false."
MISSING = "Le champ {} est obligatoire, et c’est un texte."
_STATUS: dict[type[Refusal], int] = {Forbidden: 403, NotFound: 404, Conflict: 409, Invalid: 422, TooMany: 429}
_Function = Callable[[Actor, dict[str, Any]], Awaitable[dict[str, Any]]]


class _Refused(Exception):
    """A request that is answered with an error before any service is asked."""

    def __init__(self, status: int, text: str, **headers: str) -> None:
        super().__init__(text)
        self.status, self.text, self.headers = status, text, headers


def routes() -> list[Route]:
    """The HTTP routes of this module."""
    functions = (
        (paths.SEND_TEST, send_test_email),
        (paths.SEND_INVITATIONS, send_event_invitations),
        (paths.SEND_BROADCAST, send_broadcast_email),
    )
    methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]
    return [
        Route(paths.FUNCTIONS_DESCRIPTION, describe_functions),
        *(Route(path, _endpoint(function), methods=methods) for path, function in functions),
    ]


async def send_test_email(person: Actor, body: dict[str, Any]) -> dict[str, Any]:
    """Queue a test of a mail to the address given."""
    to, kind = _text(body, "testEmail"), _text(body, "type")
    if kind == "event":
        mail_id = await write(
            test_mails.send_event_test,
            person,
            to=to,
            event_id=_text(body, "eventId"),
            email_type=_text(body, "emailType") if body.get("emailType") is not None else "invitation",
        )
    elif kind == "broadcast":
        mail_id = await write(test_mails.send_broadcast_test, person, to=to, broadcast_id=_text(body, "broadcastId"))
    else:
        raise Invalid(UNKNOWN_TYPE, field="type")
    return {"success": True, "id": mail_id}


async def send_event_invitations(person: Actor, body: dict[str, Any]) -> dict[str, Any]:
    """Invite every member to an event."""
    confirms = body.get("confirm", False)
    if not isinstance(confirms, bool):
        raise Invalid(NOT_A_CHOICE, field="confirm")
    report = await write(invitations.send_by_script, person, _text(body, "eventId"), confirms=confirms)
    left_out = [{"name": one.name, "reason": one.reason} for one in report.excluded]
    return {"success": True, "queued": report.queued, "excluded": left_out}


async def send_broadcast_email(person: Actor, body: dict[str, Any]) -> dict[str, Any]:
    """Send a draft to every active member."""
    reached = await write(broadcasts.send_broadcast, person, _text(body, "broadcastId"))
    excluded = reached.without_address + reached.opted_out
    return {"success": True, "queued": reached.recipients, "excluded": excluded}


def describe_functions(_request: Request) -> Response:
    """The OpenAPI description of the functions."""
    return JSONResponse(DESCRIPTION, headers={"Cache-Control": "public, max-age=3600"})


def _endpoint(function: _Function) -> Callable[[Request], Awaitable[Response]]:
    async def called(request: Request) -> Response:
        try:
            person = await _person(request)
            return JSONResponse(await function(person, await _body(request)), headers=NO_STORE)
        except _Refused as refused:
            if refused.status == HTTPStatus.UNAUTHORIZED:
                refusal_counts.count(refusal_counts.FUNCTION)
            return JSONResponse({"error": refused.text}, refused.status, NO_STORE | refused.headers)
        except Refusal as refusal:
            if isinstance(refusal, Forbidden):
                refusal_counts.count(refusal_counts.FUNCTION)
            status = next((code for kind, code in _STATUS.items() if isinstance(refusal, kind)), 400)
            return JSONResponse({"error": refusal.text}, status, NO_STORE)

    return called


async def _person(request: Request) -> Actor:
    """The administrator behind the token.

    Raises:
        Forbidden: when the token is a member's.
    """
    if request.method != "POST":
        raise _Refused(405, ONLY_POST, Allow="POST")
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    person = await read(sessions.find_token_actor, token.strip()) if scheme.lower() == "bearer" else None
    if person is None:
        raise _Refused(401, NO_TOKEN, **{"WWW-Authenticate": "Bearer"})
    require_admin(person)
    return person


async def _body(request: Request) -> dict[str, Any]:
    try:
        body = await read_json(request, MAX_BODY)
    except UnreadableBody as unreadable:
        is_too_long = unreadable.status == HTTPStatus.REQUEST_ENTITY_TOO_LARGE
        raise _Refused(unreadable.status, TOO_LONG if is_too_long else NOT_JSON) from None
    if not isinstance(body, dict) or not is_clean(body):
        raise _Refused(422, NOT_JSON)
    return body


def _text(body: dict[str, Any], name: str) -> str:
    value = body.get(name)
    if not isinstance(value, str) or not value.strip():
        raise Invalid(MISSING.format(name), field=name)
    return value
