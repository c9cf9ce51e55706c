"""Who may open the arrivals of an event: administrators, and the holder of the link made for its helpers.

The link opens the arrivals of its one event until LASTS after its end, or until it is withdrawn.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

import segno
from sqlmodel import Session

from clubapp import clock, routes, tokens
from clubapp.calendar_files import ends_at
from clubapp.models import Event, EventStatus
from clubapp.refusals import Conflict, Forbidden, NotFound
from clubapp.services.base import audit
from clubapp.services.base.actors import Actor, require_admin
from clubapp.services.events.editing import find_event
from clubapp.settings import settings

LASTS = timedelta(hours=12)
NO_LINK = (
    "Ce lien n’ouvre plus l’accueil\u00a0: il a été retiré, ou l’événement est passé. Demandez-en un autre au club."
)
NOT_HELD = "L’accueil s’ouvre quand l’événement est confirmé. Celui-ci est {}."
OVER = "Cet événement est passé\u00a0: son accueil ne se partage plus."
_PURPOSE = "arrivals"
_HELD = (EventStatus.CONFIRMED, EventStatus.COMPLETED)


@dataclass(frozen=True)
class HelperLink:
    """The link of an event's helpers; `address` is empty without one. `picture` is its QR code as a data URI."""

    address: str = ""
    picture: str = ""
    ends: str = ""


@dataclass(frozen=True)
class OpenArrivals:
    """An event whose arrivals are recorded; a helper's link works until `helped_until`."""

    event_id: str
    title: str
    helped_until: datetime


def open_arrivals(session: Session, actor: Actor, event_id: str) -> OpenArrivals:
    """The event whose arrivals an administrator records.

    Raises:
        NotFound: when it was deleted.
        Conflict: when it is a draft, or cancelled.
    """
    return _opened(_find_held(session, actor, event_id))


def open_by_link(session: Session, event_id: str, token: str) -> OpenArrivals:
    """The event whose arrivals the holder of a link records.

    Raises:
        Forbidden: when the link is another's, withdrawn or over.
    """
    try:
        event = find_event(session, event_id)
    except NotFound:
        raise Forbidden(NO_LINK) from None
    is_theirs = bool(event.helper_token) and tokens.is_same_token(tokens.fingerprint(token), event.helper_token)
    if not is_theirs or event.status not in _HELD or clock.now() > _last_instant(event):
        raise Forbidden(NO_LINK)
    return _opened(event)


def read_link(session: Session, actor: Actor, event_id: str) -> HelperLink:
    """The link as it stands."""
    return _describe(_find_held(session, actor, event_id))


def make_link(session: Session, actor: Actor, event_id: str) -> HelperLink:
    """A new link; the one before works no longer.

    Raises:
        Conflict: when the event is over.
    """
    event = _find_held(session, actor, event_id, lock=True)
    if clock.now() > _last_instant(event):
        raise Conflict(OVER)
    event.helper_serial += 1
    event.helper_token = tokens.fingerprint(tokens.derive(_PURPOSE, _name(event)))
    session.add(event)
    audit.record(session, actor, "helper_link.made", event.id)
    return _describe(event)


def withdraw_link(session: Session, actor: Actor, event_id: str) -> HelperLink:
    """Let the link work no longer."""
    event = _find_held(session, actor, event_id, lock=True)
    if event.helper_token:
        event.helper_token = ""
        session.add(event)
        audit.record(session, actor, "helper_link.withdrawn", event.id)
    return _describe(event)


def _find_held(session: Session, actor: Actor, event_id: str, *, lock: bool = False) -> Event:
    require_admin(actor)
    event = find_event(session, event_id, lock=lock)
    if event.status not in _HELD:
        raise Conflict(NOT_HELD.format(EventStatus(event.status).label.lower()))
    return event


def _opened(event: Event) -> OpenArrivals:
    return OpenArrivals(event.id, event.title, _last_instant(event))


def _last_instant(event: Event) -> datetime:
    return ends_at(event) + LASTS


def _name(event: Event) -> str:
    return f"{event.id}:{event.helper_serial}"


def _describe(event: Event) -> HelperLink:
    token = tokens.rebuild(_PURPOSE, _name(event), event.helper_token) if event.helper_token else None
    if token is None or clock.now() > _last_instant(event):
        return HelperLink()
    address = f"{settings().public_url}{routes.helper_arrivals(event.id)}?token={token}"
    picture = segno.make(address, error="m").svg_data_uri(scale=5, border=2, dark="#1b2430", light="#ffffff")
    return HelperLink(address, picture, clock.short_date(_last_instant(event)))
