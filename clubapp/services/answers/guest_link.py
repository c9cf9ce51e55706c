"""What a guest does by the link of their own mail: decline, or have their data erased (RGPD, article 17).

The token alone authorises it. It is derived from the guest's id (decision 0004), and ends with their row.
"""

from dataclasses import dataclass

from sqlmodel import Session, select

from clubapp import calendar_files, tokens
from clubapp.mail.messages.guest_notice import DECLINED, GUEST_GONE, PURPOSE
from clubapp.models import Event, EventGuest, EventReservation, Member
from clubapp.refusals import Conflict, NotFound
from clubapp.services.answers import capacity, guest_mails, guests, recording
from clubapp.services.answers.page import is_over
from clubapp.services.base import audit
from clubapp.services.base.actors import VISITOR, Actor
from clubapp.services.privacy import erased_people

INVALID_LINK = "Ce lien n’est pas valable. Ouvrez-le de nouveau depuis le message reçu."
NO_GUEST = (
    "Vous ne figurez plus parmi les invités de cette rencontre\u00a0: il n’y a plus rien à décliner ni à effacer."
)
ERASED = (
    "Vos données sont effacées\u00a0: le club ne sait plus qui vous êtes. Si votre venue était annoncée et que vous ne "
    "venez plus, prévenez votre hôte."
)
REMOVED = "Vous ne figurez plus parmi les invités de cette rencontre."


class GuestGone(NotFound):
    """The link is right, but the guest has declined, was erased, or was removed by who invited them."""

    def __init__(self, text: str = NO_GUEST) -> None:
        super().__init__(text)


@dataclass(frozen=True)
class GuestInvitation:
    """What the page of a guest says. `closed` says why they cannot decline any more; empty while they can.

    Of who was removed or has declined it only says so, as long as the club keeps messages that name them.
    """

    title: str = ""
    date: str = ""
    place: str = ""
    host: str = ""
    closed: str = ""


def open_invitation(session: Session, guest_id: str, token: str) -> GuestInvitation:
    """What the link is about. Changes nothing, since mail scanners fetch links too.

    Raises:
        NotFound: for a token that is not this guest's.
        GuestGone: when there is no such guest any more.
    """
    try:
        _, event, _, host = _find(session, guest_id, token)
    except GuestGone:
        if guest_mails.find_mail_left(session, guest_id) is None:
            raise
        return GuestInvitation(closed=REMOVED)
    return _describe(event, host)


def decline(session: Session, guest_id: str, token: str) -> GuestInvitation:
    """The guest does not come: one fewer is counted, their place comes free, and the member is told.

    Raises:
        NotFound, GuestGone: as `open_invitation`.
        Conflict: once the event has begun or is cancelled.
    """
    guest, event, reservation, host = _hold(session, guest_id, token)
    if is_over(event):
        raise Conflict(capacity.why_answers_closed(event))
    recording.record_declined_guest(session, event, reservation, guest)
    if host and host.email:
        guest_mails.queue_declined(session, reservation, guest, host)
    audit.record(session, VISITOR, "guest.declined", reservation.id)
    return _describe(event, host)


def erase(session: Session, guest_id: str, token: str) -> GuestInvitation:
    """Erase what is known of the guest, whoever named them and to whatever event; who comes still counts.

    Of who was removed or has declined, the messages are erased, and what else is known by that address.

    Raises:
        NotFound, GuestGone: as `open_invitation`.
    """
    try:
        guest, event, _, host = _hold(session, guest_id, token)
    except GuestGone:
        mail = guest_mails.find_mail_left(session, guest_id)
        if mail is None:
            raise
        audit.record(session, VISITOR, "guest.erased", mail.reservation_id or "")
        erased_people.note(session, guest_id, was_asked=True)
        address = mail.recipient if mail.kind != DECLINED else ""
        guest_mails.erase_mails(session, guest_mails.mails_about(guest_id), GUEST_GONE)
        if address:
            erase_by_address(session, VISITOR, address)
        return GuestInvitation(closed=REMOVED)
    _erase(session, VISITOR, guest)
    if guest.email:
        erase_by_address(session, VISITOR, guest.email)
    return _describe(event, host)


def erase_by_address(session: Session, actor: Actor, email: str, *, was_asked: bool = True) -> None:
    """Erase whoever was named as a guest with this address, and the messages to them.

    `was_asked` says whether the person asked for it, as `erased_people` notes it.
    """
    for guest in session.exec(select(EventGuest).where(EventGuest.email == email)).all():
        _erase(session, actor, guest, was_asked=was_asked)
    guest_mails.erase_mails(session, guest_mails.mails_to(email), GUEST_GONE)


def _erase(session: Session, actor: Actor, guest: EventGuest, *, was_asked: bool = True) -> None:
    erased_people.note(session, guest.id, was_asked=was_asked)
    audit.record(session, actor, "guest.erased", guest.reservation_id or "")
    guests.erase_guest(session, guest)


def _find(session: Session, guest_id: str, token: str) -> tuple[EventGuest, Event, EventReservation, Member | None]:
    if tokens.rebuild(PURPOSE, guest_id, tokens.fingerprint(token)) is None:
        raise NotFound(INVALID_LINK)
    guest = session.get(EventGuest, guest_id, populate_existing=True)
    reservation = session.get(EventReservation, guest.reservation_id) if guest and guest.reservation_id else None
    event = session.get(Event, guest.event_id) if guest else None
    if guest is None or reservation is None or event is None:
        raise GuestGone(ERASED if erased_people.is_known(session, guest_id) else NO_GUEST)
    host = session.get(Member, reservation.member_id) if reservation.member_id else None
    return guest, event, reservation, host


def _hold(session: Session, guest_id: str, token: str) -> tuple[EventGuest, Event, EventReservation, Member | None]:
    """The same, kept to this transaction."""
    _, event, reservation, _ = _find(session, guest_id, token)
    capacity.lock_reservation(session, event, reservation)
    return _find(session, guest_id, token)  # who was first may have removed the guest


def _describe(event: Event, host: Member | None) -> GuestInvitation:
    return GuestInvitation(
        title=event.title,
        date=calendar_files.when(event),
        place=calendar_files.shown_place(event),
        host=host.name if host else "",
        closed=capacity.why_answers_closed(event) if is_over(event) else "",
    )
