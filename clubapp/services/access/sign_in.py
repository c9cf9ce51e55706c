"""Signing in by e-mail: a link that is redeemed once, or the code that came with it (S1, S2, S3, S4, S5, S6)."""

import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, select, update
from sqlmodel import Session, col

from clubapp import clock, routes, tokens
from clubapp.mail.messages.registry import SIGN_IN, SIGN_IN_UNKNOWN
from clubapp.mail.queue import outbox
from clubapp.models import SignInLink, new_id
from clubapp.refusals import Forbidden, Invalid, NotFound
from clubapp.services.access import sessions, sign_in_limits
from clubapp.settings import settings
from clubapp.text.email_addresses import masked, normalise

MISSING_TOKENS = "Tokens manquants"
NO_SESSION = "Pas de session"
NOT_ALLOWED = "Utilisateur non autorisé"
CODE_GONE = "Ce code n'est plus valable. Demandez un nouvel e-mail."
CODE_EXHAUSTED = "Trop de codes erronés. Utilisez le lien reçu par e-mail, ou demandez un nouvel e-mail."
UNKNOWN_ADDRESS = "Cette adresse n'est ni celle d'un administrateur, ni celle d'un membre actif."
CODE_INCOMPLETE = "Le code a 6 chiffres : saisissez-les tous."
CODE_DIGITS = 6
CODE_TRIES = 5


@dataclass(frozen=True)
class Redeemed:
    """A person is signed in: the cookie to set, until when, and where they go."""

    cookie: str
    expires_at: datetime
    home: str


@dataclass(frozen=True)
class Confirmation:
    """The link is good, but another browser asked for it: say for whom it is, and ask (S4)."""

    email: str


@dataclass(frozen=True)
class WrongCode:
    """The code was refused; a try, if it was one, is counted. A value, not a refusal: the count must be committed."""

    text: str


def request(session: Session, email: str, *, requester: str) -> str:
    """Send a sign-in mail; the answer is the nonce that the asking browser keeps.

    The same work is done for every address (S5). `requester` is the network address that asks.

    Raises:
        Invalid: when `email` is not an address.
        TooMany: over a limit (S6); the last link sent stays good.
    """
    email, requester = normalise(email), sign_in_limits.requester_of(requester)
    sign_in_limits.one_at_a_time(session)
    recent = sign_in_limits.recent_requests(session)
    sign_in_limits.refuse_too_many(recent, email, requester)
    known = sessions.rights(session, email).any
    link, nonce = _make(session, email, requester)
    _queue(session, link, known=known, flooded=len(recent) >= sign_in_limits.IN_ALL)
    return nonce


def make_link(session: Session, email: str) -> str:
    """The whole address of a sign-in link for a known person: the way in when mail is down.

    Raises:
        NotFound: when the address has no right here.
    """
    email = normalise(email)
    if not sessions.rights(session, email).any:
        raise NotFound(UNKNOWN_ADDRESS)
    link, _ = _make(session, email, "")
    return link_address(link.id)


def link_address(link_id: str) -> str:
    """Where a sign-in mail leads. The secrets sit in the fragment, which no server and no mail scanner reads (S4)."""
    access, refresh = tokens.derive("sign-in-access", link_id), tokens.derive("sign-in-refresh", link_id)
    return f"{settings().public_url}{routes.CALLBACK}#access_token={access}&refresh_token={refresh}"


def redeem(
    session: Session, access_token: str, refresh_token: str, *, nonce: str, confirmed: bool, user_agent: str = ""
) -> Redeemed | Confirmation:
    """Sign in with a link, once. In a browser that did not ask for it, only after a confirmation (S4).

    Raises:
        Invalid: 'Tokens manquants'.
        NotFound: 'Pas de session': unknown, used, voided or too old.
        Forbidden: 'Utilisateur non autorisé': the address has lost its right since.
    """
    if not access_token or not refresh_token:
        raise Invalid(MISSING_TOKENS)
    link = _one(session, col(SignInLink.access_hash) == tokens.fingerprint(access_token))
    if link is None or not tokens.same(tokens.fingerprint(refresh_token), link.refresh_hash):
        raise NotFound(NO_SESSION)
    if not sessions.rights(session, link.email).any:
        raise Forbidden(NOT_ALLOWED)
    if not confirmed and not tokens.same(tokens.fingerprint(nonce), link.nonce_hash):
        return Confirmation(masked(link.email))
    return _sign_in(session, link, user_agent)


def redeem_code(session: Session, code: str, *, nonce: str, user_agent: str = "") -> Redeemed | WrongCode:
    """Sign in with the six digits of the mail, in the browser that asked for it. Five tries (S4).

    Raises:
        Forbidden: 'Utilisateur non autorisé': the address has lost its right since.
    """
    link = _one(session, col(SignInLink.nonce_hash) == tokens.fingerprint(nonce))
    if link is None:
        return WrongCode(CODE_GONE)
    digits = "".join(character for character in code if character.isdigit())
    if len(digits) != CODE_DIGITS:  # a slip of the finger, no guess: it costs no try
        return WrongCode(CODE_INCOMPLETE)
    if sign_in_limits.codes_are_exhausted(session, link.email) or not _count_try(session, link):
        return WrongCode(CODE_EXHAUSTED)
    if not tokens.same(digits, tokens.derive_code("sign-in-code", link.id)):
        session.refresh(link)
        return WrongCode(_wrong(CODE_TRIES - link.code_tries))
    return _sign_in(session, link, user_agent)


def _sign_in(session: Session, link: SignInLink, user_agent: str) -> Redeemed:
    found = sessions.rights(session, link.email)
    if not found.any:
        raise Forbidden(NOT_ALLOWED)
    # The one place where a link is used up: of any number of racing calls, one changes the row (S2).
    used = session.execute(
        update(SignInLink).where(col(SignInLink.id) == link.id, *_good()).values(redeemed_at=clock.now())
    )
    if used.rowcount != 1:  # pyright: ignore[reportAttributeAccessIssue]
        raise NotFound(NO_SESSION)
    cookie, expires_at = sessions.open(session, link.email, user_agent=user_agent)
    return Redeemed(cookie, expires_at, routes.ADMIN if found.is_admin else routes.MEMBER)


def _make(session: Session, email: str, requester: str) -> tuple[SignInLink, str]:
    now, identifier, nonce = clock.now(), new_id(), secrets.token_urlsafe(32)
    session.execute(update(SignInLink).where(col(SignInLink.email) == email, *_good()).values(voided_at=now))
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


def _queue(session: Session, link: SignInLink, *, known: bool, flooded: bool) -> None:
    kind, key = SIGN_IN if known else SIGN_IN_UNKNOWN, f"sign_in:{link.id}"
    context = {"link_id": link.id, "code": True}
    if flooded and not known:
        # Under a flood strangers are answered as ever but get no mail: the club's people are never kept out.
        outbox.record_excluded(session, kind=kind, key=key, reason="trop de demandes", context=context)
        return
    outbox.queue_mail(session, kind=kind, key=key, recipient=link.email, context=context)


def _good() -> tuple[ColumnElement[bool], ...]:
    """A link that can still be used."""
    return (
        col(SignInLink.redeemed_at).is_(None),
        col(SignInLink.voided_at).is_(None),
        col(SignInLink.expires_at) > clock.now(),
    )


def _one(session: Session, which: ColumnElement[bool]) -> SignInLink | None:
    return session.execute(select(SignInLink).where(which, *_good())).scalar_one_or_none()


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
