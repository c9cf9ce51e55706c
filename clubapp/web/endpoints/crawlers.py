"""What programs read of the site: sitemap, robots.txt, security.txt (RFC 9116) and the web-app manifest."""

from datetime import timedelta
from xml.etree import ElementTree

import anyio.to_thread
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from clubapp import clock
from clubapp import routes as paths
from clubapp.services.public_site import club_presentation, sitemap
from clubapp.services.public_site.sitemap import PublicPage
from clubapp.settings import settings
from clubapp.web.service_calls import read

PRIVATE = ("/admin", "/member", "/event", "/guest", "/choix", "/auth", paths.MAILBOX)
SECURITY_PROMISE = timedelta(days=180)
_SITEMAP = "http://www.sitemaps.org/schemas/sitemap/0.9"
# The standard's limit of one file.
_MOST_PAGES = 50_000
_KEPT = {"Cache-Control": "public, max-age=3600"}
_KEPT_BRIEFLY = {"Cache-Control": "public, max-age=60"}
_ICONS = (
    {"src": "/favicon.svg", "sizes": "any", "type": "image/svg+xml"},
    {"src": "/icon-192.png", "sizes": "192x192", "type": "image/png"},
    {"src": "/icon-512.png", "sizes": "512x512", "type": "image/png"},
)


def routes() -> list[Route]:
    """The addresses of this module. Access: everyone."""
    return [
        Route(paths.SITEMAP, _sitemap),
        Route(paths.ROBOTS, _robots),
        Route(paths.SECURITY, _security),
        Route(paths.MANIFEST, _manifest),
    ]


async def _sitemap(_request: Request) -> Response:
    pages = await read(sitemap.list_public_pages)
    document = await anyio.to_thread.run_sync(_sitemap_of, pages[:_MOST_PAGES])
    return Response(document, media_type="application/xml; charset=utf-8", headers=_KEPT_BRIEFLY)


def _sitemap_of(pages: tuple[PublicPage, ...]) -> bytes:
    root = ElementTree.Element("urlset", xmlns=_SITEMAP)
    for page in pages:
        entry = ElementTree.SubElement(root, "url")
        ElementTree.SubElement(entry, "loc").text = settings().public_url + page.path
        if page.changed_at:
            ElementTree.SubElement(entry, "lastmod").text = page.changed_at.isoformat(timespec="seconds")
    return ElementTree.tostring(root, encoding="utf-8", xml_declaration=True)


async def _robots(_request: Request) -> Response:
    refused = (f"Disallow: {path}" for path in PRIVATE)
    lines = ("User-agent: *", *refused, "", f"Sitemap: {settings().public_url}{paths.SITEMAP}")
    return PlainTextResponse("\n".join(lines) + "\n", headers=_KEPT)


async def _security(_request: Request) -> Response:
    expires = (clock.now() + SECURITY_PROMISE).strftime("%Y-%m-%dT00:00:00Z")
    lines = (
        f"Contact: mailto:{settings().contact_email}",
        f"Expires: {expires}",
        "Preferred-Languages: fr",
        f"Canonical: {settings().public_url}{paths.SECURITY}",
    )
    return PlainTextResponse("\n".join(lines) + "\n", headers=_KEPT)


async def _manifest(_request: Request) -> Response:
    shown = club_presentation.build_presentation()
    content = {
        "id": paths.HOME,
        "name": shown.name,
        "description": shown.headline,
        "lang": "fr",
        "start_url": paths.HOME,
        "display": "browser",
        "background_color": "#fbf8f3",
        "theme_color": "#1b2430",
        "icons": _ICONS,
    }
    return JSONResponse(content, media_type="application/manifest+json", headers=_KEPT)
