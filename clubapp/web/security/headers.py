"""Security and cache headers on every answer (W4)."""

import base64
import hashlib
import re
from functools import lru_cache

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from clubapp.settings import settings

_INLINE_SCRIPT = re.compile(r"<script(?![^>]*\ssrc=)[^>]*>(.*?)</script>", re.DOTALL)
_PATHS_WITH_TOKENS = ("/event/", "/guest/", "/choix/", "/auth/", "/accueil/")
# Small files: the headers of a page would weigh as much as they do.
_PICTURES = ("/media/", "/avatars/")
_PICTURE = "default-src 'none'; frame-ancestors 'none'"
_DRAWING = f"{_PICTURE}; style-src 'unsafe-inline'"
HASHED = "public, max-age=31536000, immutable"
UNHASHED = "public, max-age=86400"
# Headers for revalidation and ranges: a hashed file is small and never changes.
_REVALIDATION_HEADERS = ("etag", "last-modified", "accept-ranges")
_UNHASHED_ASSETS = (".svg", ".woff2", ".ico", ".png", ".webmanifest", ".css")


def policy_for_html(html: str, *, frame_src: str = "'none'") -> str:
    """The Content-Security-Policy of one document: its own inline scripts by hash, nothing evaluated."""
    return _policy(tuple(sorted(set(_script_hashes(html)))), frame_src)


@lru_cache(maxsize=256)
def _script_hashes(html: str) -> tuple[str, ...]:
    return tuple(
        "'sha256-" + base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() + "'"
        for script in _INLINE_SCRIPT.findall(html)
    )


@lru_cache(maxsize=256)
def _policy(hashes: tuple[str, ...], frame_src: str) -> str:
    # The policy language has no way to name an IPv6 host; 'self' covers it where browsers follow its third level.
    sockets = " ".join("ws" + origin.removeprefix("http") for origin in settings().origins if "[" not in origin)
    return "; ".join(
        (
            "default-src 'none'",
            " ".join(("script-src 'self'", *hashes)),
            "style-src 'self' 'unsafe-inline'",
            "img-src 'self' data: blob:",
            "font-src 'self' data:",
            f"connect-src 'self' {sockets}",
            f"frame-src {frame_src}",
            "manifest-src 'self'",
            "base-uri 'none'",
            "form-action 'self'",
            "frame-ancestors 'none'",
            "object-src 'none'",
        )
    )


class SecurityHeaders:
    """ASGI wrapper that completes the headers of every HTTP answer."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Add the headers that the answer does not set itself."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def complete(message: Message) -> None:
            if message["type"] == "http.response.start":
                _complete(MutableHeaders(scope=message), scope["path"], message["status"])
            await send(message)

        await self.app(scope, receive, complete)


def _complete(headers: MutableHeaders, path: str, status: int) -> None:
    # No other origin may read answers, whatever the framework's default is.
    for name in [name for name in headers if name.startswith("access-control-")]:
        del headers[name]
    headers.setdefault("X-Content-Type-Options", "nosniff")
    if settings().uses_https:
        below = "; includeSubDomains" if settings().hsts_subdomains else ""
        headers.setdefault("Strict-Transport-Security", f"max-age=31536000{below}")
    if status == 200 and path.startswith(_PICTURES):
        headers.setdefault("Content-Security-Policy", _PICTURE)
        headers.setdefault("Cross-Origin-Resource-Policy", "same-origin")
    elif status == 200 and _is_file(path):
        headers["Vary"] = "Accept-Encoding"
        if path.startswith("/assets/"):
            for name in _REVALIDATION_HEADERS:
                del headers[name]
        headers.setdefault("Cache-Control", HASHED if path.startswith("/assets/") else UNHASHED)
        if path.endswith(".svg"):
            headers["Content-Type"] = "image/svg+xml; charset=utf-8"
            headers.setdefault("Content-Security-Policy", _DRAWING)
    else:
        _complete_page(headers, path)


def _is_file(path: str) -> bool:
    """Whether a path is a file of the build. Only an SVG needs a policy of its own: browsers open it as a document."""
    return path.startswith("/assets/") or path.endswith(_UNHASHED_ASSETS)


def _complete_page(headers: MutableHeaders, path: str) -> None:
    secretive = path.startswith(_PATHS_WITH_TOKENS)
    headers.setdefault("Content-Security-Policy", policy_for_html(""))
    headers.setdefault("Cross-Origin-Opener-Policy", "same-origin")
    headers.setdefault("Cross-Origin-Resource-Policy", "same-origin")
    headers.setdefault("Permissions-Policy", "camera=(), geolocation=(), microphone=()")
    headers.setdefault("Referrer-Policy", "no-referrer" if secretive else "strict-origin-when-cross-origin")
    if secretive:
        headers.setdefault("Cache-Control", "no-store")
