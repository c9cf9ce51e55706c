"""GET and POST /auth/alerte: what the links in mails about an account lead to (S14).

Access: everyone; the token is the right. GET says what the link does and changes nothing, so that a mail scanner that
follows it does nothing; POST does it. The page needs no script.
"""

from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from clubapp.refusals import Refusal
from clubapp.routes import ACCOUNT_LINK, SIGN_IN
from clubapp.services.access import account_links
from clubapp.services.access.account_links import LinkAct
from clubapp.settings import settings
from clubapp.web.security.guard import is_clean
from clubapp.web.security.headers import policy_for_html
from clubapp.web.service_calls import read, write

_PRIVATE = {"Cache-Control": "no-store", "Referrer-Policy": "no-referrer", "X-Robots-Tag": "noindex"}
_TEMPLATES = Environment(
    loader=FileSystemLoader(Path(__file__).parent.parent / "templates"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)


def routes() -> list[Route]:
    """The HTTP routes of this module."""
    return [Route(ACCOUNT_LINK, show_act, methods=["GET"]), Route(ACCOUNT_LINK, do_act, methods=["POST"])]


async def show_act(request: Request) -> Response:
    """What the link would do, with the button that does it."""
    try:
        return _page(request, await read(account_links.describe_link, *_asked(request)))
    except Refusal as refusal:
        return _page(request, None, refusal.text)


async def do_act(request: Request) -> Response:
    """Do it."""
    try:
        return _page(request, await write(account_links.follow_link, *_asked(request)))
    except Refusal as refusal:
        return _page(request, None, refusal.text)


def _asked(request: Request) -> tuple[str, str]:
    purpose, token = (request.query_params.get(name, "")[:200] for name in ("acte", "token"))
    return (purpose, token) if is_clean([purpose, token]) else ("", "")


def _page(request: Request, act: LinkAct | None, problem: str = "") -> Response:
    html = _TEMPLATES.get_template("account_link.html").render(
        club=settings(),
        act=act,
        problem=problem,
        address=f"{ACCOUNT_LINK}?{request.url.query}",
        sign_in=SIGN_IN,
    )
    headers = {**_PRIVATE, "Content-Security-Policy": policy_for_html(html)}
    return HTMLResponse(html, 200 if act else 404, headers)
