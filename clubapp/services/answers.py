"""The answer of an invited member: opened and recorded by the token of the link (specification, section 4; W6).

Nobody signs in here: the token is the right, checked anew at every call, and it ends with the event.

- "Yes" keeps what was chosen before, so that a change of mind that stops half-way loses nothing.
- "No" forgets lunch and guests: a later "Yes" asks again.
- An event without lunch stores "no lunch" together with the guests. The rule of the specification, by which an
  answer is complete once its lunch choice is known, then holds there too, and a second visit shows the answer.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlmodel import Session, col, select

from clubapp import calendars, clock, tokens
from clubapp.calendars import CalendarLink
from clubapp.models import MAX_GUESTS, Event, EventReservation, EventSpeaker, EventStatus, Member, event_stats
from clubapp.refusals import Conflict, Invalid, NotFound

INVALID_LINK = "Le lien que vous avez utilisé n'est pas valide ou a expiré."
TOO_MANY_GUESTS = "Maximum 5 invités par membre"
CANCELLED = "Cette rencontre est annulée."
BEGUN = "Cette rencontre a commencé\u00a0: les réponses sont closes."
OVER = "Cette rencontre a eu lieu\u00a0: les réponses sont closes."
ATTEND_FIRST = "Dites d’abord si vous venez."
NO_LUNCH = "Cette rencontre ne propose plus de déjeuner."

ATTENDANCE, LUNCH, GUESTS, CALENDAR, CLOSED = "attendance", "lunch", "guests", "calendar", "closed"


@dataclass(frozen=True)
class EventFacts:
    """What an invited person needs to know of an event, in words."""

    id: str = ""
    title: str = ""
    month_label: str = ""
    long_date: str = ""
    place: str = ""
    description: str = ""
    speakers: tuple[str, ...] = ()
    has_lunch: bool = False
    places: str = ""


@dataclass(frozen=True)
class AnswerView:
    """The answer page as one person sees it: the event, their answer so far, and the step they are at.

    `step` is "attendance", "lunch", "guests" or "calendar"; or "closed", and then `closed` says why and
    nothing personal is told any more.
    """

    event: EventFacts = EventFacts()
    step: str = ""
    closed: str = ""
    member_name: str = ""
    will_attend: bool | None = None
    with_lunch: bool | None = None
    guest_count: int = 0
    calendar_links: tuple[CalendarLink, ...] = ()


@dataclass(frozen=True)
class _Invitation:
    reservation: EventReservation
    event: Event
    member: Member


def open(session: Session, event_id: str, token: str) -> AnswerView:
    """The page as it stands. Changes nothing.

    Raises:
        NotFound: for a token that is unknown, of another event, or whose event or member is gone.
    """
    found = _find(session, event_id, token)
    return _view(session, found, _resume(found))


def calendar_file(session: Session, event_id: str, token: str) -> bytes:
    """The event as an iCalendar file, as long as the link lives.

    Raises:
        NotFound: as `open`, and once the event has begun or is cancelled.
    """
    event = _find(session, event_id, token).event
    if _why_closed(event):
        raise NotFound(INVALID_LINK)
    return calendars.file(calendars.entry(event, _speakers(session, event)))


def attend(session: Session, event_id: str, token: str, will_attend: bool) -> AnswerView:
    """Record "Yes" or "No", with the time of the response.

    Raises:
        NotFound: as `open`.
        Conflict: once the event has begun or is cancelled.
    """
    found = _find_open(session, event_id, token)
    reservation = found.reservation
    reservation.will_attend = will_attend
    reservation.responded_at = clock.now()
    if not will_attend:
        reservation.with_lunch, reservation.guest_count = None, 0
    _save(session, reservation)
    return _view(session, found, _after_yes(found) if will_attend else CALENDAR)


def lunch(session: Session, event_id: str, token: str, with_lunch: bool) -> AnswerView:
    """Record the lunch choice of someone who comes.

    Raises:
        NotFound: as `open`.
        Conflict: as `attend`; when the person does not come, or the event has no lunch.
    """
    found = _find_coming(session, event_id, token)
    if not found.event.has_lunch:
        raise Conflict(NO_LUNCH)
    found.reservation.with_lunch = with_lunch
    _save(session, found.reservation)
    return _view(session, found, GUESTS)


def guests(session: Session, event_id: str, token: str, count: str | int) -> AnswerView:
    """Record how many guests someone brings: 0 to 5; what is not a number means 0.

    Raises:
        NotFound: as `open`.
        Conflict: as `attend`; when the person does not come.
        Invalid: below 0 or above 5.
    """
    found = _find_coming(session, event_id, token)
    found.reservation.guest_count = _guest_number(count)
    if not found.event.has_lunch:
        found.reservation.with_lunch = False
    _save(session, found.reservation)
    return _view(session, found, CALENDAR)


def _guest_number(count: object) -> int:
    try:
        number = int(str(count))
    except ValueError:
        return 0
    if not 0 <= number <= MAX_GUESTS:
        raise Invalid(TOO_MANY_GUESTS, field="guest_count")
    return number


def _find(session: Session, event_id: str, token: str, *, to_write: bool = False) -> _Invitation:
    """One query whatever is wrong with the link, so that no failure differs from another."""
    wanted = (
        select(EventReservation, Event, Member)
        .join(Event)
        .join(Member)
        .where(EventReservation.response_token == tokens.fingerprint(token))
    )
    row = session.exec(wanted.with_for_update(of=EventReservation) if to_write else wanted).first()
    if row is None or row[1].id != event_id:
        raise NotFound(INVALID_LINK)
    return _Invitation(*row)


def _find_open(session: Session, event_id: str, token: str) -> _Invitation:
    found = _find(session, event_id, token, to_write=True)
    if reason := _why_closed(found.event):
        raise Conflict(reason)
    return found


def _find_coming(session: Session, event_id: str, token: str) -> _Invitation:
    found = _find_open(session, event_id, token)
    if not found.reservation.will_attend:
        raise Conflict(ATTEND_FIRST)
    return found


def _save(session: Session, reservation: EventReservation) -> None:
    reservation.updated_at = clock.now()
    session.add(reservation)
    session.flush()


def _why_closed(event: Event) -> str:
    """Why answers are no longer taken; empty while they are."""
    if event.status == EventStatus.CANCELLED:
        return CANCELLED
    if event.status == EventStatus.COMPLETED or calendars.ends_at(event) <= clock.now():
        return OVER
    return BEGUN if event.date <= clock.now() else ""


def _resume(found: _Invitation) -> str:
    """The step of a visit (specification, section 4, 'Public reservation flow')."""
    if found.reservation.will_attend is None:
        return ATTENDANCE
    if not found.reservation.will_attend or found.reservation.with_lunch is not None:
        return CALENDAR
    return _after_yes(found)


def _after_yes(found: _Invitation) -> str:
    return LUNCH if found.event.has_lunch else GUESTS


def _view(session: Session, found: _Invitation, step: str) -> AnswerView:
    event, reservation = found.event, found.reservation
    speakers = _speakers(session, event)
    about = _facts(session, event, speakers)
    if reason := _why_closed(event):
        return AnswerView(event=about, step=CLOSED, closed=reason)
    is_coming = step == CALENDAR and bool(reservation.will_attend)
    return AnswerView(
        event=about,
        step=step,
        member_name=found.member.name,
        will_attend=reservation.will_attend,
        with_lunch=reservation.with_lunch,
        guest_count=reservation.guest_count,
        calendar_links=calendars.links(calendars.entry(event, speakers)) if is_coming else (),
    )


def _speakers(session: Session, event: Event) -> Sequence[EventSpeaker]:
    ordered = select(EventSpeaker).where(EventSpeaker.event_id == event.id).order_by(col(EventSpeaker.display_order))
    return session.exec(ordered).all()


def _facts(session: Session, event: Event, speakers: Sequence[EventSpeaker]) -> EventFacts:
    return EventFacts(
        id=event.id,
        title=event.title,
        month_label=_month_label(event),
        long_date=clock.long_date(event.date),
        place=calendars.place(event),
        description=(event.description or "").strip(),
        speakers=tuple(calendars.speaker_line(speaker) for speaker in speakers),
        has_lunch=event.has_lunch,
        places="" if _why_closed(event) else _places(session, event),
    )


def _month_label(event: Event) -> str:
    """'Rencontre de janvier', 'Rencontre d’avril'."""
    month = clock.month_name(event.date).split()[0]
    return f"Rencontre d’{month}" if month[0] in "ao" else f"Rencontre de {month}"


def _places(session: Session, event: Event) -> str:
    """'12 encore libres'; empty without a limit. Guests take a place, and there are never more than exist."""
    if event.max_participants is None:
        return ""
    stats = session.connection().execute(event_stats.select().where(event_stats.c.event_id == event.id)).one()
    left = event.max_participants - stats.total_attending - stats.total_guests
    if left <= 0:
        return "toutes prises pour le moment"
    return f"{left} encore libre{'s' if left > 1 else ''}"
