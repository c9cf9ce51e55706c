"""A whole document as it is sent: packed once, named by what it says, not sent again to whoever has it."""

import gzip
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import brotli
from starlette.requests import Request
from starlette.responses import Response


@dataclass(frozen=True)
class Paper:
    """A whole document, ready to be sent: with its policy and what tells it from another."""

    body: bytes
    policy: str
    tag: str

    def packed(self, request: Request) -> tuple[bytes, str]:
        """The document in the best encoding that a browser accepts, and the name of that; made once."""
        accepted = request.headers.get("accept-encoding", "")
        if "br" in accepted:
            return self._brotli, "br"
        return (self._gzip, "gzip") if "gzip" in accepted else (self.body, "")

    @cached_property
    def _brotli(self) -> bytes:
        return brotli.compress(self.body, quality=5)

    @cached_property
    def _gzip(self) -> bytes:
        return gzip.compress(self.body, 5, mtime=0)


def sent(request: Request, made: Paper, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """The answer that a browser gets: the document, or that it has it already."""
    named = {
        "Cache-Control": "no-cache",
        "Content-Security-Policy": made.policy,
        "ETag": made.tag,
        "Vary": "Accept-Encoding",
        **(headers or {}),
    }
    if status == 200 and request.headers.get("if-none-match") == made.tag:
        return Response(status_code=304, headers=named)
    body, encoding = made.packed(request)
    return Response(body, status, named | ({"Content-Encoding": encoding} if encoding else {}), media_type="text/html")
