"""Badges on sheets of labels: whose, in which order, from which label on."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from math import ceil

from sqlmodel import Session, col, select

from clubapp import clock
from clubapp.models import MAX_GUESTS, Arrival, Event, EventGuest, EventReservation, ReservationAnswer
from clubapp.services.attendance.people import Person, guest_id, list_people
from clubapp.services.base import table_files
from clubapp.services.base.actors import Actor, require_admin, require_fresh_admin
from clubapp.services.base.table_files import PDF, Download
from clubapp.services.events.editing import find_event
from clubapp.settings import settings
from clubapp.text.collation import fold

# The parameters of the address, in the order of `BadgeOptions`.
PARAMETERS = ("format", "ordre", "premiere", "depuis")
BY_NAME, BY_COMPANY = "nom", "entreprise"
ORDERS = ((BY_NAME, "Par nom"), (BY_COMPANY, "Par entreprise"))


@dataclass(frozen=True)
class LabelFormat:
    """A sheet of labels in two columns, measured in millimetres: L7165 and L7173 of the usual makers."""

    label: str
    rows: int
    width: float
    height: float
    left: float
    top: float
    gap: float

    @property
    def count(self) -> int:
        """The labels of a sheet."""
        return 2 * self.rows


FORMATS = {
    "8": LabelFormat("8 par feuille, 99,1 × 67,7 mm", 4, 99.1, 67.7, 4.65, 13.1, 2.5),
    "10": LabelFormat("10 par feuille, 99,1 × 57 mm", 5, 99.1, 57.0, 4.65, 6.0, 2.5),
}


@dataclass(frozen=True)
class BadgeOptions:
    """What was chosen, as the address has it. What is not understood is as if it had not been said.

    `first` is the first label of the first sheet that is not used yet, from 1. With `since`, a day, only those who
    answered on it or later, and the guests whom somebody announced or named since.
    """

    kind: str = "8"
    order: str = BY_NAME
    first: str = "1"
    since: str = ""

    @property
    def labels(self) -> LabelFormat:
        """The sheet of labels."""
        return FORMATS.get(self.kind, FORMATS["8"])

    @property
    def skipped(self) -> int:
        """How many labels of the first sheet are left empty."""
        typed = int(self.first) if self.first.isascii() and self.first.isdecimal() and len(self.first) < 3 else 1
        return min(max(typed, 1), self.labels.count) - 1

    @property
    def since_day(self) -> date | None:
        """The day from which on answers count."""
        try:
            return date.fromisoformat(self.since)
        except ValueError:
            return None


def badges_pdf(session: Session, actor: Actor, event_id: str, *chosen: str) -> Download:
    """The badges of an event on sheets of labels; `chosen` are the values of PARAMETERS.

    Raises:
        NotFound: when the event was deleted.
    """
    require_fresh_admin(actor)
    event, options = find_event(session, event_id), BadgeOptions(*chosen)
    content = _draw(event, list_badges(session, event_id, options), options)
    name = table_files.make_file_name("badges", event.title, clock.to_form(event.date)[:10], extension="pdf")
    return Download(name, PDF, content)


def describe_badges(session: Session, actor: Actor, event_id: str, options: BadgeOptions) -> str:
    """'61 badges sur 8 feuilles.'"""
    require_admin(actor)
    count = len(list_badges(session, event_id, options))
    if not count:
        return "Aucun badge à imprimer."
    sheets = ceil((options.skipped + count) / options.labels.count)
    return f"{count} badge{'s' if count > 1 else ''} sur {sheets} feuille{'s' if sheets > 1 else ''}."


def list_badges(session: Session, event_id: str, options: BadgeOptions) -> list[Person]:
    """Whose badges are printed, in their order; a guest without a name follows who brings them."""
    people = list_people(session, event_id)
    companies = {one.id: one.company for one in people}

    def order(one: Person) -> tuple[str, str, str]:
        company = one.company or companies.get(one.host_id, "")
        name = one.name if one.is_named else one.host
        return (fold(company) if options.order == BY_COMPANY else "", fold(name), "" if one.is_named else one.id)

    chosen = people if options.since_day is None else _late(session, event_id, people, options.since_day)
    return sorted(chosen, key=order)


def _late(session: Session, event_id: str, people: Sequence[Person], since: date) -> list[Person]:
    """Who said yes on that day or later, who was announced or named since, and who came unexpected since."""

    def is_late(moment: datetime | None) -> bool:
        return moment is not None and clock.to_local(moment).date() >= since

    reservations = select(EventReservation.id, EventReservation.responded_at)
    answered = dict(session.exec(reservations.where(EventReservation.event_id == event_id)).all())
    guests = select(EventGuest).where(EventGuest.event_id == event_id)
    named = {
        guest_id(row.reservation_id, row.position) if row.reservation_id and row.position else row.id: row.updated_at
        for row in session.exec(guests)
    }
    arrivals = select(Arrival.person, Arrival.arrived_at).where(Arrival.event_id == event_id)
    arrived = dict(session.exec(arrivals).all())
    former, late, place = _count_before(session, event_id, since), [], 0
    for one in people:
        place = place + 1 if one.host_id else 0  # guests follow who brings them
        is_new = place > former.get(one.reservation_id, MAX_GUESTS)
        came = None if one.is_expected else arrived.get(one.id)
        if is_new or is_late(answered.get(one.reservation_id)) or is_late(named.get(one.id)) or is_late(came):
            late.append(one)
    return late


def _count_before(session: Session, event_id: str, since: date) -> dict[str, int]:
    """How many guests each had announced before a day, as far as the history of answers goes back."""
    history = (
        select(ReservationAnswer.reservation_id, ReservationAnswer.at, ReservationAnswer.guest_count)
        .join(EventReservation, col(EventReservation.id) == col(ReservationAnswer.reservation_id))
        .where(EventReservation.event_id == event_id)
        .order_by(col(ReservationAnswer.at))
    )
    return {reservation: count for reservation, at, count in session.exec(history) if clock.to_local(at).date() < since}


def _draw(event: Event, people: Sequence[Person], options: BadgeOptions) -> bytes:
    from clubapp.services.attendance.badges_pdf import draw_badges  # its library weighs 30 MB

    return draw_badges(settings().name, event.title, people, options.labels, options.skipped)
