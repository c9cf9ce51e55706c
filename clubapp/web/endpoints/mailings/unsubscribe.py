"""GET and POST /desinscription?token=…: leaving the mailings, and coming back (M3).

Access: everyone; the token is the right. GET changes nothing, so that a mail scanner that follows links takes nobody
off the list. POST acts at once, without cookie or redirect, for mail programs do it by themselves (RFC 8058); it brings
somebody back only from our own page. The page needs no script.
"""

from http import HTTPStatus
from urllib.parse import parse_qs, urlencode

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from clubapp.refusals import NotFound
from clubapp.routes import UNSUBSCRIBE
from clubapp.services.base.link_limit import LinkSpent
from clubapp.services.mailings import unsubscribe
from clubapp.web.endpoints.auth import FOREIGN_REQUEST, is_foreign
from clubapp.web.endpoints.plain_page import OF_A_LINK, respond_to_link
from clubapp.web.endpoints.request_body import UnreadableBody, read_body
from clubapp.web.security.guard import is_clean
from clubapp.web.service_calls import read, write

CHOICE, COME_BACK, LEAVE, DONE = "choix", "recevoir", "quitter", "fait"
_TITLES = {HTTPStatus.TOO_MANY_REQUESTS: "Trop de changements", HTTPStatus.FORBIDDEN: "Rien n’a changé"}
_NO_LINK = "Ce lien n’est pas valable"
_LONGEST_BODY = 4096


def routes() -> list[Route]:
    """What the application mounts."""
    return [
        Route(UNSUBSCRIBE, show_subscription, methods=["GET"]),
        Route(UNSUBSCRIBE, change_subscription, methods=["POST"]),
    ]


async def show_subscription(request: Request) -> Response:
    """How things stand, with one button to change it."""
    try:
        found = await read(unsubscribe.read_subscription, _token(request))
        return _page(request, found, is_done=DONE in request.query_params)
    except NotFound as refusal:
        return _page(request, None, refusal.text)


async def change_subscription(request: Request) -> Response:
    """Leave; or come back, when the page's own button says so. Any other body is a mail program's."""
    choice = await _chosen(request)
    comes_back = choice == COME_BACK
    if comes_back and is_foreign(request):
        return _page(request, None, FOREIGN_REQUEST, status=HTTPStatus.FORBIDDEN)
    try:
        service = unsubscribe.resubscribe if comes_back else unsubscribe.unsubscribe
        found = await write(service, _token(request))
        if choice in (COME_BACK, LEAVE):  # of our page, which may be loaded again
            address = f"{UNSUBSCRIBE}?{urlencode({'token': _token(request), DONE: 1})}"
            return RedirectResponse(address, HTTPStatus.SEE_OTHER, OF_A_LINK)
        return _page(request, found, is_done=True)
    except LinkSpent as refusal:
        return _page(request, None, refusal.text, status=HTTPStatus.TOO_MANY_REQUESTS)
    except NotFound as refusal:
        return _page(request, None, refusal.text)


def _token(request: Request) -> str:
    token = request.query_params.get("token", "")
    return token if is_clean(token) else ""


async def _chosen(request: Request) -> str:
    """The value of the form's field; empty for a body that is too long to be this form."""
    try:
        body = await read_body(request, _LONGEST_BODY)
    except UnreadableBody:
        return ""
    return parse_qs(body.decode("latin-1")).get(CHOICE, [""])[0]


def _page(
    request: Request,
    found: unsubscribe.Subscription | None,
    problem: str = "",
    *,
    is_done: bool = False,
    status: HTTPStatus = HTTPStatus.NOT_FOUND,
) -> Response:
    """The page of whom the link is for, or, under a `status`, why it is not shown."""
    return respond_to_link(
        request,
        "unsubscribe.html",
        HTTPStatus.OK if found else status,
        found=found,
        title=_TITLES.get(status, _NO_LINK),
        problem=problem,
        is_done=is_done,
        choice=CHOICE,
        come_back=COME_BACK,
        leave=LEAVE,
    )
