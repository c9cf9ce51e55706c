"""Sign-in by e-mail, with a single-use link or the code of the same mail (S1, S2, S3, S4, S5, S6)."""

import secrets
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, and_, select, update
from sqlmodel import Session, col

from clubapp import clock, routes, tokens
from clubapp.mail.messages.sign_in import SIGN_IN, SIGN_IN_UNKNOWN
from clubapp.mail.queue import outbox
from clubapp.models import Act, OutboxMail, SignInLink, new_id
from clubapp.refusals import Forbidden, Invalid, NotFound
from clubapp.services.access import administrators, known_browsers, sessions, sign_in_limits
from clubapp.services.access.known_browsers import Browser
from clubapp.services.base import audit
from clubapp.services.base.actors import SYSTEM, Actor
from clubapp.settings import settings
from clubapp.text.email_addresses import mask_address, normalise

MISSING_TOKENS = "Tokens manquants"
NO_SESSION = "Pas de session"
NOT_ALLOWED = "Utilisateur non autorisé"
CODE_GONE = "Ce code n’est plus valable. Demandez un nouvel e-mail."
CODE_EXHAUSTED = "Trop de codes erronés. Utilisez le lien reçu par e-mail, ou demandez un nouvel e-mail."
UNKNOWN_ADDRESS = "Cette adresse n’est ni celle d’un administrateur, ni celle d’un membre actif."
CODE_INCOMPLETE = "Le code a 6 chiffres\u00a0: saisissez-les tous."
CODE_DIGITS = 6
CODE_TRIES = 5
STRANGERS_TOLD_EVERY = timedelta(days=1)
LINKS_PER_REQUESTER = 3  # those of one network: what a stranger asks for voids no link of the owner
UNKNOWN_BROWSER = Browser()
_PLAIN = {"synchronize_session": False}


class LinkRefused(NotFound):
    """A link that is unknown, used, void or too old."""


@dataclass(frozen=True)
class OpenedSession:
    """A successful sign-in: the session cookie, its expiry, and the path where the person goes on."""

    cookie: str
    expires_at: datetime
    home: str


@dataclass(frozen=True)
class RenewedSession:
    """A session that lasts for its whole time again: its cookie and its expiry."""

    cookie: str
    expires_at: datetime


@dataclass(frozen=True)
class ConfirmationRequired:
    """The link is valid but was requested in another browser: ask for confirmation, showing the masked `email` (S4).

    `address` is the whole one, which is not shown.
    """

    email: str
    address: str


@dataclass(frozen=True)
class WrongCode:
    """The code was refused. Returned rather than raised, since the counted try must be committed."""

    text: str


def request_link(
    session: Session, email: str, *, requester: str, browser: Browser = UNKNOWN_BROWSER, only_code: bool = False
) -> str:
    """Send a sign-in mail; return the nonce that the requesting browser keeps.

    The same work is done for every address (S5). `requester` is the client's network address. With `only_code` the mail
    shows the code and no link: to a person who is signed in and proves anew who they are.

    Raises:
        Invalid: when `email` is not an address.
        TooMany: over a limit (S6); the last link sent stays valid.
    """
    email, requester = normalise(email), sign_in_limits.hash_requester(requester)
    sign_in_limits.lock_requests(session)
    recent = sign_in_limits.recent_requests(session)
    is_known = known_browsers.is_known(session, email, browser)
    sign_in_limits.refuse_too_many(recent, email, requester, from_known_browser=is_known)
    known = sessions.find_rights(session, email).can_sign_in
    link, nonce = _make(session, email, requester)
    _queue(session, link, known=known, flooded=len(recent) >= sign_in_limits.MAX_REQUESTS, only_code=only_code)
    return nonce


def create_link(session: Session, email: str, *, operator: Actor = SYSTEM) -> str:
    """The URL of a new sign-in link, for use while mail is down.

    Raises:
        NotFound: when the address has no right.
    """
    email = normalise(email)
    if not sessions.find_rights(session, email).can_sign_in:
        raise NotFound(UNKNOWN_ADDRESS)
    link, _ = _make(session, email, "")
    audit.record(session, operator, "sign_in.link_made", email)
    return build_link_url(link.id)


def void_links_since(session: Session, email: str, since: datetime) -> bool:
    """Void the links that were asked for an address since a moment and are still good; whether there was one."""
    asked = col(SignInLink.email) == email, col(SignInLink.created_at) > since
    if session.execute(select(col(SignInLink.id)).where(*asked, *_good()).limit(1)).first() is None:
        return False
    _void(session, and_(*asked))
    audit.record(session, Actor(email=email), "sign_in.links_voided", email)
    return True


def build_link_url(link_id: str) -> str:
    """The URL of a sign-in link. The secrets are in the fragment, which servers and mail scanners do not get (S4)."""
    access, refresh = tokens.derive("sign-in-access", link_id), tokens.derive("sign-in-refresh", link_id)
    return f"{settings().public_url}{routes.CALLBACK}#access_token={access}&refresh_token={refresh}"


def redeem_link(
    session: Session,
    access_token: str,
    refresh_token: str,
    *,
    nonce: str,
    confirmed: bool,
    browser: Browser = UNKNOWN_BROWSER,
) -> OpenedSession | ConfirmationRequired:
    """Sign in with a link, once. In another browser than the requesting one, `confirmed` is needed (S4).

    Raises:
        Invalid: 'Tokens manquants'.
        NotFound: 'Pas de session': unknown, used, voided or too old.
        Forbidden: 'Utilisateur non autorisé': the address has lost its right since.
    """
    if not access_token or not refresh_token:
        raise Invalid(MISSING_TOKENS)
    link = _one(session, col(SignInLink.access_hash) == tokens.fingerprint(access_token))
    if link is None or not tokens.is_same_token(tokens.fingerprint(refresh_token), link.refresh_hash):
        raise LinkRefused(NO_SESSION)
    if not sessions.find_rights(session, link.email).can_sign_in:
        raise Forbidden(NOT_ALLOWED)
    if not confirmed and not tokens.is_same_token(tokens.fingerprint(nonce), link.nonce_hash):
        return ConfirmationRequired(mask_address(link.email), link.email)
    return _sign_in(session, link, browser)


def record_replay(session: Session, access_token: str) -> None:
    """Note once that a link that had signed somebody in was shown again."""
    query = select(SignInLink).where(
        col(SignInLink.access_hash) == tokens.fingerprint(access_token), col(SignInLink.redeemed_at).is_not(None)
    )
    link = session.execute(query).scalar_one_or_none()
    if link is None or session.execute(select(col(Act.id)).where(col(Act.session_id) == link.id)).first():
        return
    audit.record(session, Actor(session_id=link.id), "sign_in.replayed", link.email)


def redeem_code(
    session: Session, code: str, *, nonce: str, browser: Browser = UNKNOWN_BROWSER
) -> OpenedSession | WrongCode:
    """Sign in with the six digits of the mail, in the requesting browser only. Five tries (S4).

    Raises:
        Forbidden: 'Utilisateur non autorisé': the address has lost its right since.
    """
    link = _check_code(session, code, nonce, browser)
    return link if isinstance(link, WrongCode) else _sign_in(session, link, browser)


def renew_session(session: Session, cookie: str, code: str, *, nonce: str) -> RenewedSession | WrongCode:
    """Let the session of a cookie last for another hour, with the six digits of a mail that its person asked for (S8).

    Raises:
        NotFound: 'Pas de session': it has ended, or the code was used meanwhile.
    """
    active = sessions.resolve_cookie(session, cookie)
    if active is None:
        raise NotFound(NO_SESSION)
    link = _check_code(session, code, nonce, UNKNOWN_BROWSER)
    if isinstance(link, WrongCode):
        return link
    if link.email != active.actor.email:
        return WrongCode(CODE_GONE)
    _mark_used(session, link)
    renewed = sessions.renew_session(session, cookie)
    if renewed is None:
        raise NotFound(NO_SESSION)
    audit.record(session, active.actor, "sign_in.renewed", active.session_id)
    return RenewedSession(*renewed)


def _check_code(session: Session, code: str, nonce: str, browser: Browser) -> SignInLink | WrongCode:
    """The link whose code was typed in the browser that asked for it; a wrong code counts as a try."""
    link = _one(session, col(SignInLink.nonce_hash) == tokens.fingerprint(nonce))
    if link is None:
        return WrongCode(CODE_GONE)
    digits = "".join(str(unicodedata.decimal(character)) for character in code if character.isdecimal())
    if len(digits) != CODE_DIGITS:  # incomplete: not counted as a try
        return WrongCode(CODE_INCOMPLETE)
    is_known = known_browsers.is_known(session, link.email, browser)
    if sign_in_limits.codes_are_exhausted(session, link, from_known_browser=is_known) or not _count_try(session, link):
        return WrongCode(CODE_EXHAUSTED)
    for one in (link, *_earlier(session, link)):
        if tokens.is_same_token(digits, tokens.derive_code("sign-in-code", one.id)):
            return one
    session.refresh(link)
    return WrongCode(_wrong(CODE_TRIES - link.code_tries))


def _earlier(session: Session, link: SignInLink) -> Sequence[SignInLink]:
    """The other live links that the same network asked for: a mail that comes late is still good, its code too."""
    if not link.requester:
        return ()
    same = col(SignInLink.email) == link.email, col(SignInLink.requester) == link.requester
    return session.scalars(select(SignInLink).where(*same, col(SignInLink.id) != link.id, *_good())).all()


def _sign_in(session: Session, link: SignInLink, browser: Browser) -> OpenedSession:
    if not sessions.find_rights(session, link.email).can_sign_in:
        raise Forbidden(NOT_ALLOWED)
    _mark_used(session, link)
    is_half_open = sessions.has_factor(session, link.email)
    return open_for(session, link.email, browser, is_half_open=is_half_open)


def open_for(session: Session, email: str, browser: Browser, *, is_half_open: bool = False) -> OpenedSession:
    """The session of somebody who has signed in; they are told of a `browser` that is new to them (S14)."""
    cookie, expires_at = sessions.open_session(session, email, user_agent=browser.user_agent, is_half_open=is_half_open)
    known_browsers.note_sign_in(session, email, browser, is_half_open=is_half_open)
    opened = cookie.partition(".")[0]
    found = sessions.find_rights(session, email)
    audit.record(session, Actor(email, found.is_admin, found.member_id, opened), "sign_in", opened)
    return OpenedSession(cookie, expires_at, _start_page(session, cookie))


def _start_page(session: Session, cookie: str) -> str:
    """Where the person of a new session goes: their area, or the second step of a session that is half open."""
    actor = sessions.find_actor(session, cookie.partition(".")[0])
    if actor is None or actor.factor_step:
        return routes.SECOND_STEP
    return administrators.find_start_page(session, actor)


def _mark_used(session: Session, link: SignInLink) -> None:
    """In one statement, so that of concurrent calls only one succeeds (S2). The address's other links end with it."""
    used = session.execute(
        update(SignInLink).where(col(SignInLink.id) == link.id, *_good()).values(redeemed_at=clock.now())
    )
    if used.rowcount != 1:  # pyright: ignore[reportAttributeAccessIssue]
        raise NotFound(NO_SESSION)
    _void(session, col(SignInLink.email) == link.email)


def _make(session: Session, email: str, requester: str) -> tuple[SignInLink, str]:
    now, identifier, nonce = clock.now(), new_id(), secrets.token_urlsafe(32)
    alive = select(col(SignInLink.id)).where(
        col(SignInLink.email) == email, col(SignInLink.requester) == requester, *_good()
    )
    newest_first = session.scalars(alive.order_by(col(SignInLink.created_at).desc(), col(SignInLink.id))).all()
    _void(session, col(SignInLink.id).in_(newest_first[LINKS_PER_REQUESTER - 1 :]))
    made = SignInLink(
        id=identifier,
        email=email,
        access_hash=tokens.fingerprint(tokens.derive("sign-in-access", identifier)),
        refresh_hash=tokens.fingerprint(tokens.derive("sign-in-refresh", identifier)),
        nonce_hash=tokens.fingerprint(nonce),
        requester=requester,
        created_at=now,
        expires_at=now + timedelta(minutes=settings().sign_in_minutes),
    )
    session.add(made)
    session.flush()
    return made, nonce


def _queue(session: Session, link: SignInLink, *, known: bool, flooded: bool, only_code: bool) -> None:
    kind, key = SIGN_IN if known else SIGN_IN_UNKNOWN, f"sign_in:{link.id}"
    context = {"link_id": link.id, "code": True} | ({"only_code": True} if only_code else {})
    # Unknown addresses get the same answer but no mail: over the global limit, and when they were told before.
    was_told = _was_told(session, link.email)
    if not known and (flooded or was_told):
        reason = "trop de demandes" if flooded else "déjà prévenu aujourd’hui"
        outbox.record_excluded(session, kind=kind, key=key, reason=reason, context=context)
        return
    outbox.queue_mail(session, kind=kind, key=key, recipient=link.email, context=context)


def _was_told(session: Session, email: str) -> bool:
    """Whether a stranger at an address was written within a day that it is not known."""
    of_today = col(OutboxMail.created_at) > clock.now() - STRANGERS_TOLD_EVERY
    told = select(col(OutboxMail.id)).where(
        col(OutboxMail.recipient) == email, col(OutboxMail.kind) == SIGN_IN_UNKNOWN, of_today
    )
    return session.execute(told.limit(1)).first() is not None


def _good() -> tuple[ColumnElement[bool], ...]:
    """The condition of a link that is neither used, void nor expired."""
    return (
        col(SignInLink.redeemed_at).is_(None),
        col(SignInLink.voided_at).is_(None),
        col(SignInLink.expires_at) > clock.now(),
    )


def _one(session: Session, which: ColumnElement[bool]) -> SignInLink | None:
    return session.execute(select(SignInLink).where(which, *_good())).scalar_one_or_none()


def _void(session: Session, which: ColumnElement[bool]) -> None:
    session.execute(update(SignInLink).where(which, *_good()).values(voided_at=clock.now()), execution_options=_PLAIN)


def _count_try(session: Session, link: SignInLink) -> bool:
    counted = session.execute(
        update(SignInLink)
        .where(col(SignInLink.id) == link.id, col(SignInLink.code_tries) < CODE_TRIES, *_good())
        .values(code_tries=SignInLink.code_tries + 1)
    )
    return counted.rowcount == 1  # pyright: ignore[reportAttributeAccessIssue]


def _wrong(left: int) -> str:
    if left <= 0:
        return CODE_EXHAUSTED
    return f"Code incorrect. Il vous reste {left} {'essais' if left > 1 else 'essai'}."
