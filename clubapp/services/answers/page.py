"""What the answer page shows: the event in words, the answer so far, and the step a person is at."""

from dataclasses import dataclass, field, replace
from urllib.parse import quote

from sqlmodel import Session

from clubapp import calendar_files, clock, routes
from clubapp.calendar_files import CalendarLink
from clubapp.mail.messages.event_facts import describe_closed_lunch
from clubapp.models import Event, EventReservation, EventStatus, Member
from clubapp.services.answers import capacity, guests, waiting_list
from clubapp.services.answers.answer_form import CHOICES, NO, Answer, choice_of
from clubapp.services.answers.guests import GuestFields
from clubapp.text import web_links
from clubapp.text.programme import ProgrammePart, read_parts

ATTENDANCE, LUNCH, GUESTS, CALENDAR = "attendance", "lunch", "guests", "calendar"
NAMES = "names"  # of guests, and wishes for the meal: asked for by who wants to say them
WAITING, OFFER, CLOSED = "waiting", "offer", "closed"
ERROR = "error"  # the link leads nowhere
LATER_STEPS = (LUNCH, GUESTS, CALENDAR)
CHANGEABLE_STEPS = (*LATER_STEPS, WAITING)
FULL = "complet pour le moment"
KEPT_FOR_YOU = "la vôtre vous est réservée"
LUNCH_OFFERED = "proposé"


@dataclass(frozen=True)
class EventFacts:
    """What an invited person needs to know of an event, in words. `places` is empty without a limit.

    `lunch_closed` says that the caterer was told the numbers.
    """

    id: str = ""
    title: str = ""
    month_label: str = ""
    long_date: str = ""
    place: str = ""
    map_link: str = ""
    description: tuple[ProgrammePart, ...] = ()
    speakers: tuple[str, ...] = ()
    has_lunch: bool = False
    lunch: str = ""
    lunch_closed: str = ""
    places: str = ""
    is_full: bool = False
    closes: str = ""


@dataclass(frozen=True)
class AnswerView:
    """The answer page as one person sees it: the event, their answer so far, and the step they are at.

    `step` is "attendance", "lunch", "guests", "names" or "calendar"; "waiting" or "offer" for who is on the waiting
    list; or "closed", and then `closed` says why. Once the event has begun, or is off, nothing personal is told any
    more. `is_told` means that each answer is confirmed by mail. `guests` are the fields of the form that names them,
    `guest_names` what is said of them, `guest_limit` how many there may be.
    """

    event: EventFacts = field(default_factory=EventFacts)
    step: str = ""
    closed: str = ""
    member_name: str = ""
    is_told: bool = False
    will_attend: bool | None = None
    with_lunch: bool | None = None
    guest_count: int = 0
    guest_limit: int = capacity.MAX_GUESTS
    guests_left: str = ""
    guests: tuple[GuestFields, ...] = ()
    guest_names: tuple[str, ...] = ()
    meal_wish: str = ""
    is_waiting: bool = False
    waiting: str = ""
    offer_until: str = ""
    calendar_links: tuple[CalendarLink, ...] = ()


@dataclass(frozen=True)
class Asked:
    """What the page's address asks for: the `step`, the answer chosen in the mail, and the step one left to change.

    Where one is between two presses is nowhere else.
    """

    step: str = ""
    choice: str = ""
    left: str = ""


NOTHING_ASKED = Asked()


@dataclass(frozen=True)
class Visit:
    """One view of the answer page, as its address asks for it. `address` is the page's path.

    `choice` is the suggested answer: the one of the mail (`is_from_mail`), or the recorded one when it is being
    changed; `left` the step from which the person began to change it, or at which they took an offer. `problem` says
    what went wrong, `is_refused` that it is with what was typed.
    """

    view: AnswerView = field(default_factory=AnswerView)
    address: str = ""
    token: str = ""
    choice: str = ""
    is_from_mail: bool = False
    is_changing: bool = False
    left: str = ""
    problem: str = ""
    is_refused: bool = False


def make_visit(
    view: AnswerView,
    link: tuple[str, str],
    asked: Asked = NOTHING_ASKED,
    problem: str = "",
    *,
    is_refused: bool = False,
) -> Visit:
    """What the page of a link, its event and token, shows of a view, and suggests."""
    is_changing = view.step == ATTENDANCE and view.will_attend is not None
    is_from_mail = asked.choice in CHOICES
    return Visit(
        view=view,
        address=routes.answer(quote(link[0], safe="")),
        token=link[1],
        choice=asked.choice if is_from_mail else choice_of(view.will_attend) if is_changing else "",
        is_from_mail=is_from_mail,
        is_changing=is_changing,
        left=asked.left,
        problem=problem,
        is_refused=is_refused,
    )


def build_view(
    session: Session, event: Event, reservation: EventReservation, member: Member, asked: Asked = NOTHING_ASKED
) -> AnswerView:
    """The page of one person, at the step that `step_of_visit` gives."""
    closed = capacity.why_answers_closed(event)
    left = None if closed else capacity.count_free_places(session, event)
    about = describe_event(session, event, left, reservation)
    if closed and is_over(event):
        return AnswerView(event=about, step=CLOSED, closed=closed)
    return replace(
        describe_answer(session, reservation, member, left),
        event=about,
        step=CLOSED if closed else step_of_visit(event, reservation, asked),
        closed=closed,
        calendar_links=calendar_files.service_links(calendar_files.make_entry(event)) if reservation.is_coming else (),
    )


def describe_answer(session: Session, reservation: EventReservation, member: Member, left: int | None) -> AnswerView:
    """What somebody has answered so far."""
    most = capacity.guest_limit(reservation, left)
    entries = guests.read_guests(session, reservation)
    return AnswerView(
        member_name=member.name,
        is_told=bool(member.email),
        will_attend=reservation.will_attend,
        with_lunch=reservation.with_lunch,
        guest_count=reservation.guest_count,
        guest_limit=most,
        guests_left=capacity.format_guests_left(most) if reservation.is_coming else "",
        guests=guests.describe_fields(entries),
        guest_names=guests.list_names(entries),
        meal_wish=reservation.meal_wish,
        is_waiting=reservation.is_waiting,
        waiting=_waiting(session, reservation),
        offer_until=clock.long_date(reservation.offer_until) if reservation.offer_until else "",
    )


def is_over(event: Event) -> bool:
    """Whether the links of an event have ended with it: it has begun, or is off (W6)."""
    return capacity.has_begun(event) or event.status == EventStatus.CANCELLED


def step_of_visit(event: Event, reservation: EventReservation, asked: Asked) -> str:
    """The step that the page's address asks for where the answer so far has it, else the current one.

    A "No" chosen in the mail after a "Yes" that was left halfway asks which of them counts.
    """
    step = current_step(event, reservation)
    is_doubtful = asked.choice == NO and step in (LUNCH, GUESTS)
    if step in CHANGEABLE_STEPS and (asked.step == ATTENDANCE or is_doubtful):
        return ATTENDANCE
    may_name = reservation.guest_count > 0 or (event.has_lunch and bool(reservation.with_lunch))
    offered = {GUESTS: True, LUNCH: event.has_lunch, NAMES: step == CALENDAR and may_name}
    if reservation.is_coming and offered.get(asked.step):
        return asked.step
    return step


def current_step(event: Event, reservation: EventReservation) -> str:
    """The step of a visit that asks for none (D3)."""
    if reservation.will_attend is None:
        return ATTENDANCE
    if reservation.is_waiting:
        return OFFER if waiting_list.has_offer(reservation) else WAITING
    if not reservation.will_attend or reservation.with_lunch is not None:
        return CALENDAR
    return LUNCH if event.has_lunch else GUESTS


def step_after(answer: Answer, event: Event, reservation: EventReservation) -> str:
    """The step after a save: a "Yes" alone asks for lunch and guests again, whatever was said before."""
    is_last = answer.guest_count is not None or answer.guests is not None or answer.meal_wish is not None
    if is_last or not reservation.is_coming:
        return current_step(event, reservation)
    return LUNCH if event.has_lunch and answer.with_lunch is None else GUESTS


def describe_event(session: Session, event: Event, left: int | None, own: EventReservation) -> EventFacts:
    """An event in words, with that many free places, for the person whose reservation is `own`."""
    is_open = not capacity.why_answers_closed(event)
    return EventFacts(
        id=event.id,
        title=event.title,
        month_label=_month_label(event),
        long_date=calendar_files.when(event),
        place=calendar_files.shown_place(event),
        map_link=web_links.map_link(calendar_files.place(event)),
        description=read_parts(event.description or ""),
        speakers=tuple(calendar_files.speaker_line(speaker) for speaker in event.speakers),
        has_lunch=event.has_lunch,
        lunch=LUNCH_OFFERED if event.has_lunch else "",
        lunch_closed=describe_closed_lunch(session, event) if is_open else "",
        places=_places(left, own),
        is_full=_is_full(session, event, left, own),
        closes=clock.long_date(event.answers_until) if is_open and event.answers_until else "",
    )


def _is_full(session: Session, event: Event, left: int | None, own: EventReservation) -> bool:
    """Whether a "Yes" of this person would join the waiting list."""
    return left is not None and not _has_place(own) and not waiting_list.is_open(session, event, left)


def _has_place(reservation: EventReservation) -> bool:
    return reservation.is_coming or waiting_list.has_offer(reservation)


def _month_label(event: Event) -> str:
    """'Rencontre de janvier', 'Rencontre d’avril'."""
    month = clock.month_name(event.date).split()[0]
    return f"Rencontre d’{month}" if month[0] in "ao" else f"Rencontre de {month}"


def _places(left: int | None, own: EventReservation) -> str:
    """'12 encore libres', but for who holds an offer; nothing without a limit."""
    if left is None:
        return ""
    if waiting_list.has_offer(own):
        return KEPT_FOR_YOU
    if left <= 0:
        return FULL
    return f"{left} encore libre{'s' if left > 1 else ''}"


def _waiting(session: Session, reservation: EventReservation) -> str:
    """'Vous êtes en tête de la liste.', for who waits."""
    if not reservation.is_waiting or waiting_list.has_offer(reservation):
        return ""
    number = waiting_list.position(session, reservation)
    return "Vous êtes en tête de la liste." if number <= 1 else f"Vous êtes en {number}e position."
