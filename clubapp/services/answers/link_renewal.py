"""Answer links for a club that lost its signing key (decision 0004)."""

from sqlmodel import Session, col, select

from clubapp import clock, tokens
from clubapp.models import Event, EventReservation
from clubapp.services.base import audit
from clubapp.services.base.actors import Actor, require_admin


def renew_links(session: Session, actor: Actor) -> int:
    """Give new links to the reservations whose link no key here can write again; the former ones lead nowhere then.

    Only events to come are concerned. Nobody is written to: the next mail of each person carries the new link.

    Returns:
        How many links are new.
    """
    require_admin(actor)
    to_come = select(Event.id).where(col(Event.date) > clock.now())
    query = select(EventReservation).where(col(EventReservation.event_id).in_(to_come)).with_for_update()
    lost = [one for one in session.exec(query) if tokens.rebuild("answer", one.id, one.response_token) is None]
    for reservation in lost:
        reservation.response_token = tokens.fingerprint(tokens.derive("answer", reservation.id))
        session.add(reservation)
    if lost:
        audit.record(session, actor, "answer_links.renewed", count=len(lost))
    return len(lost)
