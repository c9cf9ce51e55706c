"""Limits on asking for sign-in mails and on guessing their codes, without keeping the real owner out (S6).

They are counted from the links themselves: there is nothing else to store, and nothing to forget.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from ipaddress import IPv6Address, ip_address, ip_network
from math import ceil

from sqlalchemy import func, select, text
from sqlmodel import Session, col

from clubapp import clock, tokens
from clubapp.models import SignInLink
from clubapp.refusals import TooMany

TOO_MANY_ADDRESS = (
    "Trop de demandes pour cette adresse. Le dernier lien envoyé reste valable ; "
    "vous pourrez en demander un autre dans {wait}."
)
TOO_MANY_REQUESTER = "Trop de demandes depuis votre connexion. Réessayez dans {wait}."

WINDOW = timedelta(minutes=15)
PER_ADDRESS_HERE = 5
PER_ADDRESS = 10
PER_REQUESTER = 20
IN_ALL = 300
CODE_DAY = timedelta(hours=24)
CODE_TRIES_PER_ADDRESS = 20
CODE_TRIES_IN_ALL = 200
_REQUESTS_LOCK = 0x5163


@dataclass(frozen=True)
class Request:
    """One request for a sign-in mail, as the limits see it."""

    email: str
    requester: str
    created_at: datetime


def requester_of(address: str) -> str:
    """What is kept of a network address: a keyed hash, of the whole /64 for IPv6.

    The loopback is nobody: behind a proxy that does not tell addresses, it would be everybody.
    """
    try:
        found = ip_address(address)
    except ValueError:
        return ""
    if found.is_loopback:
        return ""
    network = ip_network(f"{found}/64", strict=False) if isinstance(found, IPv6Address) else found
    return tokens.keyed_fingerprint("requester", str(network))


def one_at_a_time(session: Session) -> None:
    """Requests are counted one after the other, or a burst would slip under the limits. SQLite does so by itself."""
    if session.get_bind().dialect.name == "postgresql":
        session.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _REQUESTS_LOCK})


def recent_requests(session: Session) -> list[Request]:
    """Requests of the last minutes that nobody has redeemed: who signs in is not slowed down."""
    columns = select(col(SignInLink.email), col(SignInLink.requester), col(SignInLink.created_at))
    since = col(SignInLink.created_at) > clock.now() - WINDOW
    return [Request(*row) for row in session.execute(columns.where(since, col(SignInLink.redeemed_at).is_(None)))]


def refuse_too_many(recent: list[Request], email: str, requester: str) -> None:
    """The limits (S6). A stranger cannot use up an owner's: over its limit, an address keeps its last link."""
    address = [made for made in recent if made.email == email]
    here = [made for made in address if made.requester == requester]
    network = [made for made in recent if requester and made.requester == requester]
    _limit(here, PER_ADDRESS_HERE, TOO_MANY_ADDRESS)
    _limit(address, PER_ADDRESS, TOO_MANY_ADDRESS)
    _limit(network, PER_REQUESTER, TOO_MANY_REQUESTER)


def _limit(made: list[Request], limit: int, sentence: str) -> None:
    if len(made) < limit:
        return
    free_at = sorted(one.created_at for one in made)[-limit] + WINDOW
    seconds = max(1, ceil((free_at - clock.now()).total_seconds()))
    minutes = ceil(seconds / 60)
    wait = f"{minutes} minutes" if minutes > 1 else "1 minute"
    raise TooMany(sentence.format(wait=wait), retry_after=seconds)


def codes_are_exhausted(session: Session, email: str) -> bool:
    """Whether so many codes were tried in a day that somebody is guessing. Links stay good."""
    today = col(SignInLink.created_at) > clock.now() - CODE_DAY
    here = func.sum(col(SignInLink.code_tries)).filter(col(SignInLink.email) == email)
    query = select(func.coalesce(here, 0), func.coalesce(func.sum(col(SignInLink.code_tries)), 0)).where(
        today, col(SignInLink.redeemed_at).is_(None)
    )
    for_address, in_all = session.execute(query).one()
    return for_address >= CODE_TRIES_PER_ADDRESS or in_all >= CODE_TRIES_IN_ALL
