"""Unsubscribing by the link of every broadcast, and subscribing again (M3; RFC 8058).

The token alone authorises it, without sign-in. It is derived from the id of the member or guest (decision 0004).
"""

from dataclasses import dataclass

from sqlmodel import Session

from clubapp import clock, tokens
from clubapp.models import EventGuest, Member
from clubapp.refusals import NotFound
from clubapp.services.base import audit, link_limit
from clubapp.services.base.actors import VISITOR, Actor

PURPOSE = "unsubscribe"
INVALID_LINK = "Ce lien de désinscription n’est pas valable. Ouvrez-le de nouveau depuis le dernier message reçu."


@dataclass(frozen=True)
class Subscription:
    """Whether a person receives the mailings; a guest may have no name."""

    name: str
    is_subscribed: bool
    is_guest: bool = False


def read_subscription(session: Session, token: str) -> Subscription:
    """The subscription of a token. Changes nothing, since mail scanners fetch links too.

    Raises:
        NotFound: for an unknown token, or one of a deleted member.
    """
    return _subscription(_holder(session, token))


def unsubscribe(session: Session, token: str) -> Subscription:
    """Stop broadcasts, and to a member invitations. Idempotent.

    Raises:
        NotFound: as `read_subscription`.
    """
    person = _holder(session, token, lock=True)
    if person.opted_out_at is None:
        person.opted_out_at = person.updated_at = clock.now()
        _record(session, person, "opted_out")
    return _subscription(person)


def resubscribe(session: Session, token: str) -> Subscription:
    """Resume what `unsubscribe` stops. Idempotent.

    Raises:
        NotFound: as `read_subscription`.
        LinkSpent: after too many changes within a day.
    """
    person = _holder(session, token, lock=True)
    if person.opted_out_at is not None:
        kind, subject = _subject(person)
        link_limit.refuse_too_many(session, subject, (f"{kind}.opted_out", f"{kind}.opted_in"))
        person.opted_out_at, person.updated_at = None, clock.now()
        _record(session, person, "opted_in")
    return _subscription(person)


def _holder(session: Session, token: str, *, lock: bool = False) -> Member | EventGuest:
    person_id, _, secret = token.partition(".")
    if not secret or tokens.rebuild(PURPOSE, person_id, tokens.fingerprint(secret)) is None:
        raise NotFound(INVALID_LINK)
    for table in (Member, EventGuest):
        person: Member | EventGuest | None = session.get(table, person_id, with_for_update=lock or None)
        if person is not None:
            session.add(person)
            return person
    raise NotFound(INVALID_LINK)


def _record(session: Session, person: Member | EventGuest, what: str) -> None:
    kind, subject = _subject(person)
    actor = VISITOR if isinstance(person, EventGuest) else Actor(email=person.email or "", member_id=person.id)
    audit.record(session, actor, f"{kind}.{what}", subject)


def _subject(person: Member | EventGuest) -> tuple[str, str]:
    """The kind of record that the act is done to, and its id: a guest is found by the answer that names them."""
    if isinstance(person, EventGuest):
        return "guest", person.reservation_id or ""
    return "member", person.id


def _subscription(person: Member | EventGuest) -> Subscription:
    return Subscription(person.name, person.opted_out_at is None, isinstance(person, EventGuest))
