"""One function per mail: from the rows as they stand now to its letter, or to the reason it is withdrawn (M10).

A new mail is a function here, a line in MESSAGES and a folder in `templates/`.
"""

from collections.abc import Callable

from sqlmodel import Session

from clubapp import clock, phones, routes, tokens
from clubapp.mail import account, broadcasts, confirmations, event_mails, notices, trial
from clubapp.mail.letters import Letter, Withdrawn
from clubapp.mail.living import known
from clubapp.models import OutboxMail, SignInLink
from clubapp.settings import settings

LINK_GONE = "Le lien de connexion n'est plus valable."


def compose(session: Session, mail: OutboxMail) -> Letter:
    """The letter of an outbox row.

    Raises:
        Withdrawn: when it must no longer go out.
    """
    return MESSAGES[mail.kind](session, mail)


def sign_in(session: Session, mail: OutboxMail) -> Letter:
    """The link, and the code, that someone asked for on the sign-in page (S4)."""
    link = session.get(SignInLink, mail.context["link_id"])
    if link is None or link.voided_at or link.redeemed_at or link.expires_at <= clock.now():
        raise Withdrawn(LINK_GONE)
    code = tokens.derive_code("sign-in-code", link.id) if mail.context.get("code") else ""
    return Letter(
        "sign_in",
        {
            "link": _sign_in_link(link),
            "code": code,
            "minutes": settings().sign_in_minutes,
            "until": clock.hour(link.expires_at),
        },
    )


def sign_in_unknown(_session: Session, _mail: OutboxMail) -> Letter:
    """To an address that is not in the club: says so kindly, and how to apply (S5)."""
    return Letter(
        "sign_in_unknown",
        {
            "contact_email": settings().contact_email,
            "contact_phone": phones.written(settings().contact_phone),
            "contact_phone_href": phones.dialled(settings().contact_phone),
        },
    )


MESSAGES: dict[str, Callable[[Session, OutboxMail], Letter]] = {
    "sign_in": sign_in,
    "sign_in_unknown": sign_in_unknown,
    "email_change": account.email_change,
    "email_changed": account.email_changed,
    "erasure_asked": account.erasure_asked,
    event_mails.INVITATION: event_mails.invitation,
    event_mails.REMINDER_1: event_mails.reminder_1,
    event_mails.REMINDER_2: event_mails.reminder_2,
    broadcasts.KIND: broadcasts.broadcast,
    trial.KIND: trial.trial,
    notices.CHANGED: notices.event_changed,
    notices.CANCELLED: notices.event_cancelled,
    confirmations.CONFIRMED: confirmations.answer_confirmed,
    confirmations.WAITING: confirmations.waiting_confirmed,
    confirmations.OFFERED: confirmations.place_offered,
}


def _sign_in_link(link: SignInLink) -> str:
    access = known(tokens.rebuild("sign-in-access", link.id, link.access_hash))
    refresh = known(tokens.rebuild("sign-in-refresh", link.id, link.refresh_hash))
    return f"{settings().public_url}{routes.CALLBACK}#access_token={access}&refresh_token={refresh}"
