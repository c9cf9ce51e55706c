"""A site of documents over a front end as the build leaves it."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.responses import PlainTextResponse, RedirectResponse
from starlette.routing import Router
from starlette.testclient import TestClient
from starlette.types import Receive, Scope, Send

from clubapp import frontend_build
from clubapp.clubapp import SCREENS  # noqa: F401 - they say what the documents hold
from clubapp.web.documents import not_found
from clubapp.web.documents import routes as document_routes
from clubapp.web.endpoints import calendar_feed, crawlers, share_cards, vcard

BUILT = (
    '<!DOCTYPE html><html lang="fr"><head><meta charSet="utf-8"/><title>Construit</title>'
    '<link as="style" href="/assets/looks.css" rel="preload"/>'
    '<meta content="" property="og:image"/><link rel="modulepreload" href="/assets/root.js"/>'
    '<link rel="preload" as="image" href="/skyline.svg"/>'
    '<script>let here = 1;</script><link href="/assets/looks.css" rel="stylesheet" type="text/css"/></head>'
    '<body><div>React</div><script type="module" async="">import "/assets/manifest-1.js";</script></body></html>'
)
FALLBACK = BUILT.replace("<title>Construit</title>", "")
LOOKS = 'h1{color:red}i{content:"</style>"}'
MANIFEST = (
    'window.__reactRouterManifest={"routes":{"a":{"path":"membres/:member_id",'
    '"module":"/assets/member.js","imports":["/assets/shared.js"]}}};'
)


@pytest.fixture
def build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A front end as the build leaves it."""
    client = tmp_path / "client"
    public = ("index", "membres", "connexion", "mentions-legales", "confidentialite")
    for name in (*public, "auth/callback", "admin", "admin/events", "member"):
        path = client / f"{name}.html"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(BUILT)
    (client / "__spa-fallback.html").write_text(FALLBACK)
    (client / "assets").mkdir()
    (client / "assets" / "manifest-1.js").write_text(MANIFEST)
    (client / "assets" / "looks.css").write_text(LOOKS)
    monkeypatch.setattr(frontend_build, "CLIENT", client)
    return client


async def _reflex(scope: Scope, receive: Receive, send: Send) -> None:
    """What stands behind: it has one script, any built page, and sends folders to the address of the visitor's own."""
    path, host = scope["path"], dict(scope["headers"]).get(b"host", b"").decode()
    if path.startswith("/folder"):
        await RedirectResponse(f"http://{host}{path}/", 307)(scope, receive, send)
    else:
        status = 200 if path == "/assets/root.js" or path.endswith((".html", ".html.br")) else 404
        await PlainTextResponse("reflex", status)(scope, receive, send)


@pytest.fixture
def visit(club: str, build: Path) -> Iterator[TestClient]:
    """A visitor of the site, who does not follow redirects."""
    routes = [
        route for source in (vcard, share_cards, crawlers, calendar_feed, document_routes) for route in source.routes()
    ]
    site = Router(routes, default=not_found.with_not_found_page(_reflex), redirect_slashes=False)
    with TestClient(site, follow_redirects=False, headers={"accept-encoding": "identity"}) as client:
        yield client
