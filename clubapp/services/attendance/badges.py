"""Badges on sheets of labels: whose, in which order, from which label on."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from math import ceil

from sqlmodel import Session, select

from clubapp import clock
from clubapp.models import Event, EventGuest, EventReservation
from clubapp.services.attendance.people import Person, list_people
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
    answered on it or later.
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
    reservations = select(EventReservation.id, EventReservation.responded_at)
    guests = select(EventGuest.id, EventGuest.created_at)
    moments = {
        **dict(session.exec(reservations.where(EventReservation.event_id == event_id)).all()),
        **dict(session.exec(guests.where(EventGuest.event_id == event_id)).all()),
    }
    known = [(one, moments.get(one.reservation_id or one.id)) for one in people]
    return [one for one, moment in known if moment and clock.to_local(moment).date() >= since]


def _draw(event: Event, people: Sequence[Person], options: BadgeOptions) -> bytes:
    from clubapp.services.attendance.badges_pdf import draw_badges  # its library weighs 30 MB

    return draw_badges(settings().name, event.title, people, options.labels, options.skipped)
