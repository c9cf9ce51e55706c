"""The page of arrivals: a document with the list in it, and the service worker that opens it without network.

It is one file: styles and script stand in it, so that what the browser keeps for a cellar is always of one version.
"""

import json
import re
from functools import lru_cache
from pathlib import Path
from typing import Any

import anyio.to_thread
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup
from sqlalchemy.exc import SQLAlchemyError
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from clubapp import clock
from clubapp import routes as paths
from clubapp.refusals import Refusal
from clubapp.services.attendance import door_view
from clubapp.services.attendance.door_view import ShownRow
from clubapp.services.events import stages
from clubapp.settings import settings
from clubapp.web.documents.cached_response import CachedDocument, respond_with_cached
from clubapp.web.endpoints.attendance.arrivals_access import (
    PRIVATE,
    Keeper,
    SignedOut,
    admit,
    keep_token,
    status_of,
)
from clubapp.web.screens.toasts import NEUTRAL, log_unexpected
from clubapp.web.security.current_actor import cookie_name as session_cookie_name
from clubapp.web.security.guard import EXPIRED, is_clean
from clubapp.web.security.headers import policy_for_html
from clubapp.web.service_calls import read

_IDENTIFIER = re.compile(r"[A-Za-z0-9-]{1,64}")
_HERE = Path(__file__).parent
_SCRIPTS = (
    "arrivals_search.js",
    "arrivals_store.js",
    "arrivals_screen.js",
    "arrivals_sync.js",
    "arrivals_closing.js",
    "arrivals_link.js",
)
_TEMPLATES = Environment(
    loader=FileSystemLoader((_HERE, _HERE.parent / "templates")),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)


def routes() -> list[Route]:
    """The page of administrators, and that of helpers."""
    admin, helper = paths.arrivals("{event_id}"), paths.helper_arrivals("{event_id}")
    return [
        Route(admin, show_to_administrator),
        Route(helper, show_to_helper),
        *(Route(f"{base}/sw.js", send_worker) for base in (admin, helper)),
    ]


async def show_to_administrator(request: Request) -> Response:
    """The page; whoever is not signed in is led to the sign-in."""
    try:
        return await _page(request, await admit(request))
    except SignedOut:
        to = EXPIRED if session_cookie_name() in request.cookies else paths.SIGN_IN
        return RedirectResponse(to, 303, PRIVATE)
    except (Refusal, SQLAlchemyError) as error:
        return _problem(error)


async def show_to_helper(request: Request) -> Response:
    """The page for the holder of the link. Its token goes from the address into a cookie first (W6)."""
    given = request.query_params.get("token", "")
    token = given if is_clean(given) else ""
    try:
        keeper = await admit(request, token)
        if token:
            return keep_token(RedirectResponse(keeper.base, 303, PRIVATE), keeper, token)
        return await _page(request, keeper)
    except (Refusal, SQLAlchemyError) as error:
        return _problem(error)


async def send_worker(request: Request) -> Response:
    """The service worker, which answers for this one page. It holds nothing of anybody."""
    if not _IDENTIFIER.fullmatch(request.path_params["event_id"]):
        return PlainTextResponse("Introuvable.", 404, PRIVATE)
    base = request.url.path.removesuffix("/sw.js")
    script = f"const base = {json.dumps(base)};\n{_script('arrivals_worker.js')}"
    headers = {"Service-Worker-Allowed": base, "Cache-Control": "no-cache"}
    return Response(script, media_type="text/javascript", headers=headers)


async def _page(request: Request, keeper: Keeper) -> Response:
    shown = await read(door_view.read_view, keeper.event_id, is_helper=keeper.is_helper)
    made = await anyio.to_thread.run_sync(_render, keeper, shown)
    return respond_with_cached(request, made, headers=PRIVATE)


def _render(keeper: Keeper, shown: door_view.ShownDoor) -> CachedDocument:
    script = "\n".join(map(_script, _SCRIPTS))
    html = _TEMPLATES.get_template("arrivals.html").render(
        club=settings(),
        keeper=keeper,
        door=shown,
        events=paths.ADMIN_EVENTS,
        review=paths.event_tab(keeper.event_id, stages.REVIEW_TAB),
        zone=settings().timezone,
        now=int(clock.now().timestamp() * 1000),
        hour=_hour,
        blank=_BLANK,
        guest=door_view.GUEST,
        styles=Markup(_read("arrivals.css")),  # noqa: S704 - a file of ours
        script=Markup(script),  # noqa: S704 - files of ours
    )
    return CachedDocument(html.encode(), policy_for_html(f"<script>{script}</script>"), "")


def _problem(error: Exception) -> Response:
    """A page that says why it is not the list."""
    if isinstance(error, Refusal):
        text, status = error.text, status_of(error)
    else:
        text, status = NEUTRAL.format(log_unexpected(error)), 503
    html = _TEMPLATES.get_template("arrivals_problem.html").render(club=settings(), problem=text)
    return HTMLResponse(html, status, PRIVATE | {"Content-Security-Policy": policy_for_html(html)})


def _hour(milliseconds: int) -> str:
    return clock.hour(clock.from_milliseconds(milliseconds))


# What the script fills to make a row.
_BLANK: Any = ShownRow("", "", "", "", 0, "", False, False, False, False, "", "", 0, 0)


@lru_cache
def _read(name: str) -> str:
    return (_HERE / name).read_text()


@lru_cache
def _script(name: str) -> str:
    """A script without its comments."""
    return "\n".join(line for line in _read(name).splitlines() if not line.lstrip().startswith("//"))
