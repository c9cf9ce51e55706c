"""Who may call the addresses of an event's arrivals: an administrator, or the holder of the link of its helpers.

The token of the link is in the address once; from then on it is in an HttpOnly cookie of these addresses alone (W6).
"""

from dataclasses import dataclass
from datetime import datetime

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from clubapp import clock
from clubapp import routes as paths
from clubapp.infra.token_bucket import TokenBuckets
from clubapp.refusals import Conflict, Forbidden, NotFound, Refusal, TooMany
from clubapp.services.access import sessions
from clubapp.services.attendance import helper_link
from clubapp.services.attendance.helper_link import OpenArrivals
from clubapp.services.base.actors import VISITOR, Actor
from clubapp.settings import settings
from clubapp.text.network_addresses import network_of
from clubapp.web.security.current_actor import actor_of
from clubapp.web.security.guard import is_clean
from clubapp.web.service_calls import read

PRIVATE = {"Cache-Control": "no-store", "Referrer-Policy": "no-referrer"}
SIGNED_OUT = "Votre session est terminée."
TOO_OFTEN = "Trop de demandes depuis votre connexion. La page réessaie d’elle-même."
_LONGEST_TOKEN = 200
_RETRY_SECONDS = 10
# Twenty devices behind one network ask each second.
_BUCKETS = TokenBuckets(600, 30)


class SignedOut(Forbidden):
    """Nobody is signed in."""

    def __init__(self) -> None:
        super().__init__(SIGNED_OUT)


@dataclass(frozen=True)
class Keeper:
    """Whoever keeps the door of an event. `email` is empty for the holder of the helpers' link, `person` is a visitor.

    `base` is the address of their page; those that it calls are below it.
    """

    event_id: str
    title: str
    base: str
    helped_until: datetime
    person: Actor = VISITOR
    is_helper: bool = False


async def admit(request: Request, token: str = "") -> Keeper:
    """The caller of an address of arrivals. `token` is for the one that the link itself opens.

    Raises:
        SignedOut: when nobody is signed in.
        Forbidden: when who is signed in is no administrator, or the link is another's, withdrawn or over.
        NotFound: when the event was deleted.
        Conflict: when the event is a draft, or cancelled.
        TooMany: when the network asks too often.
    """
    network = network_of(request.client.host if request.client else "")
    if network and not _BUCKETS.take(network):
        raise TooMany(TOO_OFTEN, retry_after=_RETRY_SECONDS)
    given = request.path_params["event_id"]
    event_id = given if is_clean(given) else ""
    if request.url.path.startswith(paths.ADMIN_EVENTS):
        person = await _person_of(request)
        event = await read(helper_link.open_arrivals, person, event_id)
        return _keeper(event, paths.arrivals(event.event_id), person)
    shown = token[:_LONGEST_TOKEN] or request.cookies.get(cookie_name(), "")
    event = await read(helper_link.open_by_link, event_id, shown)
    return _keeper(event, paths.helper_arrivals(event.event_id))


def cookie_name() -> str:
    """The cookie of the helpers' link."""
    return "__Secure-accueil" if settings().uses_https else "accueil"


def keep_token(answer: Response, keeper: Keeper, token: str) -> Response:
    """The answer, which lets the browser keep the token for the addresses of this event's arrivals."""
    answer.set_cookie(
        cookie_name(),
        token,
        max_age=max(0, int((keeper.helped_until - clock.now()).total_seconds())),
        path=keeper.base,
        secure=settings().uses_https,
        httponly=True,
        samesite="lax",
    )
    return answer


def status_of(refusal: Refusal) -> int:
    """The HTTP status of a refusal."""
    kinds = {SignedOut: 401, Forbidden: 403, NotFound: 404, Conflict: 409, TooMany: 429}
    return next((status for kind, status in kinds.items() if isinstance(refusal, kind)), 422)


def refuse(refusal: Refusal) -> Response:
    """The refusal as the page's script reads it."""
    return JSONResponse({"error": refusal.text}, status_of(refusal), PRIVATE)


def _keeper(event: OpenArrivals, base: str, person: Actor = VISITOR) -> Keeper:
    return Keeper(event.event_id, event.title, base, event.helped_until, person, is_helper=not person.is_admin)


async def _person_of(request: Request) -> Actor:
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer":
        person = await read(sessions.find_token_actor, token.strip()) or VISITOR
    else:
        person = await actor_of(request)
    if not person.is_signed_in and not person.is_admin:
        raise SignedOut
    return person
