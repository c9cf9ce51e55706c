"""A member's home: the next event and their answer, who comes, what they came to, what their profile lacks."""

from dataclasses import dataclass
from typing import Any

from sqlalchemy import and_, not_, or_
from sqlmodel import Session, col, select

from clubapp import calendar_files, clock, routes
from clubapp.models import (
    Arrival,
    Event,
    EventReservation,
    EventStatus,
    Member,
    coming,
    invited,
    is_for_members,
    not_ended,
)
from clubapp.refusals import NotFound
from clubapp.services.answers import signed_in
from clubapp.services.answers.signed_in import OwnInvitation, PastInvitation
from clubapp.services.base import audit
from clubapp.services.base.actors import Actor, require_member
from clubapp.services.images.responsive_images import Picture, face_picture
from clubapp.services.members import listing
from clubapp.text import web_links
from clubapp.text.collation import fold

PAST_SHOWN = 12
MOST_FACES = 60
NEXT, RUNNING = "Prochaine rencontre", "Rencontre en cours"
CAME = "Vous y étiez."
NOT_INVITED = "Vous n’avez pas encore d’invitation."
_CLOSES = "Réponses jusqu’au {closes}."
# What a member may complete themselves, as `listing.list_missing` names it: the act, and what it is good for.
_COMPLETIONS = {
    "photo": ("Ajouter ma photo", "On se reconnaît plus vite d’une rencontre à l’autre."),
    "fonction": ("Dire ma fonction", "Elle est écrite sous votre nom, dans l’annuaire."),
    "description": ("Me présenter", "Quelques lignes disent à qui vous pouvez être utile."),
}


@dataclass(frozen=True)
class ComingMember:
    """A member who comes, as the directory of members shows them. `trade` may be empty, as may `company`."""

    id: str
    name: str
    trade: str
    company: str
    picture: Picture
    href: str


@dataclass(frozen=True)
class OwnNextMeeting:
    """The next event, or the one that is running, and the member's answer in words, of the colour `tone`; empty when
    there is none.

    `own` holds the invitation of who is invited; `note` says until when it is answered, or why no more. Of a place on
    offer `own` tells: `said` and `note` are empty. Who comes is told to those invited: `count` is how many that is with
    guests, `others` how many of them are not in `attendees`.
    """

    id: str = ""
    heading: str = NEXT
    title: str = ""
    month: str = ""
    day: str = ""
    weekday: str = ""
    hours: str = ""
    place: str = ""
    map_link: str = ""
    said: str = ""
    tone: str = "neutral"
    note: str = ""
    own: tuple[OwnInvitation, ...] = ()
    is_answered: bool = False
    count: str = ""
    attendees: tuple[ComingMember, ...] = ()
    others: str = ""


@dataclass(frozen=True)
class Completion:
    """A piece that the member's profile lacks, and why it is worth adding."""

    name: str
    action: str
    reason: str


@dataclass(frozen=True)
class Home:
    """What 'Mes rencontres' shows.

    `opens_here` says that a sign-in leads there; an administrator, whose own leads elsewhere, has no such choice.
    """

    next: OwnNextMeeting = OwnNextMeeting()
    past: tuple[PastInvitation, ...] = ()
    completions: tuple[Completion, ...] = ()
    opens_here: bool = False
    has_choice: bool = False


def read_home(session: Session, actor: Actor) -> Home:
    """The actor's own home.

    Raises:
        Forbidden: for anyone but a member.
        NotFound: when they were deleted.
    """
    member = session.get(Member, require_member(actor))
    if member is None:
        raise NotFound
    lacks = listing.list_missing(member)
    return Home(
        _read_next(session, member),
        _list_past(session, member),
        tuple(Completion(name, *_COMPLETIONS[name]) for name in lacks if name in _COMPLETIONS),
        opens_here=member.opens_meetings,
        has_choice=not actor.is_admin,
    )


def choose_start_page(session: Session, actor: Actor, opens_meetings: bool) -> None:
    """Let the actor's sign-in lead to their meetings, or to their profile.

    Raises:
        Forbidden: for anyone but a member.
    """
    member = session.get(Member, require_member(actor))
    if member is None or member.opens_meetings == opens_meetings:
        return
    changes = {"opens_meetings": (member.opens_meetings, opens_meetings)}
    member.opens_meetings = opens_meetings
    session.add(member)
    audit.record(session, actor, "member.start_page", member.id, changes=changes)


def _read_next(session: Session, member: Member) -> OwnNextMeeting:
    columns: Any = (Event, EventReservation)
    query = (
        select(*columns)
        .outerjoin(EventReservation, _is_own(member))
        .where(
            not_ended(clock.now()),
            col(Event.status).not_in((EventStatus.CANCELLED, EventStatus.COMPLETED)),
            or_(
                col(EventReservation.id).is_not(None),
                and_(col(Event.status) == EventStatus.CONFIRMED, col(Event.date) > clock.now()),
            ),
        )
        .order_by(col(Event.date))
        .limit(1)
    )
    found = session.exec(query).first()
    if found is None:
        return OwnNextMeeting()
    event, reservation = found
    month, day, weekday = clock.day_parts(event.date)
    facts: dict[str, Any] = {
        "id": event.id,
        "heading": RUNNING if event.date <= clock.now() else NEXT,
        "title": event.title,
        "month": month,
        "day": day,
        "weekday": weekday,
        "hours": f"{clock.hour(event.date)} à {clock.hour(calendar_files.ends_at(event))}",
        "place": calendar_files.short_place(event),
        "map_link": web_links.map_link(calendar_files.place(event)),
    }
    if reservation is None or not member.is_active:
        return OwnNextMeeting(**facts, said=NOT_INVITED)
    return OwnNextMeeting(**facts, **_answer(session, event, reservation), **_who_comes(session, event))


def _answer(session: Session, event: Event, reservation: EventReservation) -> dict[str, Any]:
    own = signed_in.describe_invitation(session, reservation, event)
    if own.offer and not own.closed:  # the question itself tells it
        return {"own": (own,)}
    note = own.closed or (own.event.closes and _CLOSES.format(closes=own.event.closes))
    return {"said": own.said, "tone": own.tone, "note": note, "own": (own,), "is_answered": bool(own.answer)}


def _who_comes(session: Session, event: Event) -> dict[str, Any]:
    """Whom members may see, by name; everyone else who comes, guests included, is only counted (P1)."""
    columns: Any = (EventReservation.guest_count, Member)
    query = select(*columns).outerjoin(Member, col(EventReservation.member_id) == col(Member.id))
    rows = session.exec(query.where(EventReservation.event_id == event.id, coming())).all()
    count = sum(1 + guests for guests, _ in rows)
    listed = [member for _, member in rows if member and member.is_active and is_for_members(member, "is_listed")]
    attendees = tuple(_attendee(member) for member in sorted(listed, key=lambda one: fold(one.name))[:MOST_FACES])
    return {
        "count": _people(count, "vient", "viennent") if count else "",
        "attendees": attendees,
        "others": _others(count - len(attendees), bool(attendees)),
    }


def _people(count: int, one: str, several: str) -> str:
    return f"{count}\u00a0personnes {several}" if count > 1 else f"1\u00a0personne {one}"


def _others(count: int, after_faces: bool) -> str:
    """'et 5 autres, invités compris'."""
    if not count:
        return ""
    if not after_faces:
        return "Leurs noms ne sont pas dans l’annuaire." if count > 1 else "Son nom n’est pas dans l’annuaire."
    return f"et {count}\u00a0autre{'s' if count > 1 else ''}, invités compris"


def _attendee(member: Member) -> ComingMember:
    return ComingMember(
        id=member.id,
        name=member.name,
        trade=listing.main_trade(member.expertise, member.services) or member.role,
        company=member.company,
        picture=face_picture(member.image_url if is_for_members(member, "shows_photo") else "", member.name),
        href=routes.member_profile(member.id) if member.is_listed else routes.members_named(member.name),
    )


def _list_past(session: Session, member: Member) -> tuple[PastInvitation, ...]:
    """What is over of what they were invited to or came to, the latest first."""
    over = or_(not_(not_ended(clock.now())), col(Event.status) == EventStatus.COMPLETED)
    came = and_(col(Arrival.event_id) == col(Event.id), col(Arrival.person) == member.id)
    columns: Any = (Event, EventReservation, Arrival.id)
    query = (
        select(*columns)
        .outerjoin(EventReservation, _is_own(member))
        .outerjoin(Arrival, came)
        .where(over, or_(col(EventReservation.id).is_not(None), col(Arrival.id).is_not(None)))
        .order_by(col(Event.date).desc())
        .limit(PAST_SHOWN)
    )
    return tuple(
        signed_in.describe_past(event, CAME if arrival else signed_in.say_past(reservation, event))
        for event, reservation, arrival in session.exec(query)
    )


def _is_own(member: Member) -> Any:
    own = col(EventReservation.member_id) == member.id
    return and_(col(EventReservation.event_id) == col(Event.id), own, invited())
