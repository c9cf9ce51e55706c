"""What the arrivals page calls: the list as it stands, the presses of a device, the link of the helpers, the end.

Open pages ask for the list each second instead of holding a socket: behind a door the network comes and goes, and an
answer that nothing has changed costs neither a query nor a body.
"""

import hashlib
import json
import math
import re
from collections.abc import Awaitable, Callable
from dataclasses import asdict
from datetime import timedelta
from http import HTTPStatus
from typing import Any

from sqlalchemy.exc import SQLAlchemyError
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from clubapp import clock
from clubapp import routes as paths
from clubapp.refusals import Forbidden, Invalid, Refusal
from clubapp.services.attendance import arrivals, closing, door_view, helper_link
from clubapp.services.attendance.arrivals import Touch, TouchKind
from clubapp.web.documents import commit_stamp
from clubapp.web.documents.cached_response import CachedDocument
from clubapp.web.documents.page_cache import get_or_make
from clubapp.web.endpoints.attendance.arrivals_access import PRIVATE, Keeper, admit, refuse
from clubapp.web.endpoints.auth import FOREIGN_REQUEST, MALFORMED, is_foreign
from clubapp.web.endpoints.request_body import UnreadableBody, read_json
from clubapp.web.screens.toasts import NEUTRAL, log_unexpected
from clubapp.web.security.guard import is_clean
from clubapp.web.service_calls import read, write

MOST_TOUCHES = 200  # in one request
_LONGEST_BODY = 131_072
_LONGEST_PERSON = 80
_IDENTIFIER = re.compile(r"[A-Za-z0-9-]{8,36}")
# A clock is corrected by what it is wrong; a small difference is the time that the request took.
_TOLERATED = timedelta(minutes=1)
_Endpoint = Callable[[Request], Awaitable[Response]]


def routes() -> list[Route]:
    """The addresses below the page, of administrators and of helpers."""
    admin, helper = paths.arrivals("{event_id}"), paths.helper_arrivals("{event_id}")
    return [
        *(Route(f"{base}/etat", _guarded(read_state)) for base in (admin, helper)),
        *(Route(f"{base}/touches", _guarded(record_touches), methods=["POST"]) for base in (admin, helper)),
        Route(f"{admin}/lien", _guarded(show_link)),
        Route(f"{admin}/fermeture", _guarded(preview_closing)),
        Route(f"{admin}/fermeture", _guarded(close), methods=["POST"]),
        Route(f"{admin}/lien", _guarded(change_link), methods=["POST"]),
    ]


async def read_state(request: Request) -> Response:
    """The list and the figures, or 304 when the caller has them."""
    return _respond(request, await _make_state(await admit(request)))


async def record_touches(request: Request) -> Response:
    """Keep the presses of a device, and answer with the list as it stands then, and with those that were `refused`."""
    keeper = await admit(request)
    touches = _touches(await read_json(request, _LONGEST_BODY))
    refused = await write(arrivals.record_arrivals, keeper.event_id, touches, keeper.person.email)
    made = await _make_state(keeper)
    if not refused:
        return _respond(request, made)
    told = json.loads(made.body) | {"refused": [asdict(one) for one in refused]}
    return JSONResponse(told, headers=PRIVATE)


async def show_link(request: Request) -> Response:
    """The link of the helpers, if there is one."""
    keeper = await admit(request)
    return JSONResponse(asdict(await read(helper_link.read_link, keeper.person, keeper.event_id)), headers=PRIVATE)


async def change_link(request: Request) -> Response:
    """Make the link anew, or withdraw it."""
    keeper = await admit(request)
    body = await read_json(request, _LONGEST_BODY)
    acts = {"make": helper_link.make_link, "withdraw": helper_link.withdraw_link}
    asked = str(body.get("act")) if isinstance(body, dict) else ""
    if asked not in acts:
        raise Invalid(MALFORMED)
    return JSONResponse(asdict(await write(acts[asked], keeper.person, keeper.event_id)), headers=PRIVATE)


async def preview_closing(request: Request) -> Response:
    """What closing the doors would settle."""
    keeper = await admit(request)
    return JSONResponse(asdict(await read(closing.preview_closing, keeper.person, keeper.event_id)), headers=PRIVATE)


async def close(request: Request) -> Response:
    """Close the doors."""
    keeper = await admit(request)
    await write(closing.close_doors, keeper.person, keeper.event_id)
    return await preview_closing(request)


def _guarded(endpoint: _Endpoint) -> _Endpoint:
    async def answer(request: Request) -> Response:
        try:
            if request.method == "POST" and is_foreign(request):
                raise Forbidden(FOREIGN_REQUEST)
            return await endpoint(request)
        except UnreadableBody as unreadable:
            return JSONResponse({"error": MALFORMED}, unreadable.status, PRIVATE)
        except Refusal as refusal:
            return refuse(refusal)
        except SQLAlchemyError as error:
            text = NEUTRAL.format(log_unexpected(error))
            return JSONResponse({"error": text}, HTTPStatus.SERVICE_UNAVAILABLE, PRIVATE)

    return answer


async def _make_state(keeper: Keeper) -> CachedDocument:
    async def make() -> CachedDocument:
        shown = await read(door_view.read_view, keeper.event_id, is_helper=keeper.is_helper)
        body = json.dumps(asdict(shown), ensure_ascii=False, separators=(",", ":")).encode()
        return CachedDocument(body, "", f'"{hashlib.sha256(body).hexdigest()[:24]}"')

    reader = "helper" if keeper.is_helper else "admin"
    return await get_or_make(f"arrivals {keeper.event_id} {reader}", await commit_stamp.read_stamp(), make)


def _respond(request: Request, made: CachedDocument) -> Response:
    headers = PRIVATE | {"ETag": made.tag, "Vary": "Accept-Encoding"}
    if request.method == "GET" and request.headers.get("if-none-match") in (made.tag, f"W/{made.tag}"):
        return Response(status_code=304, headers=headers)
    body, encoding = made.encode_for(request)
    encoded = {"Content-Encoding": encoding} if encoding else {}
    return Response(body, headers=headers | encoded, media_type="application/json")


def _touches(body: Any) -> list[Touch]:
    """The presses in a request.

    Raises:
        Invalid: when it is not one of our page's.
    """
    sent = body.get("touches") if isinstance(body, dict) else None
    if not isinstance(sent, list) or len(sent) > MOST_TOUCHES or not is_clean(body):
        raise Invalid(MALFORMED)
    try:
        ahead = clock.from_milliseconds(_number(body, "sent_at")) - clock.now()
        return [_touch(one, ahead if abs(ahead) > _TOLERATED else timedelta()) for one in sent]
    except (OverflowError, OSError, ValueError, TypeError):
        raise Invalid(MALFORMED) from None


def _touch(one: Any, ahead: timedelta) -> Touch:
    """A press; its instant is corrected by what the device's clock is ahead of ours."""
    if not isinstance(one, dict):
        raise TypeError
    identifier, person = str(one.get("id")), str(one.get("person") or "")
    if not _IDENTIFIER.fullmatch(identifier) or not 0 < len(person) <= _LONGEST_PERSON:
        raise ValueError
    named = str(one.get("name") or "") if _IDENTIFIER.fullmatch(person) else ""
    return Touch(
        id=identifier,
        person=person,
        kind=TouchKind(one.get("kind")),
        at=clock.from_milliseconds(_number(one, "at")) - ahead,
        name=named,
        company=str(one.get("company") or ""),
    )


def _number(values: dict[str, Any], name: str) -> float:
    value = values.get(name)
    if not isinstance(value, int | float) or not math.isfinite(value):
        raise ValueError(name)
    return value
