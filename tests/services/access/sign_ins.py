"""Signing in by mail: asked for, and redeemed by the link or by the code."""

from collections.abc import Callable
from datetime import datetime
from urllib.parse import parse_qs, urlsplit

from sqlmodel import col, select

from clubapp import tokens
from clubapp.database import reading, transaction
from clubapp.models import SignInLink
from clubapp.services.access import sign_in
from clubapp.services.access.known_browsers import Browser
from clubapp.services.access.sign_in import ConfirmationRequired, OpenedSession, WrongCode

HELENE = "helene@beffroi.example"
MARIE = "marie@durand.example"
STRANGER = "inconnu@ailleurs.example"
HERE = "192.0.2.7"
FIREFOX = Browser(user_agent="Firefox")
At = Callable[[str], datetime]


def ask(email: str = HELENE, requester: str = HERE, browser: Browser = FIREFOX) -> str:
    """Ask for a mail; the nonce."""
    with transaction() as session:
        return sign_in.request_link(session, email, requester=requester, browser=browser)


def links_of(email: str) -> list[SignInLink]:
    """The rows of the requests of an address, the last one first."""
    with reading() as session:
        query = select(SignInLink).where(SignInLink.email == email).order_by(col(SignInLink.created_at).desc())
        return list(session.exec(query).all())


def newest(email: str = HELENE) -> SignInLink:
    """The row of the last request of an address."""
    rows = links_of(email)
    return next((row for row in rows if row.voided_at is None), rows[0])


def link_of(nonce: str) -> SignInLink:
    """The row of the request that gave a nonce."""
    with reading() as session:
        return session.exec(select(SignInLink).where(SignInLink.nonce_hash == tokens.fingerprint(nonce))).one()


def secrets_of(link: SignInLink) -> tuple[str, str]:
    """The two tokens of a link's fragment."""
    fragment = parse_qs(urlsplit(sign_in.build_link_url(link.id)).fragment)
    return fragment["access_token"][0], fragment["refresh_token"][0]


def redeem(link: SignInLink, nonce: str = "", confirmed: bool = False) -> OpenedSession | ConfirmationRequired:
    """What the callback page's POST does."""
    with transaction() as session:
        return sign_in.redeem_link(session, *secrets_of(link), nonce=nonce, confirmed=confirmed, browser=FIREFOX)


def type_code(code: str, nonce: str, browser: Browser = FIREFOX) -> OpenedSession | WrongCode:
    """What the code field's POST does."""
    with transaction() as session:
        return sign_in.redeem_code(session, code, nonce=nonce, browser=browser)


def code_of(link: SignInLink) -> str:
    """The six digits of the mail."""
    return tokens.derive_code("sign-in-code", link.id)


def wrong_code_of(link: SignInLink) -> str:
    """Six digits that are not those of the mail."""
    return f"{(int(code_of(link)) + 1) % 1_000_000:06d}"
