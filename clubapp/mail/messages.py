"""One function per mail: from the rows as they stand now to its letter, or to the reason it is withdrawn (M10).

A new mail is a function here, a line in MESSAGES and a folder in `templates/`.
"""

from collections.abc import Callable

from sqlmodel import Session

from clubapp import clock, phones, routes, tokens
from clubapp.mail import placeholders, wording
from clubapp.mail.facts import facts_of
from clubapp.mail.letters import Letter, Withdrawn
from clubapp.mail.living import answer_link, known, living_event, living_member, reservation_of
from clubapp.models import OutboxMail, ReminderType, SignInLink
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


def invitation(session: Session, mail: OutboxMail) -> Letter:
    """The invitation to an event, with the member's own answer link."""
    return _about_an_event(session, mail, ReminderType.INVITATION)


MESSAGES: dict[str, Callable[[Session, OutboxMail], Letter]] = {
    "sign_in": sign_in,
    "sign_in_unknown": sign_in_unknown,
    "invitation": invitation,
}


def _about_an_event(session: Session, mail: OutboxMail, which: ReminderType) -> Letter:
    event, member = living_event(session, mail), living_member(session, mail)
    reservation = reservation_of(session, mail)
    facts = facts_of(session, event)
    template = wording.of_event(session, event, which)
    values = placeholders.values_of(session, event, facts)
    return Letter(
        mail.kind,
        {
            "subject": placeholders.fill_subject(template.subject, values),
            "body": placeholders.fill(template.body, values),
            "facts": facts,
            "answer": answer_link(event, reservation),
            "signature": wording.signature(session),
        },
        to_name=member.name,
    )


def _sign_in_link(link: SignInLink) -> str:
    access = known(tokens.rebuild("sign-in-access", link.id, link.access_hash))
    refresh = known(tokens.rebuild("sign-in-refresh", link.id, link.refresh_hash))
    return f"{settings().public_url}{routes.CALLBACK}#access_token={access}&refresh_token={refresh}"
