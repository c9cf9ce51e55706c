"""Inserts head and first paint into the built HTML, and answers with it.

The built pages hold no content of this installation. What crawlers and people see before the interface has started
is written here: metadata into the head, and the page itself in `#first-paint` right after `<body>`. React
leaves both alone, and the takeover component removes them once the same stands in React's own nodes.
"""

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import anyio.to_thread
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import Response

from clubapp import frontend_build, routes
from clubapp.settings import settings
from clubapp.web.documents.cached_response import CachedDocument, respond_with_cached
from clubapp.web.security.headers import policy_for_html

NOT_BUILT = "L’interface n’est pas encore compilée\u00a0: lancez make build."

CONTENT_ID = "contenu"
_MAIN_PART = (
    ("<main ", '<div role="main" '),
    ("</main>", "</div>"),
    (f'id="{CONTENT_ID}"', f'id="{CONTENT_ID}-peint"'),
    (f'href="#{CONTENT_ID}"', f'href="#{CONTENT_ID}-peint"'),
)
_FALLBACK = "__spa-fallback.html"
_CHARSET = re.compile(r'<meta charset="utf-8"/?>', re.IGNORECASE)
# What Reflex writes there itself, and the document says better. React puts its own back when it takes over.
_REPLACED = re.compile(r'<title>[^<]*</title>|<meta (?=[^>]*(?:property="og:|name="description"))[^>]*>')
# The one style sheet of the whole site: announced, then linked.
_ANNOUNCED = re.compile(r'<link as="style" (?=[^>]*rel="preload")')
_LINKED = re.compile(r'<link href="(?P<path>/assets/[^"]+\.css)" rel="stylesheet"')
_SHEET = re.compile(rf"{_LINKED.pattern}[^>]*>")
# The page itself asks for them a few lines on: sooner, they only slow down what the first paint waits for.
_PICTURES = re.compile(r'<link rel="preload" as="image"[^>]*>')
_MANIFEST = re.compile(r"window\.__reactRouterManifest\s*=\s*(\{.*\})", re.DOTALL)
_BOOT = re.compile(r'<script type="module" async="">(.*?)</script>', re.DOTALL)
_DEFERRED = "later"
# What only the interface needs, for the pages that have none: scripts, and the links that fetch them early.
_INTERFACE = re.compile(r'<script.*?</script>|<link rel="modulepreload"[^>]*>|<link as="style"[^>]*>', re.DOTALL)
_BODY = re.compile(r"<body>.*</body>", re.DOTALL)
_SCRIPTS = Path(__file__).parent / "first_paint"


def read_script(name: str) -> str:
    """A script of the folder `first_paint`, to stand in a document; without its comments."""
    lines = (line.strip() for line in (_SCRIPTS / name).read_text().splitlines())
    return "\n".join(line for line in lines if not line.startswith("//"))


_STORAGE, _PLAIN, _START = read_script("storage.js"), read_script("plain.js"), read_script("start.js")
_FETCH = read_script("fetch_scripts.js")


@dataclass(frozen=True)
class Head:
    """What a document says of itself. `path` is its canonical address; without one it is not for search engines.

    `image` is the path of its picture of 1200 by 630, `image_label` what that shows; `data` is JSON-LD that can stand
    in a script element. `script` runs before the interface does; it is a constant, allowed by its hash.
    """

    title: str
    description: str = ""
    path: str = ""
    image: str = ""
    image_label: str = ""
    kind: str = "website"
    data: str = ""
    script: str = ""


async def respond_with_document(
    request: Request,
    route: str,
    *,
    head: Head,
    first_paint: str = "",
    status: int = 200,
    headers: Mapping[str, str] | None = None,
) -> Response:
    """One HTML page: the built file of a route of `clubapp.routes`, with a head and the content drawn before React.

    `first_paint` is trusted markup, made by a template.
    """
    try:
        made = await anyio.to_thread.run_sync(build_document, request, route, head, first_paint)
    except FileNotFoundError:
        return respond_not_built()
    return respond_with_cached(request, made, status, headers or {})


def build_document(request: Request, route: str, head: Head, first_paint: str) -> CachedDocument:
    """A document and the policy that allows the inline scripts in it. Compresses it: call it off the event loop.

    Raises:
        FileNotFoundError: when the front end is not built.
    """
    shell = _shell(route)
    # After the sheet of an area this runs when that has come, before the body is read.
    fetch = _FETCH if _own_style(route) and route != routes.SIGN_IN else ""
    script = _script(f"{_STORAGE}{fetch}{head.script}{_PLAIN if first_paint else ''}")
    painted = _apart(first_paint) + _data(head)
    body = _assemble(shell, str(_head_markup(head, route)), script, painted).encode()
    tag = f'W/"{hashlib.sha256(body).hexdigest()[:24]}"'
    made = CachedDocument(body, policy_for_html(shell + script), tag)
    made.encode_for(request)
    return made


async def respond_with_page(
    request: Request, route: str, *, head: Head, page: str, script: str, status: int, headers: Mapping[str, str]
) -> Response:
    """One HTML page that has no interface: `page` is all of its body, but for a `script` at its end."""
    try:
        made = await anyio.to_thread.run_sync(_build_page, request, route, head, page, script)
    except FileNotFoundError:
        return respond_not_built()
    return respond_with_cached(request, made, status, headers)


def _build_page(request: Request, route: str, head: Head, page: str, script: str) -> CachedDocument:
    shell = _read_plain_shell(_file(route), built_at(route), route)
    scripts = f"<script>{_STORAGE}{_PLAIN}{head.script}</script>", f"<script>{script}</script>"
    with_head = _CHARSET.sub(lambda charset: f"{charset[0]}{_head_markup(head, route)}{scripts[0]}", shell, count=1)
    body = with_head.replace("<body>", f"<body>{page}{scripts[1]}", 1).encode()
    made = CachedDocument(body, policy_for_html("".join(scripts)), f'W/"{hashlib.sha256(body).hexdigest()[:24]}"')
    made.encode_for(request)
    return made


@lru_cache(maxsize=8)
def _read_plain_shell(path: Path, _changed: int, route: str) -> str:
    html = _BODY.sub("<body></body>", _INTERFACE.sub("", _REPLACED.sub("", path.read_text())))
    style = frontend_build.area_style("event")
    if route != routes.ANSWER or not style:
        return _with_own_styles(html, route)
    # A typeface that a style in the document asks for is fetched under the document's first address as its referrer,
    # whatever its policy says: an answer's address begins with the token (W6), so the typefaces stay in their file.
    typefaces = f'<link id="typefaces" rel="stylesheet" media="print" href="{frontend_build.area_style("typefaces")}">'
    return _SHEET.sub("", html).replace("</head>", f"<style>{_style(style)}</style>{typefaces}</head>", 1)


def respond_not_built() -> Response:
    """The answer while the front end is not built: says how to build it."""
    return Response(NOT_BUILT, 503, media_type="text/plain")


def html_files() -> list[Path]:
    """Every HTML file of the build."""
    return sorted(frontend_build.CLIENT.rglob("*.html"))


def _assemble(shell: str, head: str, script: str, first_paint: str) -> str:
    with_head = _CHARSET.sub(lambda charset: charset[0] + head, shell, count=1)
    before, body, after = with_head.partition("<body>")
    # Elements React never makes: the first `div` of the body, or a script in the head, would be taken for its own.
    painted = f'<first-paint id="first-paint">{first_paint}</first-paint>' if first_paint else ""
    return f"{before}{body}{script}{painted}{after}"


def _apart(first_paint: str) -> str:
    """The first paint with a main part of its own: the element and its id stand in React's page, hidden beside it."""
    for one, other in _MAIN_PART:
        first_paint = first_paint.replace(one, other)
    return first_paint


def area_frame(route: str) -> str:
    """What stands before the content of a built page of an area, for the pages there that the build does not make.

    Raises:
        FileNotFoundError: when the front end is not built.
    """
    before, main, _ = _shell(route).partition("<main")
    _, start, frame = before.partition('<div class="frame ')
    return (start + frame).replace(' aria-current="page"', "") if main else ""


def _with_own_styles(html: str, route: str) -> str:
    """The styles of the areas that people only enter by a full load: other pages need not carry them.

    Those of the sign-in, which people come to first, are few, and stand in the page.
    """
    style = _own_style(route)
    if not style:
        return html
    link = f"<style>{_style(style)}</style>" if route == routes.SIGN_IN else f'<link rel="stylesheet" href="{style}">'
    return html.replace("</head>", f"{link}</head>", 1)


def _own_style(route: str) -> str:
    return frontend_build.area_style(route.split("/")[1])


def built_at(route: str) -> int:
    """When the file of a route was built, in ns since 1970. Raises FileNotFoundError when it was not."""
    return _file(route).stat().st_mtime_ns


def _shell(route: str) -> str:
    return _read_shell(_file(route), built_at(route), route)


def _file(route: str) -> Path:
    name = _FALLBACK if _is_fallback(route) else f"{route.strip('/') or 'index'}.html"
    return frontend_build.CLIENT / name


def _is_fallback(route: str) -> bool:
    """Whether the build made no page of the route's own."""
    return "[" in route or route == routes.NOT_FOUND


@lru_cache(maxsize=64)
def _read_shell(path: Path, _changed: int, route: str) -> str:
    html = _with_own_styles(_PICTURES.sub("", _REPLACED.sub("", path.read_text())), route)
    html = html.replace("</head>", f"{_links_to_scripts(route)}</head>", 1)
    return _defer_scripts(_inline_styles(html))


def _inline_styles(html: str) -> str:
    """The page with its styles in it: nothing else has to arrive before it is painted.

    The two links that the build made stay for React, which looks for them, and fetch nothing: Chromium 150 fetches a
    sheet that is only disabled.
    """
    html = _ANNOUNCED.sub('<link media="not all" as="style" ', html)
    unread = '<link disabled media="not all"'
    return _LINKED.sub(lambda link: f"<style>{_style(link['path'])}</style>{unread}{link[0][5:]}", html)


def _style(path: str) -> str:
    """A style sheet of the build; `</` is escaped so that it cannot end the style element."""
    return (frontend_build.CLIENT / path.lstrip("/")).read_text().replace("</", "<\\/")


def _defer_scripts(html: str) -> str:
    """Fetch the scripts only when all that is painted has come, and run them after it was."""
    html = html.replace('rel="modulepreload"', f'rel="{_DEFERRED}"')
    html = _BOOT.sub(lambda found: f'<script type="text/plain" id="boot">{found[1]}</script>', html)
    return html.replace("</body>", f"<script>{_FETCH}{_START}</script></body>")


def _head_markup(head: Head, route: str) -> Markup:
    """What is marked goes when React takes over, or when the document is left.

    The title of a prerendered page is not marked: React makes it its own.
    """
    mark = Markup(" data-first-paint") if _is_fallback(route) else ""
    made = [Markup("<title{}>{}</title>").format(mark, head.title)]
    if head.description:
        made.append(_meta("name", "description", head.description))
    if head.path:
        address = settings().public_url + head.path
        made.append(Markup('<link data-of-document rel="canonical" href="{}">').format(address))
        made += [_meta("property", name, value) for name, value in _open_graph(head, address) if value]
        made.append(_meta("name", "twitter:card", "summary_large_image"))
    else:
        made.append(_meta("name", "robots", "noindex"))
    return Markup("").join(made)


def _script(text: str) -> str:
    """What runs before anything is painted: constants of ours, nothing to escape."""
    return f"<first-script data-first-paint hidden><script>{text}</script></first-script>" if text else ""


def _data(head: Head) -> str:
    """Within the first paint: it goes with it, and no script element stands where React looks for its own."""
    return f'<script type="application/ld+json">{head.data}</script>' if head.data else ""


def _open_graph(head: Head, address: str) -> list[tuple[str, str]]:
    return [
        ("og:type", head.kind),
        ("og:site_name", settings().name),
        ("og:locale", "fr_FR"),
        ("og:title", head.title),
        ("og:description", head.description),
        ("og:url", address),
        *(_picture(head) if head.image else ()),
    ]


def _picture(head: Head) -> list[tuple[str, str]]:
    return [
        ("og:image", settings().public_url + head.image),
        ("og:image:type", "image/png"),
        ("og:image:width", "1200"),
        ("og:image:height", "630"),
        ("og:image:alt", head.image_label or head.title),
    ]


def _meta(key: str, name: str, content: str) -> Markup:
    return Markup('<meta data-of-document {}="{}" content="{}">').format(key, name, content)


def _links_to_scripts(route: str) -> str:
    """Links to the scripts of a dynamic route, which the fallback file does not announce by itself.

    They stand after those of the file: what starts the interface is fetched first.
    """
    manifest = next((frontend_build.CLIENT / "assets").glob("manifest-*.js"), None)
    if manifest is None or "[" not in route:
        return ""
    found = _MANIFEST.search(manifest.read_text())
    known = json.loads(found[1])["routes"] if found else {}
    path = re.sub(r"\[(\w+)\]", r":\1", route).strip("/")
    scripts = next(((one["module"], *one["imports"]) for one in known.values() if one.get("path") == path), ())
    link = Markup('<link data-first-paint rel="modulepreload" href="{}">')
    return Markup("").join(link.format(script) for script in scripts)
