"""An event on a page of its own: what its header, its stages and its side say, whatever tab is open."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from sqlmodel import Session, col, func, select

from clubapp import calendar_files, clock
from clubapp.models import Event, EventReservation, EventStatus, MailState, Member, OutboxMail
from clubapp.services.attendance.people import list_people
from clubapp.services.base.actors import Actor, require_admin
from clubapp.services.events import admin_views, stages
from clubapp.services.events.admin_views import EventDetail, EventOverview, Figures, Speaker
from clubapp.services.events.editing import find_event
from clubapp.services.events.stages import Stage, StageAct
from clubapp.services.images.responsive_images import NO_PICTURE, Picture, face_picture
from clubapp.text.programme import ProgrammePart, read_parts

MEMBERS, GUESTS, OFFERED, FREE = "members", "guests", "offered", "free"


@dataclass(frozen=True)
class PlacesPart:
    """A part of the bar of places, as wide as its count."""

    kind: str
    label: str
    count: int


@dataclass(frozen=True)
class SpeakerCard:
    """A speaker with the photograph of the member of that name, or initials."""

    name: str
    line: str
    picture: Picture = NO_PICTURE


@dataclass(frozen=True)
class Meeting:
    """All that stands around the tabs; empty without an id.

    `far` is '8 jours', `far_hint` 'avant la rencontre'. `answered` is '43 sur 60', empty before anybody is invited.
    `refused` is '2 refusés', the mails of the event that did not arrive, or empty.
    `places` is '40 / 42' or, without a limit, '40'; `waiting` how many places the waiting list asks for.
    `wanted_limit` is that which would seat all who wait. `description` is prose and steps in their order.
    """

    id: str = ""
    title: str = ""
    month: str = ""
    day: str = ""
    weekday: str = ""
    hours: str = ""
    place: str = ""
    host: str = ""
    deadline: str = ""
    status: str = ""
    status_label: str = ""
    far: str = ""
    far_hint: str = ""
    is_running: bool = False
    is_cancelled: bool = False
    has_begun: bool = False
    can_be_put_off: bool = False
    stages: tuple[Stage, ...] = ()
    act: StageAct = field(default_factory=StageAct)
    answered: str = ""
    refused: str = ""
    places: str = ""
    places_bar: tuple[PlacesPart, ...] = ()
    waiting: str = ""
    wanted_limit: int = 0
    description: tuple[ProgrammePart, ...] = ()
    has_programme: bool = False
    speakers: tuple[SpeakerCard, ...] = ()


@dataclass(frozen=True)
class MeetingPage:
    """The page, and the overview that it shares with the dialog of the event."""

    meeting: Meeting
    overview: EventOverview


def read_meeting(session: Session, actor: Actor, event_id: str) -> MeetingPage:
    """The page of one event.

    Raises:
        NotFound: when it was deleted.
    """
    require_admin(actor)
    overview = admin_views.read_overview(session, actor, event_id)
    return MeetingPage(_meeting(session, find_event(session, event_id), overview.detail), overview)


def _meeting(session: Session, event: Event, detail: EventDetail) -> Meeting:
    stats, turnout = detail.stats, detail.turnout
    way = stages.read_progress(
        session,
        event,
        silent=stats.total_no_response,
        invited=stats.total_invited,
        arrived=turnout.arrived,
        expected=len(list_people(session, event.id)) if turnout.arrived else 0,
    )
    description = read_parts(event.description or "")
    is_open = stats.total_waiting and not stages.has_ended(event)
    asked = _count_asked(session, event) if is_open else 0
    return replace(
        _head(event),
        stages=stages.list_stages(way),
        act=stages.find_act(way),
        answered=_answered(stats),
        refused=_refused(session, event),
        places=_places(event, stats, detail.taken),
        places_bar=_places_bar(event, stats, detail.taken),
        waiting=_waiting(asked),
        wanted_limit=_wanted_limit(event, asked, detail.taken),
        description=description,
        has_programme=any(part.steps for part in description),
        speakers=_speakers(session, detail.speakers),
    )


def _head(event: Event) -> Meeting:
    """What is known of an event without asking for its people."""
    month, day, weekday = clock.dated_parts(event.date)
    far, far_hint = stages.describe_distance(event)
    return Meeting(
        id=event.id,
        title=event.title,
        month=month,
        day=day,
        weekday=weekday,
        hours=f"{clock.hour(event.date)} à {clock.hour(calendar_files.ends_at(event))}",
        place=calendar_files.short_place(event),
        host=event.host,
        deadline=f"Réponses jusqu’au {clock.brief(event.answers_until)}" if event.answers_until else "",
        status=event.status,
        status_label=EventStatus(event.status).label,
        far=far,
        far_hint=far_hint,
        is_running=_is_running(event),
        is_cancelled=event.status == EventStatus.CANCELLED,
        has_begun=event.date <= clock.now(),
        can_be_put_off=event.date > clock.now() and event.status in (EventStatus.DRAFT, EventStatus.CONFIRMED),
    )


def _is_running(event: Event) -> bool:
    is_held = event.status == EventStatus.CONFIRMED
    return is_held and event.date <= clock.now() and not stages.has_ended(event) and event.doors_closed_at is None


def _answered(stats: Figures) -> str:
    said = stats.total_invited - stats.total_no_response
    return f"{said} sur {stats.total_invited}" if stats.total_invited else ""


def _refused(session: Session, event: Event) -> str:
    failed = OutboxMail.event_id == event.id, OutboxMail.state == MailState.FAILED
    count = session.exec(select(func.count()).select_from(OutboxMail).where(*failed)).one()
    return f"{count} {'refusés' if count > 1 else 'refusé'}" if count else ""


def _places(event: Event, stats: Figures, taken: int) -> str:
    if event.max_participants:
        return f"{taken} / {event.max_participants}"
    return str(stats.total_attending + stats.total_guests)


def _places_bar(event: Event, stats: Figures, taken: int) -> tuple[PlacesPart, ...]:
    """By whom the places are taken, and how many are left where they are limited."""
    members, guests = stats.total_attending, stats.total_guests
    parts = [PlacesPart(MEMBERS, "Membres", members), PlacesPart(GUESTS, "Invités", guests)]
    if event.max_participants:
        if offered := taken - members - guests:
            parts.append(PlacesPart(OFFERED, "Places proposées", offered))
        parts.append(PlacesPart(FREE, "Libres", max(0, event.max_participants - taken)))
    return tuple(parts)


def _count_asked(session: Session, event: Event) -> int:
    """How many places those on the waiting list ask for to whom none is offered, their guests included."""
    waiting = (
        EventReservation.event_id == event.id,
        col(EventReservation.will_attend).is_(True),
        col(EventReservation.waiting_since).is_not(None),
        col(EventReservation.offer_until).is_(None) | (col(EventReservation.offer_until) <= clock.now()),
    )
    return sum(1 + guests for guests in session.exec(select(EventReservation.guest_count).where(*waiting)))


def _waiting(asked: int) -> str:
    return f"La liste d’attente demande {asked} {'places' if asked > 1 else 'place'}." if asked else ""


def _wanted_limit(event: Event, asked: int, taken: int) -> int:
    """The maximum that would seat all who wait; 0 when they have room as it is."""
    if not (asked and event.max_participants) or event.date <= clock.now():
        return 0
    missing = asked - max(0, event.max_participants - taken)
    return event.max_participants + missing if missing > 0 else 0


def _speakers(session: Session, speakers: Sequence[Speaker]) -> tuple[SpeakerCard, ...]:
    names = [speaker.name for speaker in speakers]
    known = select(Member.name, Member.image_url).where(col(Member.name).in_(names))
    faces = dict(session.exec(known).all()) if names else {}
    return tuple(
        SpeakerCard(each.name, each.line, face_picture(faces.get(each.name, ""), each.name)) for each in speakers
    )
