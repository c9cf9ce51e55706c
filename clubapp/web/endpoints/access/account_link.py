"""GET and POST /auth/alerte: what the links in mails about an account lead to (S14).

Access: everyone; the token is the right. GET says what the link does and changes nothing, so that a mail scanner that
follows it does nothing; POST does it, when it holds the field of the page's own button. The page needs no script.
"""

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from clubapp.refusals import Refusal
from clubapp.routes import ACCOUNT_LINK, SIGN_IN
from clubapp.services.access import account_links
from clubapp.services.access.account_links import LinkAct
from clubapp.web.endpoints.auth import browser_of, is_foreign
from clubapp.web.endpoints.plain_page import respond_to_link
from clubapp.web.endpoints.request_body import UnreadableBody, read_form
from clubapp.web.security.guard import is_clean
from clubapp.web.service_calls import read, write

PRESS = "geste"
_LONGEST_BODY = 4096


def routes() -> list[Route]:
    """The HTTP routes of this module."""
    return [Route(ACCOUNT_LINK, show_act, methods=["GET"]), Route(ACCOUNT_LINK, do_act, methods=["POST"])]


async def show_act(request: Request) -> Response:
    """What the link would do, with the button that does it."""
    try:
        return _page(request, await read(account_links.describe_link, *_asked(request), browser_of(request)))
    except Refusal as refusal:
        return _page(request, None, refusal.text)


async def do_act(request: Request) -> Response:
    """Do it; without the button's field, or from a page of another site, show the page."""
    try:
        form = await read_form(request, _LONGEST_BODY)
    except UnreadableBody:
        form = {}
    if PRESS not in form or is_foreign(request):
        return await show_act(request)
    try:
        return _page(request, await write(account_links.follow_link, *_asked(request), browser_of(request)))
    except Refusal as refusal:
        return _page(request, None, refusal.text)


def _asked(request: Request) -> tuple[str, str]:
    purpose, token = (request.query_params.get(name, "")[:200] for name in ("acte", "token"))
    return (purpose, token) if is_clean([purpose, token]) else ("", "")


def _page(request: Request, act: LinkAct | None, problem: str = "") -> Response:
    return respond_to_link(
        request,
        "account_link.html",
        200 if act else 404,
        act=act,
        press=PRESS,
        purpose=_asked(request)[0],
        problem=problem,
        sign_in=SIGN_IN,
    )
