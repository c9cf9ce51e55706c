"""The addresses of an invitation: its page, and the event as a calendar file.

The document names the event and nobody: the token leaves the address before anything else runs, and the person's
name comes over the socket, to the browser that holds the link (W6).
"""

import logging

from sqlalchemy.exc import SQLAlchemyError
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from clubapp import routes as paths
from clubapp.refusals import NotFound
from clubapp.services.answers import by_link
from clubapp.services.answers import page as answer_page
from clubapp.services.answers.page import AnswerView
from clubapp.web.documents.html_shell import Head
from clubapp.web.documents.metadata import page_title
from clubapp.web.documents.routes import respond_with_document
from clubapp.web.screens.page import first_paint
from clubapp.web.security.guard import is_clean
from clubapp.web.service_calls import read

log = logging.getLogger(__name__)

_PRIVATE = {"Cache-Control": "no-store", "Referrer-Policy": "no-referrer"}
# The twin of `keep` in ui/react/answer/answer_token.jsx, which reads it again.
TIDY_ADDRESS = """(function () {
  if (!new URLSearchParams(location.search).has("token")) return;
  window.answerLink = location.search;
  try { sessionStorage.setItem("answer:" + location.pathname.replace(/\\/+$/, ""), location.search); } catch (closed) {}
  history.replaceState(null, "", location.pathname);
})();"""


async def page(request: Request) -> Response:
    """The answer page, with the event drawn when the link is good. Records nothing, whoever fetches it."""
    paint, status = "", 200
    event_id, token = _link(request)
    if token:
        try:
            view = await _view(event_id, token)
            paint = first_paint(paths.ANSWER, answer_state={"view": view, "problem": ""})
        except SQLAlchemyError:
            log.exception("an invitation could not be read")
            status = 503
    head = Head(page_title("Votre réponse"), script=TIDY_ADDRESS)
    return await respond_with_document(
        request, paths.ANSWER, head=head, first_paint=paint, status=status, headers=_PRIVATE
    )


async def _view(event_id: str, token: str) -> AnswerView:
    try:
        return await read(by_link.open_invitation, event_id, token)
    except NotFound:
        return AnswerView(step=answer_page.ERROR)


async def calendar_file(request: Request) -> Response:
    """The event as an iCalendar file, for the holder of the link."""
    try:
        file = await read(by_link.build_calendar_file, *_link(request))
    except NotFound as refusal:
        return PlainTextResponse(refusal.text, status_code=404, headers=_PRIVATE)
    named = {"Content-Disposition": 'attachment; filename="rencontre.ics"'}
    return Response(file, media_type="text/calendar; charset=utf-8", headers=_PRIVATE | named)


def _link(request: Request) -> tuple[str, str]:
    """The event and the token of an address; what no database can hold becomes a link that leads nowhere."""
    event_id, token = request.path_params["event_id"], request.query_params.get("token", "")
    return (event_id if is_clean(event_id) else ""), token


def routes() -> list[Route]:
    """The addresses of this module."""
    return [Route("/event/{event_id}", page), Route("/event/{event_id}/calendar.ics", calendar_file)]
