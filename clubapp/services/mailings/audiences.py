"""The people of a selection as of now: those whom a broadcast reaches, and those it does not with the reason (M12)."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum

from sqlmodel import Session, col, select

from clubapp import clock
from clubapp.models import (
    DOMAINS,
    AttendeeStatus,
    Event,
    EventGuest,
    EventReservation,
    EventStatus,
    Member,
    invited,
    status_of,
)
from clubapp.services.attendance import people
from clubapp.services.attendance.turnout import count_turnout, list_arrived
from clubapp.services.base.actors import Actor, require_admin
from clubapp.services.events.invitations import NO_ADDRESS, OPTED_OUT
from clubapp.services.mailings.stored_audience import ALL, AnswerGroup, Selection, describe_audience, parse_audience
from clubapp.text import french
from clubapp.text.collation import sort_by_name

RECENT = timedelta(days=100)
# The answers that the form of a broadcast offers.
OFFERED = (AnswerGroup.YES, AnswerGroup.NO, AnswerGroup.SILENT)
_STATUS = {
    AnswerGroup.YES: AttendeeStatus.COMING,
    AnswerGroup.NO: AttendeeStatus.DECLINED,
    AnswerGroup.SILENT: AttendeeStatus.SILENT,
    AnswerGroup.WAITING: AttendeeStatus.WAITING,
}


class Reason(StrEnum):
    """Why somebody of a selection is not written to."""

    NO_ADDRESS = "no_address"
    OPTED_OUT = "opted_out"
    REFUSED = "refused"
    INACTIVE = "inactive"
    SAME_ADDRESS = "same_address"

    @property
    def sentence(self) -> str:
        """What is said of one person."""
        return _SENTENCES[self]

    def count(self, number: int) -> str:
        """'1 désinscrit', '2 désinscrits'; 0 and 1 are singular in French (C6)."""
        one, several = _COUNTED[self]
        return f"{number} {several if number > 1 else one}"


_SENTENCES = {
    Reason.NO_ADDRESS: NO_ADDRESS,
    Reason.OPTED_OUT: OPTED_OUT,
    Reason.REFUSED: "adresse refusée par son serveur",
    Reason.INACTIVE: "fiche inactive",
    Reason.SAME_ADDRESS: "même adresse qu’une autre personne",
}
_COUNTED = {
    Reason.NO_ADDRESS: ("sans adresse", "sans adresse"),
    Reason.OPTED_OUT: ("désinscrit", "désinscrits"),
    Reason.REFUSED: ("adresse refusée", "adresses refusées"),
    Reason.INACTIVE: ("inactif", "inactifs"),
    Reason.SAME_ADDRESS: ("même adresse", "mêmes adresses"),
}


_NOT_REACHED = {
    Reason.NO_ADDRESS: ("n’a pas d’adresse", "n’ont pas d’adresse"),
    Reason.OPTED_OUT: ("ne veut plus d’e-mails", "ne veulent plus d’e-mails"),
    Reason.REFUSED: ("a une adresse refusée", "ont une adresse refusée"),
    Reason.INACTIVE: ("a une fiche inactive", "ont une fiche inactive"),
}


@dataclass(frozen=True)
class AudienceChoice:
    """A line of the form's list."""

    value: str
    label: str


@dataclass(frozen=True)
class BroadcastRecipient:
    """A member or a guest, by the `id` of their row. A guest has the reservation of who brings them, if anybody."""

    id: str
    name: str
    email: str
    is_guest: bool = False
    reservation_id: str | None = None


@dataclass(frozen=True)
class Audience:
    """The people a broadcast would reach now, and those it would not, each by name."""

    chosen: tuple[BroadcastRecipient, ...]
    left_out: tuple[tuple[BroadcastRecipient, Reason], ...]


def list_choices(session: Session, actor: Actor, chosen: str = ALL) -> tuple[AudienceChoice, ...]:
    """What the form offers: all, domains that have members, answers to recent and coming events, and `chosen`."""
    require_admin(actor)
    used = set(session.exec(select(Member.activity_domain).where(col(Member.is_active)).distinct()))
    values = [ALL, *(f"domain:{domain}" for domain in DOMAINS if domain in used)]
    events = session.exec(
        select(Event.id)
        .where(
            col(Event.date) > clock.now() - RECENT, col(Event.invitation_sent), Event.status != EventStatus.CANCELLED
        )
        .order_by(col(Event.date))
    ).all()
    values += [f"event:{event_id}:{answer}" for event_id in events for answer in OFFERED]
    if chosen not in values:
        values.append(chosen)
    named = ((value, describe_audience(session, value)) for value in values)
    return tuple(AudienceChoice(value, label) for value, label in named if label)


def resolve_audience(session: Session, audience: str, left_off: Collection[str] = ()) -> Audience:
    """The people of a stored selection but those taken off by hand; nobody when its event was deleted.

    An address gets one copy, the member's before a guest's. A broadcast to all members goes to every address on file;
    any other leaves out those that were refused for good.
    """
    selection = parse_audience(audience)
    if selection is None:
        return Audience((), ())
    members, guests = _find_people(session, selection)
    members = [member for member in sort_by_name(members) if member.id not in left_off]
    guests = [guest for guest in guests if guest.id not in left_off]
    judged = [(_member(one), _why_not(one, spares_refused=not selection.is_all)) for one in members]
    judged += _judge_guests(session, guests, {one.email for one, reason in judged if not reason})
    judged.sort(key=lambda pair: pair[0].is_guest)
    ordered = sort_by_name(judged, lambda pair: pair[0].name)
    return Audience(
        tuple(one for one, reason in ordered if reason is None),
        tuple((one, reason) for one, reason in ordered if reason is not None),
    )


def may_have_guests(audience: str) -> bool:
    """Whether guests may be among the people of a stored selection."""
    selection = parse_audience(audience)
    return selection is not None and selection.answer is not None and selection.answer not in _STATUS


def count_people(people: Collection[BroadcastRecipient]) -> str:
    """'2 membres', '1 invité', '12 membres et 3 invités'."""
    guests = sum(one.is_guest for one in people)
    members = len(people) - guests
    counted = [french.count(members, "membre")] if members or not guests else []
    return " et ".join([*counted, *([french.count(guests, "invité")] if guests else [])])


def describe_left_out(found: Audience) -> str:
    """'10 n’ont pas d’adresse et ne le recevront pas.'; members and guests are told apart where there are guests."""
    has_guests = any(one.is_guest for one in (*found.chosen, *(one for one, _ in found.left_out)))
    of_reason = {reason: [one for one, why in found.left_out if why is reason] for reason in Reason}

    def tell(reason: Reason, one: str, several: str) -> str:
        people = of_reason[reason]
        number = count_people(people) if has_guests else str(len(people))
        return f"{number}\u00a0{several if len(people) > 1 else one}"

    told = [tell(reason, *words) for reason, words in _NOT_REACHED.items() if of_reason[reason]]
    sentences = []
    if len(told) == 1:
        is_one = sum(len(of_reason[reason]) for reason in _NOT_REACHED) == 1
        sentences = [f"{told[0]} et ne le {'recevra' if is_one else 'recevront'} pas."]
    elif told:
        sentences = [f"{', '.join(told[:-1])} et {told[-1]}\u00a0: ils ne le recevront pas."]
    if of_reason[Reason.SAME_ADDRESS]:
        words = "a la même adresse qu’une autre personne", "ont la même adresse qu’une autre personne"
        sentences.append(f"{tell(Reason.SAME_ADDRESS, *words)}\u00a0: un seul message part à chaque adresse.")
    return " ".join(sentences)


def _find_people(session: Session, selection: Selection) -> tuple[list[Member], list[EventGuest]]:
    if selection.members:
        return _members(session, selection.members), []
    if selection.answer is None:
        active = select(Member).where(col(Member.is_active)).order_by(col(Member.id))
        domain = active.where(Member.activity_domain == selection.domain) if selection.domain else active
        return list(session.exec(domain)), []
    event = session.get(Event, selection.event_id)
    return _find_by_answer(session, event, selection.answer) if event else ([], [])


def _find_by_answer(session: Session, event: Event, answer: AnswerGroup) -> tuple[list[Member], list[EventGuest]]:
    if answer in _STATUS:
        rows = session.exec(select(EventReservation).where(EventReservation.event_id == event.id, invited()))
        return _members(session, {row.member_id for row in rows if status_of(row) is _STATUS[answer]}), []
    found = people.list_people(session, event.id)
    expected = {person.id for person in found}
    arrived = list_arrived(session, event.id)
    wanted = expected
    if answer is AnswerGroup.CAME:
        wanted = arrived
    elif answer is AnswerGroup.ABSENT:
        wanted = expected - arrived if count_turnout(session, event).is_known else set()
    of_event = select(EventGuest).where(EventGuest.event_id == event.id)
    rows = session.exec(of_event.order_by(col(EventGuest.reservation_id), col(EventGuest.position)))
    known = {_person_of(row): row for row in rows if row.name or row.email}
    guests = [known.get(one.id) or _unknown(event, one) for one in found if one.is_guest and one.id in wanted]
    return ([] if answer is AnswerGroup.GUESTS else _members(session, wanted)), guests


def _members(session: Session, ids: Iterable[str | None]) -> list[Member]:
    return list(session.exec(select(Member).where(col(Member.id).in_(set(ids))).order_by(col(Member.id))))


def _unknown(event: Event, guest: people.Person) -> EventGuest:
    """A guest of whom nothing is known, as whose guest they come; no row of the database."""
    return EventGuest(id=guest.id, event_id=event.id, reservation_id=guest.reservation_id or None, name=guest.name)


def _person_of(guest: EventGuest) -> str:
    """The id of the `Person` that a guest is at their event."""
    return people.guest_id(guest.reservation_id, guest.position or 0) if guest.reservation_id else guest.id


def _member(member: Member) -> BroadcastRecipient:
    return BroadcastRecipient(member.id, member.name, member.email or "")


def _why_not(member: Member, *, spares_refused: bool) -> Reason | None:
    if not member.is_active:
        return Reason.INACTIVE
    if not member.email:
        return Reason.NO_ADDRESS
    if member.opted_out_at is not None:
        return Reason.OPTED_OUT
    return Reason.REFUSED if spares_refused and member.email_failed_at is not None else None


def _judge_guests(
    session: Session, guests: list[EventGuest], taken: set[str]
) -> list[tuple[BroadcastRecipient, Reason | None]]:
    """A guest who has the address of a member is told by that member's wishes."""
    addresses = {guest.email for guest in guests if guest.email}
    known = session.exec(select(Member).where(col(Member.email).in_(addresses)))
    members = {member.email: member for member in known}
    judged: list[tuple[BroadcastRecipient, Reason | None]] = []
    for guest in guests:
        reason, namesake = None, members.get(guest.email) if guest.email else None
        if not guest.email:
            reason = Reason.NO_ADDRESS
        elif guest.opted_out_at is not None or (namesake and namesake.opted_out_at is not None):
            reason = Reason.OPTED_OUT
        elif namesake and namesake.email_failed_at is not None:
            reason = Reason.REFUSED
        elif guest.email in taken:
            reason = Reason.SAME_ADDRESS
        else:
            taken.add(guest.email)
        name = guest.name or guest.email
        judged.append((BroadcastRecipient(guest.id, name, guest.email, True, guest.reservation_id), reason))
    return judged
