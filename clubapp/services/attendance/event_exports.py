"""What an administrator takes away of an event: the answers as a table, and the sheet to sign at the door as PDF."""

from collections import defaultdict

from sqlmodel import Session

from clubapp import calendar_files, clock
from clubapp.models import Event
from clubapp.services.attendance.attendee_list import list_attendees
from clubapp.services.attendance.attendee_status import AttendeeStatus, format_answer_channel
from clubapp.services.attendance.meals import count_meals
from clubapp.services.attendance.people import Person, guest_name, list_expected, list_people
from clubapp.services.base import table_files
from clubapp.services.base.actors import Actor, require_fresh_admin
from clubapp.services.base.table_files import CSV, PDF, XLSX, Cell, Download
from clubapp.services.events.editing import find_event
from clubapp.settings import settings
from clubapp.text import phone_numbers

UNEXPECTED = "et 1 personne venue sans être attendue"
_HEADERS = (
    "Nom", "Entreprise", "Fonction", "E-mail", "Téléphone", "Réponse", "Déjeuner", "Invités", "Répondu le",
    "Comment", "Noté par", "Invitation", "Repas", "Invités, par leur nom", "Souhaits pour le repas",
)  # fmt: skip


def answers_csv(session: Session, actor: Actor, event_id: str) -> Download:
    """Everyone invited with their answer, as CSV.

    Raises:
        NotFound: when the event was deleted.
    """
    require_fresh_admin(actor)
    event = find_event(session, event_id)
    return Download(_named("reponses", event, "csv"), CSV, table_files.write_csv(_rows(session, event), _HEADERS))


def answers_xlsx(session: Session, actor: Actor, event_id: str) -> Download:
    """The same as a workbook.

    Raises:
        NotFound: when the event was deleted.
    """
    require_fresh_admin(actor)
    event = find_event(session, event_id)
    content = table_files.write_xlsx(_rows(session, event), _HEADERS, title="Réponses")
    return Download(_named("reponses", event, "xlsx"), XLSX, content)


def attendance(session: Session, actor: Actor, event_id: str) -> Download:
    """The sheet that those who come sign at the door, with empty lines for those who come unannounced.

    Raises:
        NotFound: when the event was deleted.
    """
    require_fresh_admin(actor)
    event = find_event(session, event_id)
    return Download(_named("emargement", event, "pdf"), PDF, _draw(event, list_people(session, event.id)))


def _named(what: str, event: Event, extension: str) -> str:
    return table_files.make_file_name(what, event.title, clock.to_form(event.date)[:10], extension=extension)


def _rows(session: Session, event: Event) -> list[list[Cell]]:
    parties, is_past = _parties(session, event), event.date < clock.now()
    return [
        [
            one.name,
            one.company,
            one.role,
            one.email,
            phone_numbers.format_phone(one.phone),
            one.status.table_cell_at(is_past=is_past),
            one.with_lunch if one.status is AttendeeStatus.COMING else None,
            one.guest_count if one.status is AttendeeStatus.COMING else None,
            one.responded_at,
            format_answer_channel(one.via) if one.responded_at else "",
            one.recorded_by,
            one.delivery.value or one.reason,
            *_party_cells(event, parties[one.key]),
        ]
        for one in list_attendees(session, event)
    ]


def _parties(session: Session, event: Event) -> defaultdict[str, list[Person]]:
    """Who comes, by reservation: the member, then their guests."""
    parties: defaultdict[str, list[Person]] = defaultdict(list)
    for person in list_expected(session, event.id):
        parties[person.reservation_id].append(person)
    return parties


def _party_cells(event: Event, party: list[Person]) -> list[Cell]:
    """The meals of a member and their guests, the guests' names, and what is wished for."""
    if not party:
        return [None, "", ""]
    guests = (", ".join(filter(None, (one.name, one.company))) for one in party if one.is_guest and one.is_named)
    wishes = (f"{one.name}\u00a0: {one.meal_wish}" for one in party if one.meal_wish)
    return [count_meals(party).total if event.has_lunch else None, "\u00a0; ".join(guests), "\u00a0; ".join(wishes)]


def _draw(event: Event, people: tuple[Person, ...]) -> bytes:
    from clubapp.infra.pdf_sheet import (
        PdfSheet,  # its library weighs 30 MB, and sheets are rarely asked for
    )

    sheet = PdfSheet(f"{settings().name}\u00a0: {event.title}")
    sheet.set_title(event.title)
    sheet.add_page()
    sheet.paragraph("Feuille d’émargement", 10, muted=True)
    sheet.paragraph(event.title, 20, font="Heading")
    sheet.paragraph(f"{calendar_files.when(event)}, {event.location}", 11)
    sheet.paragraph(_totals(event, people), 11, muted=True)
    sheet.ln(4)
    sheet.people(_columns(event), [_signing(event, one) for one in people])
    return bytes(sheet.output())


def _totals(event: Event, people: tuple[Person, ...]) -> str:
    """'3 présents, 2 invités, 5 déjeuners, et 1 personne venue sans être attendue': guests eat as members do."""
    expected = [one for one in people if one.is_expected]
    guests, more = sum(one.is_guest for one in expected), len(people) - len(expected)
    lunches = [(count_meals(expected).total, "déjeuner")] if event.has_lunch else []
    counted = [(len(expected) - guests, "présent"), (guests, "invité"), *lunches]
    told = [f"{count} {noun}{'s' if count > 1 else ''}" for count, noun in counted]
    if more:
        told.append(f"et {more} personnes venues sans être attendues" if more > 1 else UNEXPECTED)
    return ", ".join(told)


def _columns(event: Event) -> list[tuple[str, int]]:
    """Each column's head and its share of the width."""
    lunch = [("Déjeuner", 20)] if event.has_lunch else []
    return [("Nom", 56), ("Entreprise", 50), *lunch, ("Signature", 50)]


def _signing(event: Event, one: Person) -> list[str]:
    """A guest signs below their member, by name or as whose guest they come."""
    name = f"{one.name}, {guest_name('', one.host)}" if one.host and one.is_named else one.name
    lunch = [{True: "oui", False: "non", None: ""}[one.with_lunch]] if event.has_lunch else []
    return [name, one.company, *lunch, ""]
