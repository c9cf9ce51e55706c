"""POST /connexion: signing in by plain forms, without script or websocket; first the address, then the code (S4, S6).

The nonce that proves who asked is in an HttpOnly cookie, with the address that it was asked for. A form of another site
is refused by its origin, so that nobody is signed in as somebody else (login CSRF).
"""

import base64
import binascii
from http import HTTPStatus
from typing import Any

from sqlalchemy.exc import SQLAlchemyError
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from clubapp import routes as paths
from clubapp.refusals import Refusal, TooMany
from clubapp.services.access import sign_in
from clubapp.services.access.sign_in import OpenedSession, WrongCode
from clubapp.services.base.actors import VISITOR, Actor
from clubapp.settings import settings
from clubapp.web.documents.html_shell import Head, read_script, respond_with_page
from clubapp.web.documents.metadata import page_title
from clubapp.web.endpoints import auth
from clubapp.web.endpoints.auth import FOREIGN_REQUEST, MALFORMED, NO_STORE, is_foreign
from clubapp.web.endpoints.request_body import UnreadableBody, read_form
from clubapp.web.screens.page import first_paint
from clubapp.web.screens.toasts import NEUTRAL, log_unexpected
from clubapp.web.security.current_actor import sign_in_cookie_name
from clubapp.web.service_calls import write

STEP, CODE = "etape", "code"
_LONGEST_BODY = 4096
_LONGEST_ADDRESS, _LONGEST_CODE = 320, 7
_FORMS = read_script("plain_forms.js")


def routes() -> list[Route]:
    """The address of the forms."""
    return [Route(paths.SIGN_IN, post, methods=["POST"])]


def paint(request: Request, person: Actor = VISITOR, **shown: Any) -> tuple[Head, str]:
    """Head and first paint of the sign-in screen: the form of the address, or that of the code once a mail was sent."""
    nonce, email = read_nonce(request)
    values = {
        "is_expired": request.query_params.get("motif") == "expiree",
        "signed_in_as": person.email if person.is_signed_in else "",
        "home": paths.ADMIN if person.is_admin else paths.MEMBER,
        "is_sent": bool(nonce) and request.query_params.get(STEP) == CODE,
        "has_code": bool(nonce),
        "email": email,
        "is_sending": False,
        **dict.fromkeys(("error", "code", "code_error", "passkey_error", "nonce"), ""),
    }
    return Head(page_title("Connexion"), script=_FORMS), first_paint(paths.SIGN_IN, sign_in_state=values | shown)


async def post(request: Request) -> Response:
    """Send a mail to the address of the form, or sign in with its code."""
    if is_foreign(request):
        return await _show(request, HTTPStatus.FORBIDDEN, error=FOREIGN_REQUEST)
    try:
        fields = await read_form(request, _LONGEST_BODY)
    except UnreadableBody as unreadable:
        return await _show(request, unreadable.status, error=MALFORMED)
    try:
        return await (_sign_in(request, fields["code"]) if "code" in fields else _send(request, fields))
    except TooMany as refusal:
        told = await _show(request, HTTPStatus.TOO_MANY_REQUESTS, error=refusal.text, **_typed(fields))
        told.headers["Retry-After"] = str(refusal.retry_after)
        return told
    except Refusal as refusal:
        return await _show(request, HTTPStatus.UNPROCESSABLE_ENTITY, error=refusal.text, **_typed(fields))
    except SQLAlchemyError as error:
        text = NEUTRAL.format(log_unexpected(error))
        return await _show(request, HTTPStatus.SERVICE_UNAVAILABLE, error=text, **_typed(fields))


async def _send(request: Request, fields: dict[str, str]) -> Response:
    email = fields.get("email", "")[:_LONGEST_ADDRESS]
    requester = request.client.host if request.client else ""
    nonce = await write(sign_in.request_link, email, requester=requester, browser=auth.browser_of(request))
    answer = RedirectResponse(f"{paths.SIGN_IN}?{STEP}={CODE}", HTTPStatus.SEE_OTHER, NO_STORE)
    answer.set_cookie(
        sign_in_cookie_name(),
        f"{nonce}.{base64.urlsafe_b64encode(email.strip().encode()).decode()}",
        max_age=settings().sign_in_minutes * 60,
        path="/",
        secure=settings().uses_https,
        httponly=True,
        samesite="lax",
    )
    return answer


async def _sign_in(request: Request, code: str) -> Response:
    done = await auth.attempt(
        request,
        lambda session: sign_in.redeem_code(
            session,
            code,
            nonce=read_nonce(request)[0],
            browser=auth.browser_of(request),
        ),
    )
    if isinstance(done, OpenedSession):
        answer = auth.with_cookie(
            RedirectResponse(done.home, HTTPStatus.SEE_OTHER, NO_STORE), done.cookie, done.expires_at
        )
        answer.delete_cookie(
            sign_in_cookie_name(), path="/", secure=settings().uses_https, httponly=True, samesite="lax"
        )
        return auth.with_browser(request, answer)
    text = done.text if isinstance(done, WrongCode) else ""
    if not read_nonce(request)[0]:  # asked for too long ago, or in another browser
        return await _show(request, HTTPStatus.UNPROCESSABLE_ENTITY, error=text)
    typed = code[:_LONGEST_CODE]
    return await _show(request, HTTPStatus.UNPROCESSABLE_ENTITY, is_sent=True, code=typed, code_error=text)


def read_nonce(request: Request) -> tuple[str, str]:
    """The nonce and the address in the cookie of this browser; both empty without one."""
    nonce, _, packed = request.cookies.get(sign_in_cookie_name(), "").partition(".")
    try:
        email = base64.urlsafe_b64decode(packed).decode() if packed.isascii() else ""
    except (binascii.Error, UnicodeDecodeError):
        email = ""
    return nonce, email[:_LONGEST_ADDRESS]


def _typed(fields: dict[str, str]) -> dict[str, Any]:
    """What was typed stays on the page that says why it was refused; again at the code, when it was the code."""
    return {"is_sent": True} if "code" in fields else {"email": fields.get("email", "")[:_LONGEST_ADDRESS]}


async def _show(request: Request, status: HTTPStatus, **shown: Any) -> Response:
    """The page with what went wrong. It has no interface: that would begin with an empty form."""
    head, page = paint(request, **shown)
    return await respond_with_page(
        request, paths.SIGN_IN, head=head, page=page, script="", status=status, headers=NO_STORE
    )
