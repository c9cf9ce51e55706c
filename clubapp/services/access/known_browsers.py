"""The browsers that people signed in with: whoever signs in with another one is told (S14).

A browser is recognised by a cookie that lasts; the table keeps its hash.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import delete, func
from sqlmodel import Session, col, select

from clubapp import clock, tokens
from clubapp.models import KnownBrowser
from clubapp.services.access import security_notices
from clubapp.services.access.session_list import name_browser
from clubapp.text.network_addresses import name_country

LIFETIME = timedelta(days=400)  # the longest that browsers keep a cookie
MOST_BROWSERS = 30


@dataclass(frozen=True)
class Browser:
    """Where somebody signs in: what the lasting cookie holds, how the browser names itself, its network address.

    The address is not kept: only the country of it is told.
    """

    token: str = ""
    user_agent: str = ""
    address: str = ""


def is_known(session: Session, email: str, browser: Browser, before: datetime | None = None) -> bool:
    """Whether the person of an address has signed in with this browser, or had so already before a moment."""
    own = KnownBrowser.email == email, KnownBrowser.token_hash == tokens.fingerprint(browser.token)
    found = select(KnownBrowser.id).where(*own)
    if before is not None:
        found = found.where(KnownBrowser.first_seen_at < before)
    return session.exec(found).first() is not None


def note_sign_in(session: Session, email: str, browser: Browser, *, is_half_open: bool = False) -> None:
    """Remember a browser; its person is told of it and of the country, unless it is known or the first of all.

    One whose session is half open is told of too, and is no known browser before `confirm_browser`: whoever reads the
    mailbox comes as far as that.
    """
    if not browser.token:
        return
    half = _hash_half_open(browser)
    token_hash = half if is_half_open else tokens.fingerprint(browser.token)
    own, now = col(KnownBrowser.email) == email, clock.now()
    held = col(KnownBrowser.token_hash).in_(
        (half, tokens.fingerprint(browser.token)) if is_half_open else (token_hash,)
    )
    known = session.exec(select(KnownBrowser).where(own, held)).first()
    if known is not None:
        known.last_seen_at = now
        session.add(known)
        return
    has_others = session.exec(select(func.count()).select_from(KnownBrowser).where(own)).one() > 0
    made = KnownBrowser(
        email=email,
        token_hash=token_hash,
        user_agent="".join(filter(str.isprintable, browser.user_agent))[:300],
        first_seen_at=now,
        last_seen_at=now,
    )
    session.add(made)
    session.flush()
    _forget_oldest(session, email)
    if has_others:
        name, country = name_browser(browser.user_agent), name_country(browser.address)
        security_notices.tell_new_browser(session, email, made.id, name, country)


def confirm_browser(session: Session, email: str, browser: Browser) -> None:
    """Know a browser from now on in which the second factor was verified."""
    half = select(KnownBrowser).where(KnownBrowser.email == email, KnownBrowser.token_hash == _hash_half_open(browser))
    if (found := session.exec(half).first()) is not None:
        found.token_hash = tokens.fingerprint(browser.token)
        session.add(found)


def _hash_half_open(browser: Browser) -> str:
    return tokens.fingerprint(f"half-open:{browser.token}")


def forget_browsers(session: Session, email: str) -> None:
    """Recognise no browser of an address any more."""
    session.execute(delete(KnownBrowser).where(col(KnownBrowser.email) == email))


def _forget_oldest(session: Session, email: str) -> None:
    newest = select(KnownBrowser.id).where(col(KnownBrowser.email) == email)
    kept = session.exec(newest.order_by(col(KnownBrowser.last_seen_at).desc()).limit(MOST_BROWSERS)).all()
    session.execute(delete(KnownBrowser).where(col(KnownBrowser.email) == email, col(KnownBrowser.id).not_in(kept)))
