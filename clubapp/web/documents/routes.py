"""The HTML documents of the site: what crawlers read, and what people see before the interface has started.

`document` is the one way to answer with a page; `routes` lists the pages; `or_not_found` stands behind all of them.
"""

import logging
from collections.abc import Awaitable, Callable
from urllib.parse import quote

import anyio.to_thread
from sqlalchemy.exc import SQLAlchemyError
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from clubapp import routes as paths
from clubapp.refusals import NotFound
from clubapp.services.directory import pages
from clubapp.services.events import next_event
from clubapp.services.events.next_event import NextEvent
from clubapp.services.privacy import legal_pages
from clubapp.services.privacy.legal_pages import LegalPage
from clubapp.services.public_site import club_presentation
from clubapp.web.documents import commit_stamp, html_shell, metadata
from clubapp.web.documents.cached_response import Paper, sent
from clubapp.web.documents.html_shell import Head, document, html_files
from clubapp.web.documents.metadata import titled
from clubapp.web.screens.page import first_paint
from clubapp.web.security.current_actor import actor_of, cookie_name
from clubapp.web.security.guard import EXPIRED, Access, is_clean, may
from clubapp.web.service_calls import read

__all__ = ["Head", "document", "html_files", "or_not_found", "routes"]

log = logging.getLogger(__name__)
Handler = Callable[[Request], Awaitable[Response]]
Content = tuple[Head, str]

_NO_STORE = {"Cache-Control": "no-store"}
# The pages asked for last, some 100 kB each.
_MOST_PAGES = 64
_pages: dict[str, tuple[str, Paper | None]] = {}
_BUILT = (".html", ".html.br", ".html.gz")
_REDIRECTS = (301, 302, 303, 307, 308)
_PRIVATE = {
    paths.ADMIN: (Access.ADMIN, "Membres"),
    paths.ADMIN_MEMBERS: (Access.ADMIN, "Membres"),
    paths.ADMIN_COMPANIES: (Access.ADMIN, "Entreprises"),
    paths.ADMIN_ADMINISTRATORS: (Access.ADMIN, "Administrateurs"),
    paths.IMPORT_MEMBERS: (Access.ADMIN, "Importer des membres"),
    paths.IMPORT_COMPANIES: (Access.ADMIN, "Importer des entreprises"),
    paths.ADMIN_EVENTS: (Access.ADMIN, "Événements"),
    paths.CALLING_LIST: (Access.ADMIN, "Liste d'appels"),
    paths.ADMIN_EMAILS: (Access.ADMIN, "Gestion des Emails"),
    paths.ADMIN_REMINDERS: (Access.ADMIN, "Paramètres des relances"),
    paths.ADMIN_JOURNAL: (Access.ADMIN, "Journal des envois"),
    paths.ADMIN_PLANNED: (Access.ADMIN, "Envois à venir"),
    paths.ADMIN_HEALTH: (Access.ADMIN, "Santé"),
    paths.MEMBER: (Access.MEMBER, "Mon profil"),
    paths.MEMBER_COMPANY: (Access.MEMBER, "Mon entreprise"),
    paths.MEMBER_INVITATIONS: (Access.MEMBER, "Mes invitations"),
    paths.MEMBER_SESSIONS: (Access.MEMBER, "Mes sessions"),
    paths.MEMBER_DATA: (Access.MEMBER, "Mes données"),
    paths.ADMIN_SESSIONS: (Access.ADMIN, "Mes sessions"),
}
_PLAIN = {
    paths.SIGN_IN: "Connexion",
    paths.ADMIN_SIGN_IN: "Connexion",
    paths.CALLBACK: "Vérification en cours...",
    paths.ADMIN_CALLBACK: "Vérification en cours...",
    paths.CONFIRM_EMAIL: "Votre nouvelle adresse",
}

# Where a page stood of someone who is not there.
_GONE = (
    '<!DOCTYPE html><html lang="fr"><head><meta charset="utf-8"><meta name="robots" content="noindex">'
    f'<meta http-equiv="refresh" content="0; url={paths.DIRECTORY}"><title>Nos membres</title></head>'
    f'<body><a href="{paths.DIRECTORY}">Nos membres</a></body></html>'
)


def routes() -> list[Route]:
    """Every page. The answer page's own document is with the other addresses of an invitation."""
    return [
        Route(paths.HOME, _landing),
        Route(paths.DIRECTORY, _reading(paths.DIRECTORY, _directory)),
        Route(_starlette(paths.MEMBER_PROFILE), _reading(paths.MEMBER_PROFILE, _profile)),
        Route(_starlette(paths.COMPANY), _reading(paths.COMPANY, _company)),
        Route(paths.LEGAL, _legal(paths.LEGAL, legal_pages.notice)),
        Route(paths.PRIVACY, _legal(paths.PRIVACY, legal_pages.privacy)),
        *[Route(path, _plain(path, title)) for path, title in _PLAIN.items()],
        *[Route(_starlette(path), _private(path, access, title)) for path, (access, title) in _PRIVATE.items()],
    ]


async def _landing(request: Request) -> Response:
    event = await _announced()
    paint = first_paint(paths.HOME, landing_state={"event": event})
    return await document(request, paths.HOME, head=metadata.landing(event), first_paint=paint)


async def _announced() -> NextEvent:
    """The next event; none while the database is away, for the rest of the page does not need it."""
    try:
        return await read(next_event.announced)
    except SQLAlchemyError:
        log.exception("the next event could not be read")
        return NextEvent()


async def _directory(request: Request) -> Content:
    asked = request.query_params
    found = await read(pages.search, *(asked.get(name, "") for name in pages.PARAMETERS))
    return metadata.directory(found), first_paint(
        paths.DIRECTORY, directory_state={"found": found, "is_loaded": True, "error": ""}
    )


async def _profile(request: Request) -> Content:
    found = await read(pages.profile, _identifier(request, "member_id"))
    return metadata.profile(found), first_paint(paths.MEMBER_PROFILE, profile_state={"profile": found})


async def _company(request: Request) -> Content:
    found = await read(pages.company, _identifier(request, "company_id"))
    return metadata.company(found), first_paint(paths.COMPANY, company_state={"company": found})


def _legal(path: str, page: Callable[[], LegalPage]) -> Handler:
    async def answer(request: Request) -> Response:
        shown = page()
        paint = first_paint(path, legal_state={"notice": shown, "privacy": shown})
        return await document(request, path, head=metadata.legal(shown, path), first_paint=paint)

    return answer


def _identifier(request: Request, name: str) -> str:
    """The identifier in an address; what no database can hold names nobody."""
    given = request.path_params[name]
    return given if is_clean(given) else ""


def _starlette(path: str) -> str:
    return path.replace("[", "{").replace("]", "}")


def _reading(path: str, content: Callable[[Request], Awaitable[Content]]) -> Handler:
    """A page that needs the database. Nobody by that name: back to the directory, silently.

    Without the database the bare page is sent: the interface says what is wrong and offers to try again.
    """

    async def answer(request: Request) -> Response:
        try:
            return sent(request, await _kept(request, path, content))
        except NotFound:
            return HTMLResponse(_GONE, 404, _NO_STORE)
        except FileNotFoundError:
            return html_shell.not_built()
        except SQLAlchemyError:
            log.exception("a public page could not be read")
            return await document(
                request, path, head=Head(club_presentation.presentation().name), status=503, headers=_NO_STORE
            )

    return answer


async def _kept(request: Request, path: str, content: Callable[[Request], Awaitable[Content]]) -> Paper:
    """The page as it was made last, unless anything has changed since: an edit is seen in the next answer."""
    address = f"{request.scope['path']}?{request.scope['query_string'].decode('latin-1')}"
    # What a page is made of: the data, and the build.
    now = f"{await commit_stamp.stamp()} {html_shell.built(path)}"
    made_for, page = _pages.pop(address, ("", None))
    if page is None or made_for != now:
        head, paint = await content(request)
        page = await anyio.to_thread.run_sync(html_shell.paper, request, path, head, paint)
    _pages[address] = now, page
    while len(_pages) > _MOST_PAGES:
        del _pages[next(iter(_pages))]
    return page


def _plain(path: str, title: str) -> Handler:
    async def answer(request: Request) -> Response:
        return await document(request, path, head=Head(titled(title)))

    return answer


def _private(path: str, access: Access, title: str) -> Handler:
    """A page behind the sign-in: whoever may not be there is sent to the door."""

    async def answer(request: Request) -> Response:
        person = await actor_of(request)
        if may(person, access):
            return await document(request, path, head=Head(titled(title)), headers=_NO_STORE)
        had_session = cookie_name() in request.cookies and not person.is_signed_in
        return RedirectResponse(EXPIRED if had_session else paths.SIGN_IN, 303, _NO_STORE)

    return answer


def or_not_found(app: ASGIApp) -> ASGIApp:
    """Reflex behind our routes, with the 404 page where it has nothing to give."""

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await app(scope, receive, send)
            return
        wants_page = _wants_page(Request(scope))
        if wants_page and scope["path"] != "/" and scope["path"].endswith("/"):
            await _without_slash(scope)(scope, receive, send)
            return
        refused = _Refused(send, wants_page)
        # The files of the build are pages without their content: each has its own address.
        if not scope["path"].lower().endswith(_BUILT):
            await app(scope, receive, refused.send)
        if refused.is_missing or not refused.is_answered:
            missing = await _missing(Request(scope)) if wants_page else Response(status_code=404, headers=_NO_STORE)
            await missing(scope, receive, send)

    return answer


class _Refused:
    """Lets an answer through, unless it says that there is nothing, or sends elsewhere.

    Redirects of the static files behind us lead to a folder's own address, and are built from whatever name of this
    site the visitor's request gave: nobody needs them.
    """

    def __init__(self, send: Send, wants_page: bool) -> None:
        self._send = send
        self._wants_page = wants_page
        self.is_missing = self.is_answered = False

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            status = message["status"]
            self.is_answered = True
            self.is_missing = status in _REDIRECTS or (status == 404 and self._wants_page)
        if not self.is_missing:
            await self._send(message)


def _wants_page(request: Request) -> bool:
    return request.method in ("GET", "HEAD") and "text/html" in request.headers.get("accept", "")


def _without_slash(scope: Scope) -> Response:
    """'/membres/' is '/membres'. One leading slash only, and quoted: the address stays on this site."""
    query = scope.get("query_string", b"").decode("latin-1")
    return RedirectResponse("/" + quote(scope["path"].strip("/")) + (f"?{query}" if query else ""), 308)


async def _missing(request: Request) -> Response:
    head = Head(titled("Page introuvable"))
    paint = first_paint(paths.NOT_FOUND)
    return await document(request, paths.NOT_FOUND, head=head, first_paint=paint, status=404, headers=_NO_STORE)
