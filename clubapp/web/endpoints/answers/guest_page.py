"""GET and POST /guest/{id}?token=…: where the mail to a guest leads: decline, or have one's data erased.

Access: everyone; the token is the right. GET changes nothing, so that a mail scanner that follows links takes nobody
off the list. The page needs no script.
"""

from http import HTTPStatus

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from clubapp import routes as paths
from clubapp.refusals import Conflict, NotFound, Refusal
from clubapp.services.answers import guest_link
from clubapp.services.answers.guest_link import GuestGone, GuestInvitation
from clubapp.web.endpoints.plain_page import respond_to_link
from clubapp.web.endpoints.request_body import UnreadableBody, read_form
from clubapp.web.security.guard import is_clean
from clubapp.web.service_calls import read, write

CHOICE, DECLINE, ERASE = "choix", "desistement", "effacement"
_SERVICES = {DECLINE: guest_link.decline, ERASE: guest_link.erase}
_LONGEST_BODY, _LONGEST_TOKEN = 4096, 200
_REFUSED = {GuestGone: HTTPStatus.GONE, NotFound: HTTPStatus.NOT_FOUND, Conflict: HTTPStatus.CONFLICT}


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
    return respond_to_link(
        request,
        "guest.html",
        status,
        found=found,
        done=done,
        problem=problem,
        choice=CHOICE,
        decline=DECLINE,
        erase=ERASE,
        privacy=paths.PRIVACY,
    )
