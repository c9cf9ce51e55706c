"""GET and POST /guest/{id}?token=…: where the mail to a guest leads: decline, or have one's data erased.

Access: everyone; the token is the right. GET changes nothing, so that a mail scanner that follows links takes nobody
off the list. The page needs no script.
"""

from http import HTTPStatus
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from clubapp import routes as paths
from clubapp.refusals import Conflict, NotFound, Refusal
from clubapp.services.answers import guest_link
from clubapp.services.answers.guest_link import GuestGone, GuestInvitation
from clubapp.settings import settings
from clubapp.web.endpoints.request_body import UnreadableBody, read_form
from clubapp.web.security.guard import is_clean
from clubapp.web.security.headers import policy_for_html
from clubapp.web.service_calls import read, write

CHOICE, DECLINE, ERASE = "choix", "desistement", "effacement"
_SERVICES = {DECLINE: guest_link.decline, ERASE: guest_link.erase}
_LONGEST_BODY, _LONGEST_TOKEN = 4096, 200
_PRIVATE = {"Cache-Control": "no-store", "Referrer-Policy": "no-referrer", "X-Robots-Tag": "noindex"}
_REFUSED = {GuestGone: HTTPStatus.GONE, NotFound: HTTPStatus.NOT_FOUND, Conflict: HTTPStatus.CONFLICT}
_TEMPLATES = Environment(
    loader=FileSystemLoader(Path(__file__).parent.parent / "templates"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)


def routes() -> list[Route]:
    """The HTTP routes of this module."""
    address = paths.guest("{guest_id}")
    return [Route(address, show_invitation, methods=["GET"]), Route(address, change_invitation, methods=["POST"])]


async def show_invitation(request: Request) -> Response:
    """What the guest is invited to, with the buttons."""
    try:
        return _page(request, await read(guest_link.open_invitation, *_link(request)))
    except Refusal as refusal:
        return _refuse(request, refusal)


async def change_invitation(request: Request) -> Response:
    """Do what the pressed button says; without one, show the page."""
    try:
        choice = (await read_form(request, _LONGEST_BODY)).get(CHOICE, "")
    except UnreadableBody:
        choice = ""
    if choice not in _SERVICES:
        return await show_invitation(request)
    try:
        return _page(request, await write(_SERVICES[choice], *_link(request)), done=choice)
    except Refusal as refusal:
        return _refuse(request, refusal)


def _link(request: Request) -> tuple[str, str]:
    given = request.path_params["guest_id"], request.query_params.get("token", "")[:_LONGEST_TOKEN]
    return given if is_clean(list(given)) else ("", "")


def _refuse(request: Request, refusal: Refusal) -> Response:
    return _page(request, None, problem=refusal.text, status=_REFUSED.get(type(refusal), HTTPStatus.CONFLICT))


def _page(
    request: Request,
    found: GuestInvitation | None,
    *,
    done: str = "",
    problem: str = "",
    status: HTTPStatus = HTTPStatus.OK,
) -> Response:
    html = _TEMPLATES.get_template("guest.html").render(
        club=settings(),
        found=found,
        done=done,
        problem=problem,
        address=f"{request.url.path}?{request.url.query}",
        choice=CHOICE,
        decline=DECLINE,
        erase=ERASE,
        privacy=paths.PRIVACY,
    )
    headers = {**_PRIVATE, "Content-Security-Policy": policy_for_html(html)}
    return HTMLResponse(html, status, headers)
