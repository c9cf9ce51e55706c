"""Composition root: the application, its screens, its HTTP routes and what runs beside it."""

import asyncio
import gc
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any, cast

import reflex as rx
from sqlalchemy.exc import OperationalError
from starlette.routing import Route, Router
from starlette.types import ASGIApp
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from clubapp import VERSION, migrations
from clubapp.database import engine
from clubapp.infra import error_reporting, logs, server_lock
from clubapp.jobs import schedule
from clubapp.pages.admin.acts import page as admin_acts
from clubapp.pages.admin.administrators import page as admin_administrators
from clubapp.pages.admin.call_list import page as admin_calling
from clubapp.pages.admin.companies import company_page as admin_company
from clubapp.pages.admin.companies import page as admin_companies
from clubapp.pages.admin.events import page as admin_events
from clubapp.pages.admin.events.meeting import page as admin_meeting
from clubapp.pages.admin.health import page as admin_health
from clubapp.pages.admin.imports import page as admin_imports
from clubapp.pages.admin.mail_log import page as admin_journal
from clubapp.pages.admin.mailings import page as admin_mailings
from clubapp.pages.admin.mailings.writing import page as admin_writing
from clubapp.pages.admin.members import page as admin_members
from clubapp.pages.admin.members import person_page as admin_member
from clubapp.pages.admin.printing import page as admin_printing
from clubapp.pages.admin.reminders import page as admin_reminders
from clubapp.pages.admin.requests import page as admin_requests
from clubapp.pages.admin.seating import page as admin_seating
from clubapp.pages.admin.today import page as admin_today
from clubapp.pages.admin.upcoming_mailings import page as admin_planned
from clubapp.pages.invitee.answer import page as answer
from clubapp.pages.member.address import page as new_address
from clubapp.pages.member.company import page as member_company
from clubapp.pages.member.directory import page as member_directory
from clubapp.pages.member.invitations import page as member_invitations
from clubapp.pages.member.meetings import page as member_meetings
from clubapp.pages.member.personal_data import page as personal_data
from clubapp.pages.member.profile import page as member_profile
from clubapp.pages.member.sessions import page as own_sessions
from clubapp.pages.public.callback import page as callback
from clubapp.pages.public.company import page as company
from clubapp.pages.public.directory import page as directory
from clubapp.pages.public.kit import page as kit
from clubapp.pages.public.landing import page as landing
from clubapp.pages.public.legal import page as legal
from clubapp.pages.public.not_found import page as not_found
from clubapp.pages.public.profile import page as profile
from clubapp.pages.public.second_step import page as second_step
from clubapp.pages.public.sign_in import page as sign_in
from clubapp.settings import settings
from clubapp.ui.frame.app_wraps import app_wraps, head_links
from clubapp.web.documents import routes, sign_in_page
from clubapp.web.documents.not_found import with_not_found_page
from clubapp.web.endpoints import (
    answer_page,
    auth,
    calendar_feed,
    crawlers,
    demo_mailbox,
    downloads,
    functions_api,
    health,
    initials_images,
    media,
    metrics,
    share_cards,
    test_link,
    vcard,
)
from clubapp.web.endpoints.access import account_link, factors_api
from clubapp.web.endpoints.answers import guest_page
from clubapp.web.endpoints.attendance import arrivals_api, arrivals_page
from clubapp.web.endpoints.mailings import unsubscribe
from clubapp.web.endpoints.privacy import choices_by_link_page
from clubapp.web.endpoints.uploads import attachment_upload, image_upload, import_upload
from clubapp.web.http_errors import UnhandledErrors
from clubapp.web.screens.event_metrics import EventMetrics
from clubapp.web.screens.page import add_pages
from clubapp.web.screens.toasts import on_backend_exception, on_frontend_exception
from clubapp.web.security.address_limit import AddressLimit
from clubapp.web.security.guard import Guard, check_declarations
from clubapp.web.security.headers import SecurityHeaders
from clubapp.web.security.incoming_events import drop_unreadable
from clubapp.web.security.websocket_gate import WebsocketGate, watch_connections
from clubapp.web.states.lifetime_watch import watch_states
from clubapp.web.states.redis_state_manager import replace_state_manager

log = logging.getLogger(__name__)

SCREENS = (
    landing,
    directory,
    profile,
    company,
    legal,
    not_found,
    sign_in,
    callback,
    second_step,
    answer,
    member_meetings,
    member_directory,
    member_profile,
    member_company,
    member_invitations,
    own_sessions,
    personal_data,
    new_address,
    admin_today,
    admin_members,
    admin_member,
    admin_imports,
    admin_companies,
    admin_company,
    admin_events,
    admin_meeting,
    admin_calling,
    admin_seating,
    admin_printing,
    admin_mailings,
    admin_writing,
    admin_reminders,
    admin_journal,
    admin_planned,
    admin_administrators,
    admin_health,
    admin_requests,
    admin_acts,
    kit,
)
# Areas that are entered only by a full page load have other sheets: the build joins them, their documents link them.
STYLESHEETS = [
    f"/{name}.css"
    for name in (
        "typefaces",
        "reset",
        "base",
        "form",
        "kit",
        "above",
        "frames",
        "public",
        "landing",
        "directory",
        "profile_pages",
    )
]


def own_routes() -> list[Route]:
    """Our HTTP routes: the first that matches answers."""
    sources = (
        answer_page,  # it has the most requests in the least time
        # vcard is before the pages: '/membres/<id>.vcf' also matches a member's.
        vcard,
        sign_in_page,
        routes,
        health,
        metrics,
        auth,
        initials_images,
        media,
        image_upload,
        import_upload,
        attachment_upload,
        demo_mailbox,
        guest_page,
        choices_by_link_page,
        calendar_feed,
        share_cards,
        crawlers,
        downloads,
        arrivals_page,
        arrivals_api,
        functions_api,
        factors_api,
        account_link,
        test_link,
        unsubscribe,
    )
    return [route for source in sources for route in source.routes()]


def add_own_routes(reflex_app: ASGIApp) -> ASGIApp:
    """The application with our own HTTP routes before Reflex's, all behind the same middleware."""
    router = Router(own_routes(), default=with_not_found_page(reflex_app), redirect_slashes=False)
    site: Any = UnhandledErrors(AddressLimit(WebsocketGate(router)))  # uvicorn and Starlette type it differently
    # Takes a visitor's address from the headers of trusted proxies only.
    return cast(ASGIApp, ProxyHeadersMiddleware(site, settings().trusted_proxies))


class Application(rx.App):
    """The application of Reflex, with our headers on what its own middleware answers too: it lets in other origins."""

    def __call__(self) -> ASGIApp:
        """The application to be served."""
        return SecurityHeaders(cast(Any, super().__call__()))


@asynccontextmanager
async def run_background_work() -> AsyncIterator[None]:
    """Run the scheduled jobs and the checks of open websockets and tab states while the server runs."""
    log.info("clubapp %s starts", VERSION)
    await asyncio.to_thread(_claim_database)
    schedule.start()
    gc.freeze()  # what the start loaded stays in memory: collections skip it
    gc.set_threshold(10_000, 20, 20)  # rare collections, because a full one delays the requests under way
    gc.enable()
    watches = [asyncio.create_task(watch_connections()), asyncio.create_task(watch_states(app))]
    try:
        yield
    finally:
        for watch in watches:
            watch.cancel()
            with suppress(asyncio.CancelledError):
                await watch
        await asyncio.to_thread(schedule.stop)
        server_lock.let_go()
        engine().dispose()
        log.info("clubapp %s stops", VERSION)


def _claim_database() -> None:
    """Hold the lock of a server, on a database that a command did not lead back since it was migrated.

    Raises:
        DatabaseInWork, OlderDatabase: when this server must not start.
    """
    server_lock.hold_by_pool(engine())
    try:
        server_lock.hold()
        migrations.refuse_older()
    except OperationalError as error:  # a worker that takes another's place: the job `hold-lock` tries again
        log.warning("the database is not claimed yet", exc_info=error)


logs.configure(*error_reporting.log_handlers())
app = Application(
    html_lang="fr",
    toaster=None,
    app_wraps=app_wraps(),
    head_components=head_links(),
    stylesheets=STYLESHEETS,
    reset_style=False,
    api_transformer=add_own_routes,
    backend_exception_handler=on_backend_exception,
    frontend_exception_handler=on_frontend_exception,
)
app._state_manager = replace_state_manager(app.state_manager)  # pyright: ignore[reportPrivateUsage] - Reflex offers no other way
drop_unreadable(app)
app.add_middleware(Guard(), index=0)
app.add_middleware(EventMetrics(), index=0)
app.register_lifespan_task(run_background_work)
add_pages(app, [page for screen in SCREENS for page in screen.PAGES])
check_declarations()
