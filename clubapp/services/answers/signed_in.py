"""A member's own invitations, seen and answered in the member area, without the mail.

The same rules as by the link: same closing times, same places, same waiting list.
"""

from dataclasses import dataclass

from sqlmodel import Session, col, select

from clubapp import calendar_files, clock
from clubapp.mail.messages import answer_confirmation
from clubapp.mail.messages.invitation_and_reminders import LUNCH_ASKED
from clubapp.models import AnswerSource, Event, EventReservation, EventStatus, Member, status_of
from clubapp.refusals import Conflict, NotFound
from clubapp.services.answers import capacity, guests, page, recording, waiting_list
from clubapp.services.answers.answer_form import Answer, choice_of
from clubapp.services.answers.guests import GuestFields
from clubapp.services.answers.page import EventFacts
from clubapp.services.answers.recording import AnswerOrigin
from clubapp.services.base.actors import Actor, require_member

NOT_INVITED = "Vous ne figurez pas parmi les invités de cette rencontre, ou elle a été supprimée."
RECORDED = "Votre réponse est enregistrée."
NAMED = "C’est noté."
WAITING_LIST = "La rencontre est complète\u00a0: vous êtes sur la liste d’attente."
PAST_SHOWN = 24
CANCELLED = "Rencontre annulée."
_UNANSWERED = "Vous n’avez pas encore répondu."


@dataclass(frozen=True)
class OwnInvitation:
    """An event that is not over, and the member's answer to it.

    `answer` and `lunch` are "oui", "non" or empty; `said` tells it in words, of the colour `tone`. `guests_left` says
    how many may come along when that is fewer than allowed. `closed` says why nothing can be changed any more, `offer`
    until when a place is kept. Who waits is asked for no lunch and no guests yet. `may_name` says that the form of
    guests and meals has something to ask.
    """

    event: EventFacts
    answer: str
    said: str
    tone: str
    with_lunch: bool
    lunch: str
    guest_count: str
    guests_left: str
    closed: str
    offer: str
    is_waiting: bool = False
    guests: tuple[GuestFields, ...] = ()
    guest_names: tuple[str, ...] = ()
    meal_wish: str = ""
    may_name: bool = False


@dataclass(frozen=True)
class PastInvitation:
    """An event that is over, and whether the member came as far as the club was told."""

    title: str
    date: str
    place: str
    said: str


@dataclass(frozen=True)
class Invitations:
    """What 'Mes invitations' shows: what is to come or running, soonest first, and what is past, latest first."""

    coming: tuple[OwnInvitation, ...] = ()
    past: tuple[PastInvitation, ...] = ()


def list_invitations(session: Session, actor: Actor) -> Invitations:
    """The actor's own invitations.

    Raises:
        Forbidden: for anyone but a member.
    """
    member_id = require_member(actor)
    rows = session.exec(_own(member_id).order_by(col(Event.date))).all()
    coming = [(row, event) for row, event in rows if not capacity.is_past(event)]
    past = [(row, event) for row, event in rows if capacity.is_past(event)]
    return Invitations(
        tuple(describe_invitation(session, row, event) for row, event in coming),
        tuple(describe_past(event, say_past(row, event)) for row, event in reversed(past[-PAST_SHOWN:])),
    )


def record_own_answer(session: Session, actor: Actor, event_id: str, answer: Answer) -> str:
    """Record the actor's own answer, whole.

    Returns:
        A sentence that says what was recorded: the waiting list, when there is no place, and what is asked then.

    Raises:
        Forbidden: for anyone but a member.
        NotFound: when they are not invited, or the event is gone.
        Conflict: once answers are closed.
        Invalid: below 0 guests, above 5, or more than there are places; nothing is recorded then.
    """
    row = session.exec(_own(require_member(actor)).where(Event.id == event_id)).first()
    if row is None:
        raise NotFound(NOT_INVITED)
    reservation, event = row
    capacity.lock_reservation(session, event, reservation)
    member = session.get(Member, reservation.member_id or "", populate_existing=True)
    if member is None or not member.is_active:
        raise NotFound(NOT_INVITED)
    if reason := capacity.why_answers_closed(event):
        raise Conflict(reason)
    recording.record_answer(session, event, reservation, answer, AnswerOrigin(AnswerSource.MEMBER))
    return f"{WAITING_LIST} {waiting_list.describe_later(event)}" if reservation.is_waiting else RECORDED


def _own(member_id: str):
    return select(EventReservation, Event).join(Event).where(EventReservation.member_id == member_id)


def describe_invitation(session: Session, row: EventReservation, event: Event) -> OwnInvitation:
    """An event to come in words, for the member who is invited."""
    closed = capacity.why_answers_closed(event)
    entries = guests.read_guests(session, row) if row.is_coming else ()
    left = None if closed else capacity.count_free_places(session, event)
    has_place = row.is_coming or waiting_list.has_offer(row)
    return OwnInvitation(
        event=page.describe_event(session, event, left, row),
        answer=choice_of(row.will_attend),
        said=CANCELLED if event.status == EventStatus.CANCELLED else _said(event, row),
        tone=_tone(event, row),
        with_lunch=bool(row.with_lunch),
        lunch=choice_of(row.with_lunch),
        guest_count=str(row.guest_count),
        guests_left=capacity.format_guests_left(capacity.guest_limit(row, left)) if has_place else "",
        closed=closed,
        offer=clock.long_date(row.offer_until) if row.offer_until and waiting_list.has_offer(row) else "",
        is_waiting=row.is_waiting,
        guests=guests.describe_fields(entries),
        guest_names=guests.list_names(entries),
        meal_wish=row.meal_wish,
        may_name=bool(entries) or (event.has_lunch and bool(row.with_lunch) and row.is_coming),
    )


def describe_past(event: Event, said: str) -> PastInvitation:
    """An event that is over, and what is said of the member's part in it."""
    return PastInvitation(
        title=event.title, date=calendar_files.when(event), place=calendar_files.shown_place(event), said=said
    )


def say_past(row: EventReservation, event: Event) -> str:
    """What the member had answered to an event that is over."""
    if event.status == EventStatus.CANCELLED:
        return CANCELLED
    return "Sans réponse." if row.will_attend is None else _said(event, row)


def _tone(event: Event, row: EventReservation) -> str:
    return "red" if event.status == EventStatus.CANCELLED else status_of(row).tone


def _said(event: Event, row: EventReservation) -> str:
    """'Vous venez, avec déjeuner.'"""
    if row.will_attend is None:
        return _UNANSWERED
    if row.is_waiting and capacity.is_past(event):
        return "Vous étiez sur la liste d’attente."
    if row.is_waiting:
        return (
            "Une place s’est libérée pour vous." if waiting_list.has_offer(row) else "Vous êtes sur la liste d’attente."
        )
    if capacity.is_past(event):
        return "Vous aviez répondu oui." if row.will_attend else "Vous aviez répondu non."
    text = answer_confirmation.describe_answer(event, row)
    if row.will_attend and event.has_lunch and row.with_lunch is None:
        text = f"{text}, {LUNCH_ASKED}"
    return f"{text[0].upper()}{text[1:]}."
