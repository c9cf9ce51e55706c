"""GET and POST /choix/{id}?token=…: where the welcome mail leads: say what the public site shows (P5).

Access: everyone; the token is the right. GET changes nothing, so that a mail scanner that follows links chooses
nothing. Each button is a form of its own; the page needs no script.
"""

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from clubapp import routes as paths
from clubapp.refusals import NotFound
from clubapp.services.base.link_limit import LinkSpent
from clubapp.services.privacy import choices_by_link, visibility
from clubapp.services.privacy.choices_by_link import OwnChoices
from clubapp.web.endpoints.plain_page import respond_to_link, status_of_link
from clubapp.web.endpoints.request_body import UnreadableBody, read_form
from clubapp.web.security.guard import is_clean
from clubapp.web.service_calls import read, write

SHOW, HIDE, CONTACTS = "montrer", "masquer", "coordonnees"
_LONGEST_BODY, _LONGEST_TOKEN = 4096, 200


def routes() -> list[Route]:
    """The HTTP routes of this module."""
    address = paths.own_choices("{member_id}")
    return [Route(address, show_choices, methods=["GET"]), Route(address, change_choice, methods=["POST"])]


async def show_choices(request: Request) -> Response:
    """How things stand, with a button for each choice."""
    try:
        return _page(request, await read(choices_by_link.read_choices, *_link(request)))
    except NotFound as refusal:
        return _page(request, None, problem=refusal.text)


async def change_choice(request: Request) -> Response:
    """Do what the pressed button says; without one, show the page."""
    try:
        form = await read_form(request, _LONGEST_BODY)
    except UnreadableBody:
        form = {}
    press = SHOW if SHOW in form else HIDE
    choice = form.get(press, "")
    if choice not in (CONTACTS, *visibility.WORDINGS):
        return await show_choices(request)
    try:
        found = await write(choices_by_link.choose, *_link(request), choice, press == SHOW)
    except (NotFound, LinkSpent) as refusal:
        return _page(request, None, problem=refusal.text, is_spent=isinstance(refusal, LinkSpent))
    return _page(request, found, done=True)


def _link(request: Request) -> tuple[str, str]:
    given = request.path_params["member_id"], request.query_params.get("token", "")[:_LONGEST_TOKEN]
    return given if is_clean(list(given)) else ("", "")


def _page(
    request: Request, found: OwnChoices | None, *, done: bool = False, problem: str = "", is_spent: bool = False
) -> Response:
    return respond_to_link(
        request,
        "choices.html",
        status_of_link(found is not None, is_spent=is_spent),
        found=found,
        done=done,
        problem=problem,
        is_spent=is_spent,
        show=SHOW,
        hide=HIDE,
        contacts=CONTACTS,
        words=visibility,
        paths=paths,
    )
