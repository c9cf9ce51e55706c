"""Unsubscribing by the link of every broadcast, and subscribing again (M3; RFC 8058).

The token alone authorises it, without sign-in. It is derived from the member's id (decision 0004).
"""

from dataclasses import dataclass

from sqlmodel import Session

from clubapp import clock, tokens
from clubapp.models import Member
from clubapp.refusals import NotFound
from clubapp.services.base import audit
from clubapp.services.base.actors import Actor

PURPOSE = "unsubscribe"
INVALID_LINK = "Ce lien de désinscription n’est pas valable. Ouvrez-le de nouveau depuis le dernier message reçu."


@dataclass(frozen=True)
class Subscription:
    """Whether a member receives the mailings; `name` is the member's."""

    name: str
    is_subscribed: bool


def read_subscription(session: Session, token: str) -> Subscription:
    """The subscription of a token. Changes nothing, since mail scanners fetch links too.

    Raises:
        NotFound: for an unknown token, or one of a deleted member.
    """
    return _subscription(_member(session, token))


def unsubscribe(session: Session, token: str) -> Subscription:
    """Stop broadcasts and invitations to the member. Idempotent.

    Raises:
        NotFound: as `read_subscription`.
    """
    member = _member(session, token, lock=True)
    if member.opted_out_at is None:
        member.opted_out_at = member.updated_at = clock.now()
        _record(session, member, "member.opted_out")
    return _subscription(member)


def resubscribe(session: Session, token: str) -> Subscription:
    """Resume broadcasts and invitations to the member. Idempotent.

    Raises:
        NotFound: as `read_subscription`.
    """
    member = _member(session, token, lock=True)
    if member.opted_out_at is not None:
        member.opted_out_at, member.updated_at = None, clock.now()
        _record(session, member, "member.opted_in")
    return _subscription(member)


def _member(session: Session, token: str, *, lock: bool = False) -> Member:
    member_id, _, secret = token.partition(".")
    if not secret or tokens.rebuild(PURPOSE, member_id, tokens.fingerprint(secret)) is None:
        raise NotFound(INVALID_LINK)
    member = session.get(Member, member_id, with_for_update=lock or None)
    if member is None:
        raise NotFound(INVALID_LINK)
    session.add(member)
    return member


def _record(session: Session, member: Member, action: str) -> None:
    audit.record(session, Actor(email=member.email or "", member_id=member.id), action, member.id)


def _subscription(member: Member) -> Subscription:
    return Subscription(member.name, member.opted_out_at is None)
