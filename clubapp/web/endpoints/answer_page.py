"""The addresses of an invitation: its page, the form that answers, and the event as a calendar file.

The page is written here whole, and its forms work without script: a press posts one step, and the answer leads to the
page at the next one. What the page's script posts is answered with that page at once, under status 200, so that no
browser logs an error for a refusal; the status is in a header then. The token leaves the address bar before anything
else runs (W6).
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from http import HTTPStatus
from types import MappingProxyType
from urllib.parse import quote, urlencode

from sqlalchemy.exc import SQLAlchemyError
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from clubapp import clock
from clubapp import routes as paths
from clubapp.refusals import Conflict, NotFound, Refusal, TooMany
from clubapp.services.answers import answer_form, by_link
from clubapp.services.answers import page as answer_page
from clubapp.services.answers.guests import NAME as GUEST_NAME
from clubapp.services.answers.guests import OWN_WISH, describe_fields
from clubapp.services.answers.page import AnswerView, Asked, Visit
from clubapp.services.base.form_fields import InvalidForm
from clubapp.services.base.link_limit import LinkSpent
from clubapp.web.documents.html_shell import Head, read_script, respond_with_page
from clubapp.web.documents.metadata import page_title
from clubapp.web.endpoints.auth import FOREIGN_REQUEST, MALFORMED, is_foreign
from clubapp.web.endpoints.request_body import UnreadableBody, read_pairs
from clubapp.web.screens.page import first_paint
from clubapp.web.screens.toasts import log_unexpected
from clubapp.web.security.guard import is_clean
from clubapp.web.service_calls import read, write_together

NOT_READ = "Votre invitation n’a pas pu être lue pour le moment."
RESPONSE_LOST = "Erreur lors de l'enregistrement de votre réponse"
CHOICE_LOST = "Erreur lors de l'enregistrement de votre choix"
GUESTS_LOST = "Erreur lors de l'enregistrement du nombre d'invités"
_LOST = {GUEST_NAME: CHOICE_LOST, OWN_WISH: CHOICE_LOST, "guest_count": GUESTS_LOST, "with_lunch": CHOICE_LOST}
# The step that posts a field.
_STEPS = {
    GUEST_NAME: answer_page.NAMES,
    OWN_WISH: answer_page.NAMES,
    "guest_count": answer_page.GUESTS,
    "with_lunch": answer_page.LUNCH,
}
_LONGEST_BODY = 32_768
_MOST_FIELDS = 40
_LONGEST_TOKEN = 200
Pairs = Sequence[tuple[str, str]]
_PRIVATE = {"Cache-Control": "no-store", "Referrer-Policy": "no-referrer"}
_ARRIVAL, _FORM = read_script("answer_arrival.js"), read_script("answer_form.js")
_OK = HTTPStatus.OK
_REFUSED = {
    NotFound: HTTPStatus.NOT_FOUND,
    Conflict: HTTPStatus.CONFLICT,
    LinkSpent: HTTPStatus.TOO_MANY_REQUESTS,
    TooMany: HTTPStatus.TOO_MANY_REQUESTS,
}


async def page(request: Request) -> Response:
    """The answer page, at the step its address asks for. Records nothing, whoever fetches it."""
    link, given = _link(request), request.query_params
    asked = Asked(given.get("step", ""), given.get("answer", ""), given.get("left", ""))
    try:
        view = await _view(link, asked)
    except SQLAlchemyError as error:
        log_unexpected(error)
        return await _unreadable(request)
    return await _respond(request, answer_page.make_visit(view, link, asked))


async def answer(request: Request) -> Response:
    """Record what a press of the page's form says, then show the page at its next step."""
    if is_foreign(request):
        return await _refuse(request, HTTPStatus.FORBIDDEN, FOREIGN_REQUEST)
    try:
        pairs = await read_pairs(request, _LONGEST_BODY, _MOST_FIELDS)
    except UnreadableBody as unreadable:
        return await _refuse(request, unreadable.status, MALFORMED)
    fields = dict(reversed(pairs))
    link, left = (_event_id(request), fields.get("token", "")[:_LONGEST_TOKEN]), fields.get("left", "")
    try:
        age = _age(fields)
        pressed_at = clock.now() - timedelta(seconds=age) if age else None
        step = await write_together(by_link.record_answer, *link, answer_form.parse_posted(pairs), pressed_at)
    except Exception as error:  # of whatever kind: the page says it and keeps what was chosen
        return await _show_problem(request, link, error, pairs)
    if _is_script(request):
        return await _show(request, link, Asked(step, left=left))
    at = {"step": step} if step in (answer_page.LUNCH, answer_page.GUESTS) else {}
    if step == answer_page.WAITING and left:
        at["left"] = left[:_LONGEST_TOKEN]
    address = f"{paths.answer(link[0])}?{urlencode({'token': link[1], **at})}"
    return RedirectResponse(address, HTTPStatus.SEE_OTHER, _PRIVATE)


async def back_to_page(request: Request) -> Response:
    """The form's address, asked for by a browser that loads it again."""
    return RedirectResponse(paths.answer(quote(_event_id(request))), HTTPStatus.SEE_OTHER, _PRIVATE)


async def calendar_file(request: Request) -> Response:
    """The event as an iCalendar file, for the holder of the link."""
    try:
        file = await read(by_link.build_calendar_file, *_link(request))
    except NotFound:  # the page says why
        return await _show(request, _link(request), Asked(), HTTPStatus.NOT_FOUND)
    named = {"Content-Disposition": 'attachment; filename="rencontre.ics"'}
    return Response(file, media_type="text/calendar; charset=utf-8", headers=_PRIVATE | named)


async def _show_problem(request: Request, link: tuple[str, str], error: Exception, pairs: Pairs) -> Response:
    """The page that says why nothing was recorded: at the step that asked, or, when the answer or the event has
    changed since, at the one it has now."""
    fields = dict(reversed(pairs))
    if isinstance(error, Refusal):
        status = _REFUSED.get(type(error), HTTPStatus.UNPROCESSABLE_ENTITY)
        problem = "" if isinstance(error, NotFound) else error.text  # the page says it by itself
    else:  # said on the page, logged (W11, R7)
        log_unexpected(error)
        status = HTTPStatus.SERVICE_UNAVAILABLE if isinstance(error, SQLAlchemyError) else HTTPStatus(500)
        problem = _of_step(_LOST, fields, RESPONSE_LOST)
    asked = Asked() if isinstance(error, Conflict) else Asked(_of_step(_STEPS, fields, answer_page.ATTENDANCE))
    errors = error.errors if isinstance(error, InvalidForm) else {}
    return await _show(request, link, asked, status, problem=problem, pairs=pairs, errors=errors)


async def _show(
    request: Request,
    link: tuple[str, str],
    asked: Asked,
    status: HTTPStatus = _OK,
    *,
    problem: str = "",
    pairs: Pairs = (),
    errors: Mapping[str, str] = MappingProxyType({}),
) -> Response:
    """The page after a post, with what was typed and what is wrong with it."""
    try:
        view = await _view(link, asked)
    except SQLAlchemyError as error:
        log_unexpected(error)
        return await _unreadable(request, problem or NOT_READ, link)
    view, is_typed = _with_typed(view, pairs, errors)
    is_refused = is_typed and status == HTTPStatus.UNPROCESSABLE_ENTITY
    return await _respond(request, answer_page.make_visit(view, link, asked, problem, is_refused=is_refused), status)


def _with_typed(view: AnswerView, pairs: Pairs, errors: Mapping[str, str]) -> tuple[AnswerView, bool]:
    """The view with what was typed at its step, and whether what is wrong is said beside a field."""
    fields = dict(reversed(pairs))
    if view.step == answer_page.GUESTS and "guest_count" in fields:
        return replace(view, guest_count=answer_form.parse_guests(fields["guest_count"]).guest_count or 0), True
    if view.step == answer_page.NAMES:
        entries = answer_form.parse_guest_fields(pairs) or ()
        guests = describe_fields(entries[: view.guest_count], errors) or view.guests
        return replace(view, guests=guests, meal_wish=fields.get(OWN_WISH, view.meal_wish)), any(
            guest.is_wrong for guest in guests
        )
    return view, False


async def _view(link: tuple[str, str], asked: Asked) -> AnswerView:
    try:
        return await read(by_link.open_invitation, *link, asked)
    except NotFound:
        return AnswerView(step=answer_page.ERROR)


async def _unreadable(request: Request, problem: str = NOT_READ, link: tuple[str, str] | None = None) -> Response:
    """The page while the database is away, with a way to ask again."""
    view = AnswerView(step=answer_page.ERROR)
    visit = answer_page.make_visit(view, link or _link(request), problem=problem)
    return await _respond(request, visit, HTTPStatus.SERVICE_UNAVAILABLE)


async def _refuse(request: Request, status: HTTPStatus, problem: str) -> Response:
    """The page for a post that is none of its forms: nothing was looked up."""
    visit = answer_page.make_visit(AnswerView(step=answer_page.ERROR), ("", ""), problem=problem)
    return await _respond(request, visit, status)


async def _respond(request: Request, visit: Visit, status: HTTPStatus = _OK) -> Response:
    body = first_paint(paths.ANSWER, visit=visit)
    if _is_script(request):  # it has the rest of the page
        return HTMLResponse(body, headers=_PRIVATE | {"X-Status": str(status.value)})
    return await respond_with_page(
        request,
        paths.ANSWER,
        head=Head(page_title("Votre réponse"), script=_ARRIVAL),
        page=body,
        script=_FORM,
        status=status,
        headers=_PRIVATE,
    )


def _age(fields: dict[str, str]) -> int:
    """How many seconds ago the page's script says that its button was pressed."""
    age = fields.get("age", "")
    return int(age) if re.fullmatch("[0-9]{1,6}", age) else 0


def _is_script(request: Request) -> bool:
    """Whether the page's own script asks, which reads the status in a header."""
    return request.headers.get("x-answer") == "page"


def _of_step(values: dict[str, str], fields: dict[str, str], otherwise: str) -> str:
    """The value of the last step that a form says something of."""
    return next((value for name, value in values.items() if name in fields), otherwise)


def _event_id(request: Request) -> str:
    """The event of an address; what no database can hold becomes one that does not exist."""
    event_id = request.path_params["event_id"]
    return event_id if is_clean(event_id) else ""


def _link(request: Request) -> tuple[str, str]:
    """The event and the token of an address."""
    return _event_id(request), request.query_params.get("token", "")[:_LONGEST_TOKEN]


def routes() -> list[Route]:
    """The addresses of this module."""
    return [
        Route("/event/{event_id}", page),
        Route("/event/{event_id}/answer", answer, methods=["POST"]),
        Route("/event/{event_id}/answer", back_to_page),
        Route("/event/{event_id}/calendar.ics", calendar_file),
    ]
