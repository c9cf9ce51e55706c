"""The addresses that open, renew and close a session. Only our own pages may call them.

They answer 200 with a `status` whenever the person can be told something, so that no browser logs an error for it.
"""

import re
import secrets
from collections.abc import Awaitable, Callable
from datetime import datetime
from http import HTTPStatus
from typing import Any
from urllib.parse import urlsplit

from sqlmodel import Session
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from clubapp import clock
from clubapp import routes as paths
from clubapp.infra import refusal_counts
from clubapp.refusals import Refusal
from clubapp.services.access import known_browsers, passkey_sign_in, sessions, sign_in
from clubapp.services.access.factors import Refused
from clubapp.services.access.known_browsers import Browser
from clubapp.services.access.sign_in import ConfirmationRequired, LinkRefused, OpenedSession, WrongCode
from clubapp.settings import settings
from clubapp.web.endpoints.request_body import UnreadableBody, read_json
from clubapp.web.security.current_actor import actor_of, browser_cookie_name, cookie_name, sign_in_cookie_name
from clubapp.web.security.guard import is_clean
from clubapp.web.service_calls import write

MAX_BODY = 4096
NO_STORE = {"Cache-Control": "no-store"}
FOREIGN_REQUEST = "Cette requête ne vient pas du site. Rechargez la page et recommencez."
MALFORMED = "Cette requête n’est pas lisible. Rechargez la page et recommencez."
REPLACED = "La session de {} est ouverte dans ce navigateur\u00a0: la confirmation la ferme."
ABANDONED = "{} n’a pas fini de se connecter dans ce navigateur\u00a0: la confirmation y met fin."
_BROWSER = re.compile(r"[A-Za-z0-9_-]{43}")
_Endpoint = Callable[[Request], Awaitable[Response]]
_Outcome = OpenedSession | ConfirmationRequired | WrongCode | Refused
_Attempt = Callable[[Session], _Outcome]


def routes() -> list[Route]:
    """The HTTP routes of this module."""
    return [
        Route(path, _guarded(endpoint), methods=["POST"])
        for path, endpoint in (
            (paths.REDEEM, redeem),
            (paths.REDEEM_CODE, redeem_code),
            (paths.PASSKEY_OPTIONS, passkey_options),
            (paths.PASSKEY, redeem_passkey),
            (paths.REFRESH, refresh),
            (paths.RENEW, renew),
            (paths.ACCESS_TOKEN, access_token),
            (paths.SIGN_OUT, sign_out),
            (paths.SIGN_OUT_EVERYWHERE, sign_out_everywhere),
        )
    ]


async def redeem(request: Request) -> Response:
    """Sign in with the tokens of a link: `ok`, `confirm` with the masked address, or `error` with its text."""
    body = await _body(request)
    shown = _text(body, "access_token")
    asked_by_form = request.cookies.get(sign_in_cookie_name(), "").partition(".")[0]

    def redeem_with(session: Session, nonce: str) -> OpenedSession | ConfirmationRequired:
        return sign_in.redeem_link(
            session,
            shown,
            _text(body, "refresh_token"),
            nonce=nonce,
            confirmed=body.get("confirmed") is True,
            browser=browser_of(request),
        )

    def act(session: Session) -> OpenedSession | ConfirmationRequired:
        done = redeem_with(session, _text(body, "nonce"))
        return redeem_with(session, asked_by_form) if isinstance(done, ConfirmationRequired) else done

    return await _sign_in(request, act, shown)


async def redeem_code(request: Request) -> Response:
    """Sign in with the six digits of the mail: `ok`, or `error` with its text."""
    body = await _body(request)
    return await _sign_in(
        request,
        lambda session: sign_in.redeem_code(
            session,
            _text(body, "code"),
            nonce=_text(body, "nonce"),
            browser=browser_of(request),
        ),
    )


async def passkey_options(request: Request) -> Response:
    """What the browser is asked to sign in with a passkey."""
    asked = passkey_sign_in.ask_for_passkey(browser_of(request).token)
    answer = JSONResponse({"challenge_id": asked.challenge_id, "options": asked.options}, headers=NO_STORE)
    return with_browser(request, answer)


async def redeem_passkey(request: Request) -> Response:
    """Sign in with a passkey: `ok`, or `error` with its text."""
    body = await _body(request)
    credential = body.get("credential_response")
    return await _sign_in(
        request,
        lambda session: passkey_sign_in.redeem_passkey(
            session,
            _text(body, "challenge_id"),
            credential if isinstance(credential, dict) and is_clean(credential) else {},
            browser_of(request),
        ),
    )


async def refresh(request: Request) -> Response:
    """Change the cookie's secret (S10): `ok`, or `ended` when there is no session any more."""
    changed = await write(sessions.rotate_secret, request.cookies.get(cookie_name(), ""))
    if changed is None:
        return _without_cookie(_answer(status="ended"))
    return with_cookie(_answer(status="ok"), *changed)


async def renew(request: Request) -> Response:
    """Let the session last another hour, with the six digits of a mail: `ok`, or `error` with its text."""
    body = await _body(request)
    cookie = request.cookies.get(cookie_name(), "")
    try:
        done = await write(sign_in.renew_session, cookie, _text(body, "code"), nonce=_text(body, "nonce"))
    except Refusal as refusal:
        refusal_counts.count(refusal_counts.SIGN_IN)
        return _answer(status="error", text=refusal.text)
    if isinstance(done, WrongCode):
        refusal_counts.count(refusal_counts.CODE)
        return _answer(status="error", text=done.text)
    return with_cookie(_answer(status="ok"), done.cookie, done.expires_at)


async def access_token(request: Request) -> Response:
    """A short-lived bearer token for the server functions."""
    person = await actor_of(request)
    if not person.is_signed_in:
        return JSONResponse({"error": sign_in.NO_SESSION}, 401, NO_STORE)
    made = await write(sessions.make_access_token, person)
    return _answer(access_token=made.token, expires_at=made.expires_at.isoformat())


async def sign_out(request: Request) -> Response:
    """End the session, and go to the sign-in page by a full page load."""
    await write(sessions.sign_out, request.cookies.get(cookie_name(), ""))
    return _without_cookie(RedirectResponse(paths.SIGN_IN, 303, NO_STORE))


async def sign_out_everywhere(request: Request) -> Response:
    """End every session of the person (S9), and go to the sign-in page by a full page load."""
    person = await actor_of(request)
    if person.is_signed_in:
        await write(sessions.sign_out_everywhere, person)
    return _without_cookie(RedirectResponse(paths.SIGN_IN, 303, NO_STORE))


async def _sign_in(request: Request, attempt_: _Attempt, link: str = "") -> Response:
    try:
        done = await attempt(request, attempt_)
    except Refusal as refusal:
        if isinstance(refusal, LinkRefused):
            await write(sign_in.record_replay, link)
        return _answer(status="error", text=refusal.text)
    if isinstance(done, ConfirmationRequired):
        person = await actor_of(request)
        is_replaced = person.has_session and person.email != done.address
        sentence = REPLACED if person.is_signed_in else ABANDONED
        told = {"text": sentence.format(person.email)} if is_replaced else {}
        return _answer(status="confirm", email=done.email, **told)
    if isinstance(done, WrongCode | Refused):
        return _answer(status="error", text=done.text)
    opened = with_cookie(_answer(status="ok", next=done.home), done.cookie, done.expires_at)
    return with_browser(request, opened)


async def attempt(request: Request, act: _Attempt) -> _Outcome:
    """Try to sign in; who succeeds leaves the session that this browser had.

    Raises:
        Refusal: as the service that is tried.
    """
    former = request.cookies.get(cookie_name(), "")

    def run(session: Session) -> _Outcome:
        done = act(session)
        if isinstance(done, OpenedSession):
            sessions.end_former_session(session, former)
        return done

    try:
        done = await write(run)
    except Refusal:
        refusal_counts.count(refusal_counts.SIGN_IN)
        raise
    if isinstance(done, WrongCode):
        refusal_counts.count(refusal_counts.CODE)
    if isinstance(done, Refused):
        refusal_counts.count(refusal_counts.SIGN_IN)
    return done


def _guarded(endpoint: _Endpoint) -> _Endpoint:
    """Refuse what another site sends, and what cannot be read, before anything is done."""

    async def guarded(request: Request) -> Response:
        if not is_from_our_pages(request):
            return JSONResponse({"status": "error", "text": FOREIGN_REQUEST, "error": FOREIGN_REQUEST}, 403, NO_STORE)
        try:
            return await endpoint(request)
        except UnreadableBody as unreadable:
            return JSONResponse({"status": "error", "text": MALFORMED}, unreadable.status, NO_STORE)

    return guarded


def is_from_our_pages(request: Request) -> bool:
    """Whether one of our own pages sent a request; what another sent is counted as refused.

    A browser that withholds the origin, as under `no-referrer`, says by another header that it is the same.
    """
    origin = request.headers.get("origin", "null")
    is_same = (
        request.headers.get("sec-fetch-site") == "same-origin" if origin == "null" else origin in settings().origins
    )
    return not _counted(not is_same)


def is_foreign(request: Request) -> bool:
    """Whether a page of another site sent a form, by all that browsers of the last ten years say of it; it is counted.

    Who says nothing of where a form stood is no browser, or one that was told not to by our own page.
    """
    return _counted(_is_of_another_site(request))


def _counted(is_refused: bool) -> bool:
    if is_refused:
        refusal_counts.count(refusal_counts.ORIGIN)
    return is_refused


def _is_of_another_site(request: Request) -> bool:
    origin = request.headers.get("origin", "null")
    if origin != "null":
        return origin not in settings().origins
    if site := request.headers.get("sec-fetch-site"):
        return site not in ("same-origin", "none")
    try:
        referrer = urlsplit(request.headers.get("referer", ""))
    except ValueError:  # no browser writes such an address
        return True
    return bool(referrer.netloc) and f"{referrer.scheme}://{referrer.netloc}" not in settings().origins


async def _body(request: Request) -> dict[str, Any]:
    body = await read_json(request, MAX_BODY)
    if not isinstance(body, dict):
        raise UnreadableBody(HTTPStatus.BAD_REQUEST)
    return body


def _text(body: dict[str, Any], name: str) -> str:
    value = body.get(name, "")
    return value if isinstance(value, str) else ""


def _answer(**content: str) -> Response:
    return JSONResponse(content, headers=NO_STORE)


def with_cookie(response: Response, cookie: str, expires_at: datetime) -> Response:
    """The response that lets the browser keep the cookie of a session until the session ends."""
    response.set_cookie(
        cookie_name(),
        cookie,
        max_age=max(0, int((expires_at - clock.now()).total_seconds())),
        path="/",
        secure=settings().uses_https,
        httponly=True,
        samesite="lax",
    )
    return response


def browser_of(request: Request) -> Browser:
    """The browser of a request, by what its cookie holds, or will hold."""
    if not hasattr(request.state, "browser"):
        held = request.cookies.get(browser_cookie_name(), "")
        request.state.browser = Browser(
            token=held if _BROWSER.fullmatch(held) else secrets.token_urlsafe(32),
            user_agent=request.headers.get("user-agent", ""),
            address=request.client.host if request.client else "",
        )
    return request.state.browser


def with_browser(request: Request, response: Response) -> Response:
    """The response by which the browser is recognised at its next sign-in (S14); its cookie gives no right."""
    response.set_cookie(
        browser_cookie_name(),
        browser_of(request).token,
        max_age=int(known_browsers.LIFETIME.total_seconds()),
        path="/",
        secure=settings().uses_https,
        httponly=True,
        samesite="lax",
    )
    return response


def _without_cookie(response: Response) -> Response:
    response.delete_cookie(cookie_name(), path="/", secure=settings().uses_https, httponly=True, samesite="lax")
    return response
