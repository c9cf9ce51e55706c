"""The HTML documents of the site: what crawlers read, and what people see before the interface has started.

`respond_with_document` makes a page for one request; `routes` lists the pages that are cached until their data
changes. Addresses without a route are in `web/documents/not_found.py`.
"""

import logging
from collections.abc import Awaitable, Callable
from typing import Any

import anyio.to_thread
from sqlalchemy.exc import SQLAlchemyError
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from clubapp import routes as paths
from clubapp.refusals import NotFound
from clubapp.services.base.actors import VISITOR, Actor
from clubapp.services.directory import for_visitors
from clubapp.services.events import next_event
from clubapp.services.events.next_event import NextEvent
from clubapp.services.images import responsive_images
from clubapp.services.images.responsive_images import BUNDLED_PORTRAIT, Picture
from clubapp.services.privacy import legal_pages
from clubapp.services.privacy.legal_pages import LegalPage
from clubapp.services.public_site import club_presentation
from clubapp.settings import settings
from clubapp.web.documents import commit_stamp, html_shell, metadata, sign_in_page
from clubapp.web.documents.cached_response import CachedDocument, respond_with_cached
from clubapp.web.documents.html_shell import Head, html_files, respond_with_document
from clubapp.web.documents.metadata import page_title
from clubapp.web.documents.page_cache import get_or_make, read_minute_version
from clubapp.web.screens.page import first_paint
from clubapp.web.security.current_actor import actor_of, cookie_name
from clubapp.web.security.guard import EXPIRED, Access, has_access, is_clean, way_in
from clubapp.web.service_calls import read

__all__ = ["Head", "html_files", "respond_from_cache", "respond_with_document", "routes"]

log = logging.getLogger(__name__)
Handler = Callable[[Request], Awaitable[Response]]
Content = tuple[Head, str]
Maker = Callable[[Request], Awaitable[Content]]

_NO_STORE = {"Cache-Control": "no-store"}
_PRIVATE = {
    paths.ADMIN: (Access.ADMIN, "Membres"),
    paths.ADMIN_TODAY: (Access.ADMIN, "Aujourd’hui"),
    paths.ADMIN_MEMBERS: (Access.ADMIN, "Membres"),
    paths.ADMIN_MEMBER: (Access.ADMIN, "Fiche d’un membre"),
    paths.ADMIN_COMPANIES: (Access.ADMIN, "Entreprises"),
    paths.ADMIN_COMPANY: (Access.ADMIN, "Fiche d’une entreprise"),
    paths.ADMIN_ADMINISTRATORS: (Access.ADMIN, "Administrateurs"),
    paths.IMPORT_MEMBERS: (Access.ADMIN, "Importer des membres"),
    paths.IMPORT_COMPANIES: (Access.ADMIN, "Importer des entreprises"),
    paths.ADMIN_EVENTS: (Access.ADMIN, "Événements"),
    paths.ADMIN_EVENT: (Access.ADMIN, "Rencontre"),
    paths.CALLING_LIST: (Access.ADMIN, "Liste d’appels"),
    paths.ADMIN_TABLES: (Access.ADMIN, "Tables"),
    paths.ADMIN_PRINTING: (Access.ADMIN, "Imprimer"),
    paths.ADMIN_EMAILS: (Access.ADMIN, "Gestion des Emails"),
    paths.ADMIN_WRITE: (Access.ADMIN, "Écrire"),
    paths.ADMIN_REMINDERS: (Access.ADMIN, "Paramètres des relances"),
    paths.ADMIN_MAIL_LOG: (Access.ADMIN, "Journal des envois"),
    paths.ADMIN_PLANNED: (Access.ADMIN, "Envois à venir"),
    paths.ADMIN_HEALTH: (Access.ADMIN, "Santé"),
    paths.ADMIN_REQUESTS: (Access.ADMIN, "Demandes sur les données"),
    paths.ADMIN_ACTS: (Access.ADMIN, "Journal des actes"),
    paths.MEMBER: (Access.MEMBER, "Mon profil"),
    paths.MEMBER_MEETINGS: (Access.MEMBER, "Mes rencontres"),
    paths.MEMBER_DIRECTORY: (Access.MEMBER, "Annuaire des membres"),
    paths.MEMBER_COMPANY: (Access.MEMBER, "Mon entreprise"),
    paths.MEMBER_INVITATIONS: (Access.MEMBER, "Mes invitations"),
    paths.MEMBER_SESSIONS: (Access.MEMBER, "Mes sessions"),
    paths.MEMBER_DATA: (Access.MEMBER, "Mes données"),
    paths.ADMIN_SESSIONS: (Access.ADMIN, "Mes sessions"),
}
_TITLE_ONLY = {
    paths.CALLBACK: "Vérification en cours...",
    paths.ADMIN_CALLBACK: "Vérification en cours...",
    paths.CONFIRM_EMAIL: "Votre nouvelle adresse",
    paths.SECOND_STEP: "Vérification",
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
        Route(paths.DIRECTORY, _database_page(paths.DIRECTORY, _directory, _directory_variant)),
        Route(_starlette(paths.MEMBER_PROFILE), _database_page(paths.MEMBER_PROFILE, _profile, _own_address)),
        Route(_starlette(paths.COMPANY), _database_page(paths.COMPANY, _company, _own_address)),
        Route(paths.LEGAL, _static_page(paths.LEGAL, _legal(paths.LEGAL, legal_pages.build_legal_notice))),
        Route(paths.PRIVACY, _static_page(paths.PRIVACY, _legal(paths.PRIVACY, legal_pages.build_privacy_page))),
        Route(paths.KIT, _in_demonstration(_static_page(paths.KIT, _title_only("Composants")))),
        *[Route(path, _sign_in(path)) for path in (paths.SIGN_IN, paths.ADMIN_SIGN_IN)],
        *[Route(path, _static_page(path, _title_only(title))) for path, title in _TITLE_ONLY.items()],
        *[Route(_starlette(path), _private_page(path, access, title)) for path, (access, title) in _PRIVATE.items()],
    ]


async def _landing(request: Request) -> Response:
    """The page without its next event while the database is away: the rest does not need it."""
    try:
        return await respond_from_cache(request, paths.HOME, _landing_content, version=await read_minute_version())
    except SQLAlchemyError:
        log.exception("the next event could not be read")
        head, paint = _landing_with(NextEvent(), BUNDLED_PORTRAIT)
        return await respond_with_document(request, paths.HOME, head=head, first_paint=paint)


async def _landing_content(_request: Request) -> Content:
    event = await read(next_event.find_next_event)
    return _landing_with(event, await read(responsive_images.read_animator_portrait))


def _landing_with(event: NextEvent, portrait: Picture) -> Content:
    return metadata.landing(event), first_paint(paths.HOME, landing_state={"event": event, "portrait": portrait})


async def _directory(request: Request) -> Content:
    asked = request.query_params
    found = await read(for_visitors.search_members, *(asked.get(name, "") for name in for_visitors.PARAMETERS))
    return metadata.directory(found), first_paint(
        paths.DIRECTORY, directory_state={"found": found, "is_loaded": True, "error": ""}
    )


def _directory_variant(request: Request) -> str | None:
    """The first page of a domain or of all is kept; searches and further pages are as many as visitors like."""
    asked = request.query_params
    if not asked:
        return ""
    if asked.get(for_visitors.SEARCH_PARAMETER) or asked.get(for_visitors.PAGE_PARAMETER):
        return None
    return for_visitors.domain_slug(for_visitors.find_domain(asked.get(for_visitors.DOMAIN_PARAMETER, "")))


async def _profile(request: Request) -> Content:
    found = await read(for_visitors.read_member_page, _identifier(request, "member_id"))
    return metadata.profile(found), first_paint(paths.MEMBER_PROFILE, member_page_state={"profile": found})


async def _company(request: Request) -> Content:
    found = await read(for_visitors.read_company_page, _identifier(request, "company_id"))
    return metadata.company(found), first_paint(paths.COMPANY, company_page_state={"company": found})


def _own_address(request: Request) -> str:
    """For pages of which there are as many as people and companies: what does not exist is not kept."""
    return request.scope["path"]


def _legal(path: str, page: Callable[[], LegalPage]) -> Maker:
    async def content(_request: Request) -> Content:
        shown = page()
        return metadata.legal(shown, path), first_paint(path, legal_state={"notice": shown, "privacy": shown})

    return content


def _title_only(title: str) -> Maker:
    async def content(_request: Request) -> Content:
        return Head(page_title(title)), ""

    return content


def _sign_in(path: str) -> Handler:
    """The sign-in screen: for visitors it is kept, whoever is signed in or has asked for a mail is told so."""

    async def answer(request: Request) -> Response:
        person = await _person_of(request)
        if not person.is_signed_in and not sign_in_page.read_nonce(request)[0]:
            is_expired = request.query_params.get("motif") == "expiree"
            return await respond_from_cache(request, path, _sign_in_screen, str(is_expired))
        head, paint = sign_in_page.paint(request, person)
        return await respond_with_document(request, path, head=head, first_paint=paint, headers=_NO_STORE)

    return answer


async def _sign_in_screen(request: Request) -> Content:
    return sign_in_page.paint(request)


async def _person_of(request: Request) -> Actor:
    """Whoever is signed in; nobody while the database is away."""
    if cookie_name() not in request.cookies:
        return VISITOR
    try:
        return await actor_of(request)
    except SQLAlchemyError:
        log.exception("a session could not be read")
        return VISITOR


def _identifier(request: Request, name: str) -> str:
    """The identifier in an address; what no database can hold names nobody."""
    given = request.path_params[name]
    return given if is_clean(given) else ""


def _starlette(path: str) -> str:
    return path.replace("[", "{").replace("]", "}")


def _database_page(path: str, content: Maker, variant: Callable[[Request], str | None]) -> Handler:
    """A page that needs the database. Nobody by that name: back to the directory, silently.

    Without the database the bare page is sent: the interface says what is wrong and offers to try again.
    """

    async def answer(request: Request) -> Response:
        try:
            return await respond_from_cache(request, path, content, variant(request), await commit_stamp.read_stamp())
        except NotFound:
            return HTMLResponse(_GONE, 404, _NO_STORE)
        except SQLAlchemyError:
            log.exception("a public page could not be read")
            return await respond_with_document(
                request, path, head=Head(club_presentation.build_presentation().name), status=503, headers=_NO_STORE
            )

    return answer


def _static_page(path: str, content: Maker) -> Handler:
    """A page that shows nothing but our texts and the settings."""

    async def answer(request: Request) -> Response:
        return await respond_from_cache(request, path, content)

    return answer


async def respond_from_cache(
    request: Request, path: str, content: Maker, variant: str | None = "", version: str = "", **answer: Any
) -> Response:
    """A page that is made once for a `version` of its data, and for a build: an edit is seen in the next answer.

    `variant` tells apart what a page shows to different requests; None is for what is made each time.
    """

    async def make() -> CachedDocument:
        head, paint = await content(request)
        return await anyio.to_thread.run_sync(html_shell.build_document, request, path, head, paint)

    try:
        version = f"{version} {html_shell.built_at(path)}"
        made = await make() if variant is None else await get_or_make(f"{path} {variant}", version, make)
        return respond_with_cached(request, made, **answer)
    except FileNotFoundError:
        return html_shell.respond_not_built()


def _in_demonstration(page: Handler) -> Handler:
    """A page that a club does not have."""

    async def answer(request: Request) -> Response:
        return await page(request) if settings().demo else await respond_with_missing(request)

    return answer


async def respond_with_missing(request: Request) -> Response:
    """The page for an address that there is not."""
    return await respond_from_cache(request, paths.NOT_FOUND, _not_found, status=404, headers=_NO_STORE)


async def _not_found(_request: Request) -> Content:
    return Head(page_title("Page introuvable")), first_paint(paths.NOT_FOUND)


def _private_page(path: str, access: Access, title: str) -> Handler:
    """A page behind the sign-in: whoever has no access is redirected to the sign-in page.

    What everyone sees of it before the interface starts is in the built page; nothing of anybody is in the document.
    """
    content = _of_one(path, title) if "[" in path else _title_only(title)

    async def answer(request: Request) -> Response:
        person = await actor_of(request)
        if has_access(person, access):
            return await respond_from_cache(request, path, content, headers=_NO_STORE)
        had_session = cookie_name() in request.cookies and not person.has_session
        return RedirectResponse(EXPIRED if had_session else way_in(person), 303, _NO_STORE)

    return answer


def _of_one(path: str, title: str) -> Maker:
    """The build makes no page for an address that holds an identifier: its frame is that of the page above."""

    async def content(_request: Request) -> Content:
        frame = html_shell.area_frame(path.partition("/[")[0])
        return Head(page_title(title)), f"{frame}{first_paint(path)}</div>"

    return content
