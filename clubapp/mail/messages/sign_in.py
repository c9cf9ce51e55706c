"""The mails to whoever asks to sign in."""

from sqlmodel import Session

from clubapp import clock, routes, tokens
from clubapp.mail.messages.letter import Letter, Withdrawn
from clubapp.mail.messages.recipients_now import require_token
from clubapp.models import OutboxMail, SignInLink
from clubapp.settings import settings
from clubapp.text import phone_numbers

SIGN_IN, SIGN_IN_UNKNOWN = "sign_in", "sign_in_unknown"
LINK_GONE = "Le lien de connexion n’est plus valable."


def compose_sign_in(session: Session, mail: OutboxMail) -> Letter:
    """The link, and the code, that someone asked for on the sign-in page (S4)."""
    link = session.get(SignInLink, mail.context["link_id"])
    if link is None or link.voided_at or link.redeemed_at or link.expires_at <= clock.now():
        raise Withdrawn(LINK_GONE)
    code = tokens.derive_code("sign-in-code", link.id) if mail.context.get("code") else ""
    return Letter(
        SIGN_IN,
        {
            "link": "" if mail.context.get("only_code") else _build_sign_in_link(link),
            "code": code,
            "minutes": settings().sign_in_minutes,
            "until": clock.hour(link.expires_at),
        },
    )


def compose_sign_in_unknown(_session: Session, _mail: OutboxMail) -> Letter:
    """To an address that is not in the club: that it cannot sign in, and how to apply (S5)."""
    return Letter(
        SIGN_IN_UNKNOWN,
        {
            "contact_email": settings().contact_email,
            "contact_phone": phone_numbers.format_phone(settings().contact_phone),
            "contact_phone_href": phone_numbers.tel_link(settings().contact_phone),
        },
    )


def _build_sign_in_link(link: SignInLink) -> str:
    access = require_token(tokens.rebuild("sign-in-access", link.id, link.access_hash))
    refresh = require_token(tokens.rebuild("sign-in-refresh", link.id, link.refresh_hash))
    return f"{settings().public_url}{routes.CALLBACK}#access_token={access}&refresh_token={refresh}"
