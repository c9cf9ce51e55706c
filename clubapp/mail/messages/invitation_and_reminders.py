"""The three mails of an event: the invitation and its two reminders (C5, M10).

A reminder says what its reader has answered when it leaves: someone who has answered meanwhile gets the text for their
answer, and someone who declined gets none.
"""

from collections.abc import Callable, Sequence
from typing import Any

from sqlalchemy import ColumnElement, and_
from sqlmodel import Session, col, select

from clubapp import calendar_files, clock
from clubapp.calendar_files import PUBLISH
from clubapp.mail.messages import batch_cache, event_variables, formatted_text, text_choice
from clubapp.mail.messages.built_in_event_texts import EventTemplate
from clubapp.mail.messages.event_facts import facts_with_places
from clubapp.mail.messages.letter import CalendarPart, Letter, Withdrawn
from clubapp.mail.messages.recipients_now import (
    ANSWERS_CLOSED,
    answer_link,
    calendar_file_link,
    names_of,
    require_event,
    require_member,
    require_reservation,
    unsubscribe_link,
)
from clubapp.models import Event, EventReservation, MailState, Member, OutboxMail, ReminderType, coming
from clubapp.text.party import IN_REMINDER, format_party

INVITATION, REMINDER_1, REMINDER_2 = "invitation", "reminder_1", "reminder_2"
KINDS = {
    ReminderType.INVITATION: INVITATION,
    ReminderType.FIRST: REMINDER_1,
    ReminderType.SECOND: REMINDER_2,
}
TEMPLATE = "event_mail"
COMING = "Vous venez"
LUNCH_ASKED = "déjeuner à préciser"
DECLINED = "Le membre a répondu qu’il ne viendrait pas."
WAITING = "Le membre est sur la liste d’attente."


def never_invited() -> ColumnElement[bool]:
    """The condition of a query for reservations without an answer of which every invitation was withdrawn."""
    own = select(OutboxMail.id).where(
        OutboxMail.kind == INVITATION, OutboxMail.reservation_id == col(EventReservation.id)
    )
    others = col(OutboxMail.state).not_in((MailState.WITHDRAWN, MailState.EXCLUDED))
    is_silent = col(EventReservation.will_attend).is_(None)
    return and_(is_silent, own.where(OutboxMail.state == MailState.WITHDRAWN).exists(), ~own.where(others).exists())


def compose_invitation(session: Session, mail: OutboxMail) -> Letter:
    """The invitation to an event, with the member's own answer link."""
    event, member = require_event(session, mail), require_member(session, mail)
    reservation = require_reservation(session, mail)
    if event.closes_at <= clock.now():
        raise Withdrawn(ANSWERS_CLOSED)
    return build_letter(
        session,
        event,
        ReminderType.INVITATION,
        answer=answer_link(event, reservation),
        calendar_file=calendar_file_link(event, reservation),
        reader=member,
        unsubscribe=unsubscribe_link(member),
    )


def build_letter(
    session: Session,
    event: Event,
    which: ReminderType,
    *,
    answer: str,
    calendar_file: str,
    reader: Member | None = None,
    unsubscribe: str = "",
    standing: str = COMING,
    is_asked: bool = True,
    text: EventTemplate | None = None,
    to_meet: Sequence[str] = (),
) -> Letter:
    """One of the three mails of an event for one reader; previews and test mails use it too.

    With `is_asked` the mail asks for an answer, and a reminder has another text for it; otherwise the reader comes, and
    `standing` is their answer in French. Without a `reader` it is an example. `text` replaces the stored text.
    `to_meet` names people who come too.
    """
    text = text or batch_cache.read_once(
        session, (event.id, which, is_asked), lambda: _find_text(session, event, which, is_asked)
    )
    shared = batch_cache.read_once(
        session, (event.id, which, is_asked, text), lambda: _build_shared_context(session, event, text)
    )
    return Letter(
        TEMPLATE,
        {
            **shared,
            "is_asked": is_asked,
            "standing": "" if is_asked else standing,
            "to_meet": [] if is_asked else list(to_meet),
            "has_unsubscribe_link": bool(unsubscribe),
        },
        to_name=reader.name if reader else "",
        calendar=None if is_asked else batch_cache.read_once(session, event.id, lambda: _build_calendar_part(event)),
        unsubscribe=unsubscribe,
        personal={"answer": answer, "calendar_file": calendar_file, "unsubscribe": unsubscribe, **names_of(reader)},
    )


def _build_shared_context(session: Session, event: Event, text: EventTemplate) -> dict[str, Any]:
    """The part of the context that is the same for all readers."""
    facts = facts_with_places(session, event)
    values = event_variables.values_of(session, event, facts)
    return {
        "subject": event_variables.fill_subject(text.subject, values),
        "body": formatted_text.fill_text(text.body, values),
        "facts": facts,
        "signature": text_choice.signature(session),
    }


def _find_text(session: Session, event: Event, which: ReminderType, is_asked: bool) -> EventTemplate:
    if is_asked and which != ReminderType.INVITATION:
        return text_choice.unanswered_text(session, which)
    return text_choice.event_text(session, event, which)


def describe_answer(event: Event, reservation: EventReservation) -> str:
    """What someone who comes has answered: 'Vous venez, avec 2 invités, et vous déjeunez avec nous'."""
    with_lunch = reservation.with_lunch if event.has_lunch else None
    added = format_party(reservation.guest_count, with_lunch, IN_REMINDER)
    asked = LUNCH_ASKED if event.has_lunch and with_lunch is None else ""
    return ", ".join(part for part in (COMING, added, asked) if part)


def _read_to_meet(session: Session, event: Event, mail: OutboxMail) -> list[str]:
    """'Marie Durand, Atelier Lefèbvre' for each of those to meet who still comes and is in the directory."""
    wanted = mail.context.get("to_meet", [])
    if not wanted:
        return []
    query = select(Member).join(EventReservation).where(EventReservation.event_id == event.id, coming())
    found = session.exec(query.where(col(Member.id).in_(wanted), col(Member.is_active), col(Member.is_listed))).all()
    by_id = {one.id: f"{one.name}, {one.company}" if one.company else one.name for one in found}
    return [by_id[one] for one in wanted if one in by_id]


def _make_composer(which: ReminderType) -> Callable[[Session, OutboxMail], Letter]:
    def compose(session: Session, mail: OutboxMail) -> Letter:
        event, reservation = require_event(session, mail), require_reservation(session, mail)
        if reservation.will_attend is False:
            raise Withdrawn(DECLINED)
        if reservation.is_waiting:
            raise Withdrawn(WAITING)
        is_asked = reservation.will_attend is None
        if is_asked and event.closes_at <= clock.now():
            raise Withdrawn(ANSWERS_CLOSED)
        # A member who opted out of mailings is still reminded of an event they said yes to.
        member = require_member(session, mail, opted_out_too=not is_asked)
        return build_letter(
            session,
            event,
            which,
            answer=answer_link(event, reservation),
            calendar_file=calendar_file_link(event, reservation),
            reader=member,
            unsubscribe=unsubscribe_link(member) if is_asked else "",
            standing=describe_answer(event, reservation),
            is_asked=is_asked,
            to_meet=_read_to_meet(session, event, mail),
        )

    return compose


compose_reminder_1, compose_reminder_2 = _make_composer(ReminderType.FIRST), _make_composer(ReminderType.SECOND)


def _build_calendar_part(event: Event) -> CalendarPart:
    """The event as a calendar file that the reader may add (C5)."""
    return CalendarPart(calendar_files.write_file(calendar_files.make_entry(event)), PUBLISH)
