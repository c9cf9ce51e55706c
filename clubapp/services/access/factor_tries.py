"""Wrong codes of second factors: five in a row, then a wait that doubles with each one (S12)."""

from datetime import timedelta
from math import ceil

from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col, select

from clubapp import clock
from clubapp.models import FactorTries
from clubapp.refusals import TooMany

FREE_TRIES = 5
FIRST_WAIT, LONGEST_WAIT = timedelta(seconds=30), timedelta(hours=1)
TOO_MANY = "Trop de codes erronés. Réessayez dans {wait}."
_MOST_DOUBLINGS = 10


def refuse_blocked(session: Session, email: str) -> FactorTries:
    """The count of an address, locked until the transaction ends, so that concurrent tries are counted one by one.

    Raises:
        TooMany: while the address must wait.
    """
    tries = _locked(session, email)
    now = clock.now()
    if tries.blocked_until and tries.blocked_until > now:
        seconds = ceil((tries.blocked_until - now).total_seconds())
        minutes = ceil(seconds / 60)
        wait = f"{seconds} secondes" if seconds < 60 else "1 minute" if minutes == 1 else f"{minutes} minutes"
        raise TooMany(TOO_MANY.format(wait=wait), retry_after=seconds)
    return tries


def count_failure(session: Session, tries: FactorTries) -> int:
    """Note a wrong code; how many free tries are left."""
    tries.failures += 1
    beyond = tries.failures - FREE_TRIES
    if beyond >= 0:
        wait = min(LONGEST_WAIT, FIRST_WAIT * 2 ** min(beyond, _MOST_DOUBLINGS))
        tries.blocked_until = clock.now() + wait
    session.add(tries)
    session.flush()
    return max(0, -beyond)


def forget_failures(session: Session, tries: FactorTries) -> None:
    """A code was right."""
    session.delete(tries)
    session.flush()


def _locked(session: Session, email: str) -> FactorTries:
    query = select(FactorTries).where(col(FactorTries.email) == email).with_for_update()
    if (found := session.exec(query).first()) is None:
        try:
            with session.begin_nested():
                session.add(FactorTries(email=email))
        except IntegrityError:  # made by a concurrent call
            pass
        found = session.exec(query).one()
    return found
