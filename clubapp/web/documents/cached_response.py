"""An HTML document that is compressed once and answered with 304 to a browser that has it."""

import gzip
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import brotli
from starlette.requests import Request
from starlette.responses import Response


@dataclass(frozen=True)
class CachedDocument:
    """A document with its Content-Security-Policy and its entity tag."""

    body: bytes
    policy: str
    tag: str

    def encode_for(self, request: Request) -> tuple[bytes, str]:
        """The document in the best encoding the browser accepts, and the name of that encoding. Compressed once."""
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


def respond_with_cached(
    request: Request, made: CachedDocument, status: int = 200, headers: Mapping[str, str] | None = None
) -> Response:
    """Answer with the document, or with 304 when the browser has it."""
    named = {
        "Cache-Control": "no-cache",
        "Content-Security-Policy": made.policy,
        "ETag": made.tag,
        "Vary": "Accept-Encoding",
        **(headers or {}),
    }
    if status == 200 and request.headers.get("if-none-match") == made.tag:
        return Response(status_code=304, headers=named)
    body, encoding = made.encode_for(request)
    return Response(body, status, named | ({"Content-Encoding": encoding} if encoding else {}), media_type="text/html")
