"""Who came to an event, as a sheet to print and as a table: everyone who was expected or came, guests as people."""

from typing import TYPE_CHECKING

from sqlmodel import Session

from clubapp import calendar_files, clock
from clubapp.models import Event
from clubapp.services.attendance.arrivals import Door, DoorRow, read_door
from clubapp.services.attendance.people import guest_name
from clubapp.services.base import table_files
from clubapp.services.base.actors import Actor, require_fresh_admin
from clubapp.services.base.table_files import CSV, PDF, Cell, Download
from clubapp.services.events.editing import find_event
from clubapp.settings import settings

if TYPE_CHECKING:  # its library weighs 30 MB, and sheets are rarely asked for
    from clubapp.infra.pdf_sheet import PdfSheet

CAME, ABSENT, EXPECTED = "venu", "absent malgré sa réponse", "attendu"
_HEADERS = ("Nom", "Entreprise", "Invité de", "Réponse", "Présence", "Arrivé le")


def arrivals_csv(session: Session, actor: Actor, event_id: str) -> Download:
    """Who came and who did not although they were expected, one row each.

    Raises:
        NotFound: when the event was deleted.
    """
    require_fresh_admin(actor)
    event, door = find_event(session, event_id), read_door(session, event_id)
    names, is_past = {row.id: row.name for row in door.rows}, event.date < clock.now()
    rows: list[list[Cell]] = [
        [
            row.name,
            row.company,
            names.get(row.host_id, ""),
            row.status.table_cell_at(is_past=is_past) if row.status else "",
            _presence(event, row),
            row.arrived_at,
        ]
        for row in _counted(door)
    ]
    return Download(_named(event, "csv"), CSV, table_files.write_csv(rows, _HEADERS))


def arrivals_pdf(session: Session, actor: Actor, event_id: str) -> Download:
    """The same on paper, as it stands.

    Raises:
        NotFound: when the event was deleted.
    """
    require_fresh_admin(actor)
    from clubapp.infra.pdf_sheet import PdfSheet

    event, door = find_event(session, event_id), read_door(session, event_id)
    sheet = PdfSheet(f"{settings().name}\u00a0: {event.title}")
    _draw(sheet, event, door)
    return Download(_named(event, "pdf"), PDF, bytes(sheet.output()))


def _named(event: Event, extension: str) -> str:
    return table_files.make_file_name("arrivees", event.title, clock.to_form(event.date)[:10], extension=extension)


def _counted(door: Door) -> list[DoorRow]:
    """Those whom the figures count, in the order of the door."""
    return [row for row in door.rows if row.is_expected]


def _presence(event: Event, row: DoorRow) -> str:
    if row.arrived_at:
        return CAME
    return ABSENT if event.doors_closed_at else EXPECTED


def _draw(sheet: "PdfSheet", event: Event, door: Door) -> None:
    arrived = f"{door.arrived} {'arrivés' if door.arrived > 1 else 'arrivé'} sur {door.expected}"
    sheet.set_title(event.title)
    sheet.add_page()
    sheet.paragraph("Arrivées", 10, muted=True)
    sheet.paragraph(event.title, 20, font="Heading")
    sheet.paragraph(f"{calendar_files.when(event)}, {event.location}", 11)
    sheet.paragraph(f"{arrived}, le {clock.short_date(clock.now())}", 11, muted=True)
    sheet.ln(4)
    names = {row.id: row.name for row in door.rows}
    rows = [_line(event, row, names.get(row.host_id, "")) for row in _counted(door)]
    sheet.people([("Nom", 60), ("Entreprise", 56), ("Arrivée", 40)], rows, spare=0)


def _line(event: Event, row: DoorRow, host: str) -> list[str]:
    """A guest stands below their member, by name or as whose guest they come."""
    name = f"{row.name}, {guest_name('', host)}" if host and row.is_named else row.name
    came = clock.hour(row.arrived_at) if row.arrived_at else ABSENT if event.doors_closed_at else ""
    return [name, row.company, came]
