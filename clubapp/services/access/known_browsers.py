"""The browsers that people signed in with: whoever signs in with another one is told (S14).

A browser is recognised by a cookie that lasts; the table keeps its hash.
"""

from datetime import timedelta

from sqlalchemy import delete, func
from sqlmodel import Session, col, select

from clubapp import clock, tokens
from clubapp.models import KnownBrowser
from clubapp.services.access import security_notices
from clubapp.services.access.session_list import name_browser

LIFETIME = timedelta(days=400)  # the longest that browsers keep a cookie
MOST_BROWSERS = 30


def note_sign_in(session: Session, email: str, token: str, user_agent: str) -> None:
    """Remember the browser of a cookie; its person is told unless it is known, or the first of all."""
    if not token:
        return
    own, now = col(KnownBrowser.email) == email, clock.now()
    known = session.exec(select(KnownBrowser).where(own, KnownBrowser.token_hash == tokens.fingerprint(token))).first()
    if known is not None:
        known.last_seen_at = now
        session.add(known)
        return
    has_others = session.exec(select(func.count()).select_from(KnownBrowser).where(own)).one() > 0
    made = KnownBrowser(
        email=email,
        token_hash=tokens.fingerprint(token),
        user_agent="".join(filter(str.isprintable, user_agent))[:300],
        first_seen_at=now,
        last_seen_at=now,
    )
    session.add(made)
    session.flush()
    _forget_oldest(session, email)
    if has_others:
        security_notices.tell_new_browser(session, email, made.id, name_browser(user_agent))


def forget_browsers(session: Session, email: str) -> None:
    """Recognise no browser of an address any more."""
    session.execute(delete(KnownBrowser).where(col(KnownBrowser.email) == email))


def _forget_oldest(session: Session, email: str) -> None:
    newest = select(KnownBrowser.id).where(col(KnownBrowser.email) == email)
    kept = session.exec(newest.order_by(col(KnownBrowser.last_seen_at).desc()).limit(MOST_BROWSERS)).all()
    session.execute(delete(KnownBrowser).where(col(KnownBrowser.email) == email, col(KnownBrowser.id).not_in(kept)))
