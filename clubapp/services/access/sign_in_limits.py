"""Limits on requests for sign-in mails and on code guesses, without locking the owner of an address out (S6).

They are counted from the rows of sign-in links, so nothing else is stored.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from math import ceil

from sqlalchemy import ColumnElement, and_, func, select, text
from sqlmodel import Session, col

from clubapp import clock, tokens
from clubapp.models import Admin, Member, SignInLink
from clubapp.refusals import TooMany
from clubapp.text.network_addresses import is_loopback, network_of

TOO_MANY_ADDRESS = (
    "Trop de demandes pour cette adresse. Le dernier lien envoyé reste valable\u00a0; "
    "vous pourrez en demander un autre dans {wait}."
)
TOO_MANY_REQUESTER = "Trop de demandes depuis votre connexion. Réessayez dans {wait}."

WINDOW = timedelta(minutes=15)
MAX_PER_ADDRESS_AND_REQUESTER = 5
MAX_PER_ADDRESS = 10
MAX_PER_REQUESTER = 20
MAX_REQUESTS = 300
CODE_WINDOW = timedelta(hours=24)
MAX_CODE_TRIES_PER_ADDRESS = 20
MAX_CODE_TRIES_PER_REQUESTER = 100
_REQUESTS_LOCK = 0x5163


@dataclass(frozen=True)
class RecentRequest:
    """One recent request for a sign-in mail."""

    email: str
    requester: str
    created_at: datetime


def hash_requester(address: str) -> str:
    """The stored form of a network address: a keyed hash, of the whole /64 for IPv6; empty when unknown.

    The loopback counts as unknown: behind a proxy that does not forward addresses, it would be every client.
    """
    network = "" if is_loopback(address) else network_of(address)
    return tokens.keyed_fingerprint("requester", network) if network else ""


def lock_requests(session: Session) -> None:
    """Serialise requests until the transaction ends, so that a burst cannot exceed the limits; SQLite does anyway."""
    if session.get_bind().dialect.name == "postgresql":
        session.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _REQUESTS_LOCK})


def recent_requests(session: Session) -> list[RecentRequest]:
    """Requests of the last 15 minutes whose link is unused: a sign-in resets its own count."""
    columns = select(col(SignInLink.email), col(SignInLink.requester), col(SignInLink.created_at))
    since = col(SignInLink.created_at) > clock.now() - WINDOW
    return [RecentRequest(*row) for row in session.execute(columns.where(since, col(SignInLink.redeemed_at).is_(None)))]


def refuse_too_many(
    recent: list[RecentRequest], email: str, requester: str, *, from_known_browser: bool = False
) -> None:
    """Apply the limits (S6). Over its limit an address keeps its last link: a stranger cannot lock its owner out.

    A browser that its owner signed in with before answers for nobody else of its network, or elsewhere (W14).
    """
    address = [made for made in recent if made.email == email]
    here = [made for made in address if made.requester == requester]
    network = [made for made in recent if requester and made.requester == requester]
    _limit(here, MAX_PER_ADDRESS_AND_REQUESTER, TOO_MANY_ADDRESS)
    if from_known_browser:
        return
    _limit(address, MAX_PER_ADDRESS, TOO_MANY_ADDRESS)
    _limit(network, MAX_PER_REQUESTER, TOO_MANY_REQUESTER)


def _limit(made: list[RecentRequest], limit: int, sentence: str) -> None:
    if len(made) < limit:
        return
    free_at = sorted(one.created_at for one in made)[-limit] + WINDOW
    seconds = max(1, ceil((free_at - clock.now()).total_seconds()))
    minutes = ceil(seconds / 60)
    wait = f"{minutes} minutes" if minutes > 1 else "1 minute"
    raise TooMany(sentence.format(wait=wait), retry_after=seconds)


def codes_are_exhausted(session: Session, link: SignInLink, *, from_known_browser: bool = False) -> bool:
    """Whether too many codes were tried within a day for the address of a link, or from the network that asked for it.

    Links stay usable. There is no limit in all, for it would let a stranger switch the codes of the whole club off;
    nor can one switch them off for an owner's browser that has signed in before: it counts the tries of its network.
    """
    of_address = col(SignInLink.email) == link.email
    if from_known_browser:
        return _count_tries(session, and_(of_address, col(SignInLink.requester) == link.requester)) >= (
            MAX_CODE_TRIES_PER_ADDRESS
        )
    here = _count_tries(session, of_address)
    from_network = link.requester and _count_tries(session, col(SignInLink.requester) == link.requester)
    return here >= MAX_CODE_TRIES_PER_ADDRESS or bool(from_network and from_network >= MAX_CODE_TRIES_PER_REQUESTER)


def count_wrong_codes(session: Session) -> int:
    """The wrong codes of the last 24 hours for addresses of the club: what is tried on invented ones says nothing."""
    of_the_club = col(SignInLink.email).in_(select(col(Admin.email)).union(select(col(Member.email))))
    return _count_tries(session, of_the_club)


def _count_tries(session: Session, which: ColumnElement[bool]) -> int:
    since = col(SignInLink.created_at) > clock.now() - CODE_WINDOW
    query = select(func.coalesce(func.sum(col(SignInLink.code_tries)), 0))
    return session.execute(query.where(which, since, col(SignInLink.redeemed_at).is_(None))).scalar_one()
