"""Reads a request's body within a limit of bytes, as it is, as JSON or as a form."""

import json
from http import HTTPStatus
from typing import Any
from urllib.parse import parse_qsl

from starlette.requests import Request

_MOST_FIELDS = 20


class UnreadableBody(Exception):
    """The body cannot be used. `status` is the HTTP status that says why: 400, 413 or 415."""

    def __init__(self, status: HTTPStatus) -> None:
        super().__init__(status.phrase)
        self.status = status


async def read_body(request: Request, max_bytes: int, *, drain_bytes: int = 0) -> bytes:
    """The body of a request. Never more than `max_bytes` and one chunk of it are in memory.

    A longer body is refused at once; with `drain_bytes`, what the browser still sends is read up to that size and
    dropped first, so that the browser reads the answer instead of meeting a closed connection.

    Raises:
        UnreadableBody: 413 for a body of more than `max_bytes`.
        ClientDisconnect: when the client leaves before the end.
    """
    received, total = bytearray(), 0
    async for chunk in request.stream():
        total += len(chunk)
        if total <= max_bytes:
            received += chunk
        elif total > drain_bytes:
            break
        else:
            received.clear()
    if total > max_bytes:
        raise UnreadableBody(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
    return bytes(received)


async def read_form(request: Request, max_bytes: int) -> dict[str, str]:
    """The fields of a plain form, the first value of each.

    Raises:
        UnreadableBody: as `read_json`, for what is not a form of at most 20 fields.
    """
    return dict(reversed(await read_pairs(request, max_bytes, _MOST_FIELDS)))


async def read_pairs(request: Request, max_bytes: int, most: int) -> list[tuple[str, str]]:
    """The fields of a plain form in their order, for one that repeats a name.

    Raises:
        UnreadableBody: as `read_json`, for what is not a form of at most `most` fields.
    """
    _require_type(request, "application/x-www-form-urlencoded")
    content = await read_body(request, max_bytes)
    try:
        return parse_qsl(content.decode(), keep_blank_values=True, max_num_fields=most)
    except ValueError:
        raise UnreadableBody(HTTPStatus.BAD_REQUEST) from None


async def read_json(request: Request, max_bytes: int) -> Any:
    """The JSON value in the body of a request. The caller checks its type and what it holds.

    Raises:
        UnreadableBody: 415 for another Content-Type than application/json, 413 for a body of more than `max_bytes`,
            400 for one that is not JSON.
    """
    _require_type(request, "application/json")
    content = await read_body(request, max_bytes)
    try:
        return json.loads(content)
    except (ValueError, RecursionError):
        raise UnreadableBody(HTTPStatus.BAD_REQUEST) from None


def _require_type(request: Request, wanted: str) -> None:
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != wanted:
        raise UnreadableBody(HTTPStatus.UNSUPPORTED_MEDIA_TYPE)
