"""The local mailbox of a demonstration: reads the mail that no relay took.

It shows sign-in links, hence: only with CLUB_DEMO, only for a visitor on this very machine, else 404.
"""

from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import Route

from clubapp.mail.messages.mail_kinds import MAIL_KINDS
from clubapp.mail.transport import file_mailbox
from clubapp.routes import MAILBOX
from clubapp.settings import LOOPBACK, settings
from clubapp.web.endpoints.plain_page import TEMPLATES
from clubapp.web.security.loopback import is_local


def routes() -> list[Route]:
    """What the application mounts."""
    return [Route(MAILBOX, show_list), Route(f"{MAILBOX}/{{name}}", show_mail)]


def show_list(request: Request) -> Response:
    """The messages, newest first."""
    return _page(opened=None, as_text=False) if _is_admitted(request) else _nothing_here()


def show_mail(request: Request) -> Response:
    """One message beside the list: its HTML in a frame that runs nothing, or its text with `?vue=texte`."""
    mail = file_mailbox.open_mail(request.path_params["name"]) if _is_admitted(request) else None
    if mail is None:
        return _nothing_here()
    return _page(opened=mail, as_text=request.query_params.get("vue") == "texte")


def _is_admitted(request: Request) -> bool:
    is_public = urlsplit(settings().public_url).hostname not in LOOPBACK
    return settings().demo and not is_public and is_local(request)


def _nothing_here() -> Response:
    return PlainTextResponse("Introuvable.", 404)


def _page(*, opened: file_mailbox.OpenedMail | None, as_text: bool) -> HTMLResponse:
    page = TEMPLATES.get_template("mailbox.html").render(
        club=settings(),
        base=MAILBOX,
        kinds={kind.name: kind.label for kind in MAIL_KINDS.values()},
        mails=file_mailbox.list_newest(),
        opened=opened,
        as_text=as_text,
        relay=urlsplit(settings().smtp_url).hostname if settings().smtp_url else "",
    )
    return HTMLResponse(page, headers={"Cache-Control": "no-store", "Referrer-Policy": "no-referrer"})
