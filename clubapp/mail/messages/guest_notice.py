"""The mails about a guest: what the guest is told of the event and of their data (RGPD, article 14), and, when they
decline, what their member is told."""

from dataclasses import replace

from sqlmodel import Session, select

from clubapp import calendar_files, clock, routes, tokens
from clubapp.calendar_files import CANCEL, REQUEST, CalendarEntry
from clubapp.mail.messages import event_change
from clubapp.mail.messages.answer_confirmation import describe_answer
from clubapp.mail.messages.event_facts import facts_of
from clubapp.mail.messages.letter import CalendarPart, Letter, Withdrawn
from clubapp.mail.messages.recipients_now import (
    MEMBER_GONE,
    answer_link,
    names_of,
    require_event,
    require_member,
    require_reservation,
)
from clubapp.models import Event, EventGuest, EventReservation, EventStatus, Member, OutboxMail
from clubapp.settings import settings
from clubapp.text import person_names

NOTICE, DECLINED = "guest_notice", "guest_declined"
KINDS = (NOTICE, DECLINED)
PURPOSE = "guest"
BACK = "L’invité est de nouveau annoncé."
ERASED_GUEST = "Une personne invitée"
GUEST_GONE = "L’invité a été retiré, ou son adresse a changé."


def guest_link(guest_id: str) -> str:
    """The guest's own link, derived from their id (decision 0004)."""
    return f"{settings().public_url}{routes.guest(guest_id)}?token={tokens.derive(PURPOSE, guest_id)}"


def compose_guest_notice(session: Session, mail: OutboxMail) -> Letter:
    """To a guest: the event with its calendar file, who gave their address, what becomes of it, and their link.

    With a `sequence` in its context it tells of a change: the event as it is now, or that it is off. With the `event`
    itself, that it was deleted; with `removed`, that their member counts on them no more.
    """
    if "removed" in mail.context:
        return _removed(session, mail)
    if stored := mail.context.get("event"):
        return _cancelled(event_change.entry_from_context(stored), mail)
    event = session.get(Event, mail.event_id) if mail.event_id else None
    is_change = "sequence" in mail.context
    if not (event and is_change and event.status == EventStatus.CANCELLED and event.date > clock.now()):
        event = require_event(session, mail)
    guest = session.get(EventGuest, mail.context["guest_id"])
    reservation = session.get(EventReservation, guest.reservation_id) if guest and guest.reservation_id else None
    if guest is None or reservation is None or not reservation.is_coming:  # another address is another guest
        raise Withdrawn(GUEST_GONE)
    host = session.get(Member, reservation.member_id) if reservation.member_id else None
    if host is None or not host.is_active:
        raise Withdrawn(MEMBER_GONE)
    entry = calendar_files.make_entry(event)
    if event.status == EventStatus.CANCELLED:
        return _cancelled(entry, mail)
    letter = _describe(event, guest, host, is_change=is_change)
    calendar = CalendarPart(calendar_files.write_file(entry, REQUEST, mail.recipient), REQUEST)
    return replace(letter, to_name=guest.name, calendar=calendar)


def _describe(event: Event, guest: EventGuest, host: Member, *, is_change: bool) -> Letter:
    return Letter(
        NOTICE,
        {
            "is_change": is_change,
            "is_removed": False,
            "facts": facts_of(event),
            "guest": guest.name,
            "given": _list_given(guest),
            "host": host.name,
            "host_company": host.company,
            "link": guest_link(guest.id),
            "publisher": settings().legal_publisher.rstrip("."),
            "contact_email": settings().contact_email,
        },
    )


def _list_given(guest: EventGuest) -> str:
    """'votre adresse, votre nom et votre souhait pour le repas': what the member told of them."""
    given = {"votre nom": guest.name, "votre entreprise": guest.company, "votre souhait pour le repas": guest.meal_wish}
    *first, last = ["votre adresse", *(label for label, text in given.items() if text)]
    return f"{', '.join(first)} et {last}" if first else last


def _removed(session: Session, mail: OutboxMail) -> Letter:
    """That who invited them counts on them no more, with the file that removes the meeting from their calendar."""
    event = require_event(session, mail)
    again = select(EventGuest.id).where(EventGuest.event_id == event.id, EventGuest.email == mail.recipient)
    if session.exec(again).first() is not None:
        raise Withdrawn(BACK)
    reservation = session.get(EventReservation, mail.reservation_id) if mail.reservation_id else None
    host = session.get(Member, reservation.member_id) if reservation and reservation.member_id else None
    entry = replace(calendar_files.make_entry(event), changed_at=clock.now())
    return Letter(
        NOTICE,
        {
            "is_change": False,
            "is_removed": True,
            "facts": facts_of(event),
            "guest": mail.context["name"],
            "host": host.name if host else "",
            "contact_email": settings().contact_email,
        },
        to_name=mail.context["name"],
        calendar=CalendarPart(calendar_files.write_file(entry, CANCEL, mail.recipient), CANCEL),
    )


def compose_guest_declined(session: Session, mail: OutboxMail) -> Letter:
    """To a member: that a guest does not come, and what their answer is now."""
    event, member = require_event(session, mail), require_member(session, mail, opted_out_too=True)
    reservation = require_reservation(session, mail)
    return Letter(
        DECLINED,
        {
            "facts": facts_of(event),
            "guest": mail.context.get("guest", ERASED_GUEST),
            "answer_text": describe_answer(event, reservation),
        },
        to_name=member.name,
        personal={"answer": answer_link(event, reservation), **names_of(member)},
    )


def _cancelled(entry: CalendarEntry, mail: OutboxMail) -> Letter:
    """That the event is off, with the file that removes it from the guest's calendar."""
    name = mail.context["name"]
    return Letter(
        event_change.CANCELLED,
        {"title": entry.title, "date": clock.long_date(entry.starts_at), "place": entry.place or entry.location},
        personal={"PRENOM": person_names.first_name(name) if name else "à vous", "NOM": ""},
        to_name=name,
        calendar=CalendarPart(calendar_files.write_file(entry, CANCEL, mail.recipient), CANCEL),
    )
