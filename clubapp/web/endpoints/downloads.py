"""Downloads: tables and sheets, made at each request and stored nowhere.

Every address here is asked with GET and the session cookie. Access: administrators, and members for their own data, as
each service checks; a visitor is redirected to the sign-in page, anyone else is refused.
"""

from collections.abc import Awaitable, Callable

from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from clubapp import routes as paths
from clubapp.infra import refusal_counts
from clubapp.refusals import Forbidden, NotFound
from clubapp.services.attendance import arrival_sheets, badges, event_exports, presence
from clubapp.services.base.actors import Actor
from clubapp.services.base.table_files import Download
from clubapp.services.events import numbers_sheet
from clubapp.services.import_export import export_log, exports
from clubapp.services.monitoring import acts
from clubapp.services.privacy import data_export, papers
from clubapp.services.seating import table_sheets
from clubapp.web.security.current_actor import actor_of, cookie_name
from clubapp.web.security.guard import EXPIRED, is_clean, way_in
from clubapp.web.security.pace import limit_exports
from clubapp.web.service_calls import read, write

Maker = Callable[..., Download]
_NO_STORE = {"Cache-Control": "no-store"}


def routes() -> list[Route]:
    """The addresses of this module. The parameters of a path go to its maker, in their order, after the actor."""
    return [
        Route(paths.OWN_DATA_JSON, _download(data_export.export_json, export_log.record_own_data)),
        Route(paths.OWN_DATA_CSV, _download(data_export.export_csv, export_log.record_own_data)),
        Route(paths.members_export("csv"), _download(exports.export_members_csv)),
        Route(paths.members_export("xlsx"), _download(exports.export_members_xlsx)),
        Route(paths.companies_export("csv"), _download(exports.export_companies_csv)),
        Route(paths.companies_export("xlsx"), _download(exports.export_companies_xlsx)),
        Route(paths.ACTS_EXPORT, _download(acts.export_csv, parameters=acts.PARAMETERS)),
        Route(paths.PRESENCES_EXPORT, _download(presence.export_csv)),
        Route(paths.PAPERS, _download(papers.make_archive)),
        Route(
            paths.requested_copy("{request_id}"),
            _download(data_export.export_requested, export_log.record_requested_copy),
        ),
        Route(paths.event_answers("{event_id}", "csv"), _download(event_exports.answers_csv)),
        Route(paths.event_answers("{event_id}", "xlsx"), _download(event_exports.answers_xlsx)),
        Route(paths.attendance_sheet("{event_id}"), _download(event_exports.attendance)),
        Route(paths.arrivals_file("{event_id}", "csv"), _download(arrival_sheets.arrivals_csv)),
        Route(paths.arrivals_file("{event_id}", "pdf"), _download(arrival_sheets.arrivals_pdf)),
        Route(paths.numbers_sheet("{event_id}"), _download(numbers_sheet.numbers_pdf)),
        Route(paths.badges("{event_id}"), _download(badges.badges_pdf, parameters=badges.PARAMETERS)),
        Route(paths.table_names("{event_id}"), _download(table_sheets.names_pdf)),
        Route(paths.table_cards("{event_id}"), _download(table_sheets.cards_pdf)),
    ]


def _download(
    make: Maker, record: Callable[..., None] = export_log.record_export, parameters: tuple[str, ...] = ()
) -> Callable[[Request], Awaitable[Response]]:
    """An address that answers with the file `make(session, actor, …)` returns, once it stands in the journal."""

    async def answer(request: Request) -> Response:
        person = await actor_of(request)
        asked = [value if is_clean(value) else "" for value in request.path_params.values()]
        filters = [value if is_clean(value) else "" for value in _values(request, parameters)]
        try:
            found = await read(make, person, *asked, *filters)
            if request.method != "HEAD":  # nothing leaves
                await write(record, person, found.name, *asked)
        except Forbidden as refusal:
            refusal_counts.count(refusal_counts.DOWNLOAD)
            if not person.is_signed_in:
                return _redirect_to_sign_in(request, person)
            return PlainTextResponse(refusal.text, 403, _NO_STORE)
        except NotFound as refusal:
            return PlainTextResponse(refusal.text, 404, _NO_STORE)
        named = {"Content-Disposition": f'attachment; filename="{found.name}"'}
        return Response(found.content, media_type=found.media_type, headers=_NO_STORE | named)

    return limit_exports(answer)


def _values(request: Request, parameters: tuple[str, ...]) -> list[str]:
    """The values of an address's parameters, empty for those it does not have."""
    return [request.query_params.get(name, "") for name in parameters]


def _redirect_to_sign_in(request: Request, person: Actor) -> Response:
    had_session = cookie_name() in request.cookies and not person.has_session
    return RedirectResponse(EXPIRED if had_session else way_in(person), 303, _NO_STORE)
