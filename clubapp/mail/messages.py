"""One function per mail: from the rows as they stand now to its letter, or to the reason it is withdrawn (M10).

A new mail is a function here, a line in MESSAGES and a folder in `templates/`.
"""

from collections.abc import Callable

from sqlmodel import Session

from clubapp import clock, phones, routes, tokens
from clubapp.mail import placeholders, wording
from clubapp.mail.facts import facts_of
from clubapp.mail.letters import Letter, Withdrawn
from clubapp.models import Event, EventReservation, EventStatus, Member, OutboxMail, ReminderType, SignInLink
from clubapp.settings import settings

EVENT_GONE = "L'événement a été supprimé."
EVENT_CANCELLED = "L'événement est annulé."
EVENT_PAST = "L'événement est passé."
MEMBER_GONE = "Le membre a été retiré."
MEMBER_INACTIVE = "Le membre n'est plus actif."
MEMBER_OPTED_OUT = "Le membre ne souhaite plus recevoir ces messages."
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
    event, member, reservation = _living_event(session, mail), _living_member(session, mail), _answer(session, mail)
    facts = facts_of(session, event)
    template = wording.of_event(session, event, which)
    values = placeholders.values_of(session, event, facts)
    return Letter(
        mail.kind,
        {
            "subject": placeholders.fill_subject(template.subject, values),
            "body": placeholders.fill(template.body, values),
            "facts": facts,
            "answer": _answer_link(event, reservation),
            "signature": wording.signature(session),
        },
        to_name=member.name,
    )


def _living_event(session: Session, mail: OutboxMail) -> Event:
    event = session.get(Event, mail.event_id) if mail.event_id else None
    if event is None:
        raise Withdrawn(EVENT_GONE)
    if event.status == EventStatus.CANCELLED:
        raise Withdrawn(EVENT_CANCELLED)
    if event.date <= clock.now():
        raise Withdrawn(EVENT_PAST)
    return event


def _living_member(session: Session, mail: OutboxMail) -> Member:
    member = session.get(Member, mail.member_id) if mail.member_id else None
    if member is None:
        raise Withdrawn(MEMBER_GONE)
    if not member.is_active:
        raise Withdrawn(MEMBER_INACTIVE)
    if member.opted_out_at is not None:
        raise Withdrawn(MEMBER_OPTED_OUT)
    return member


def _answer(session: Session, mail: OutboxMail) -> EventReservation:
    reservation = session.get(EventReservation, mail.reservation_id) if mail.reservation_id else None
    if reservation is None or reservation.member_id != mail.member_id:
        raise Withdrawn(MEMBER_GONE)
    return reservation


def _answer_link(event: Event, reservation: EventReservation) -> str:
    token = tokens.rebuild("answer", reservation.id, reservation.response_token)
    return f"{settings().public_url}{routes.answer(event.id)}?token={_known(token)}"


def _sign_in_link(link: SignInLink) -> str:
    access = _known(tokens.rebuild("sign-in-access", link.id, link.access_hash))
    refresh = _known(tokens.rebuild("sign-in-refresh", link.id, link.refresh_hash))
    return f"{settings().public_url}{routes.CALLBACK}#access_token={access}&refresh_token={refresh}"


def _known(token: str | None) -> str:
    """A link without its token would be worse than no message."""
    if token is None:
        raise LookupError("no configured key rebuilds this link's token")
    return token
