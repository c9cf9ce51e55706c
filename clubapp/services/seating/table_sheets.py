"""The tables of an event on paper: who sits where by name, and a card to stand on each table."""

from typing import TYPE_CHECKING

from sqlmodel import Session

from clubapp import clock
from clubapp.services.base import table_files
from clubapp.services.base.actors import Actor, require_fresh_admin
from clubapp.services.base.table_files import PDF, Download
from clubapp.services.events.editing import find_event
from clubapp.services.seating.plan import SeatedPerson, SeatingPlan, TablePlan, name_order, read_plan
from clubapp.settings import settings

if TYPE_CHECKING:  # its library weighs 30 MB, and sheets are rarely asked for
    from clubapp.infra.pdf_sheet import PdfSheet

_TO_PLACE = "à placer"
_PAGE, _FOLD, _EDGE = (210.0, 297.0), 148.5, 18.0
_ONE_COLUMN, _GAP = 10, 8.0
_NAME_SIZE, _COMPANY_SIZE = 15.0, 10.0


def names_pdf(session: Session, actor: Actor, event_id: str) -> Download:
    """Everyone by name with their table.

    Raises:
        NotFound: when the event was deleted.
    """
    require_fresh_admin(actor)
    from clubapp.infra.pdf_sheet import PdfSheet

    plan = read_plan(session, actor, event_id)
    labels = {str(table.position): table.label for table in plan.tables}
    people = sorted(_everyone(plan), key=name_order)
    sheet = PdfSheet(f"{settings().name}\u00a0: {plan.title}")
    sheet.set_title(f"Tables\u00a0: {plan.title}")
    sheet.add_page()
    sheet.paragraph("Plan de table, par nom", 10, muted=True)
    sheet.paragraph(plan.title, 20, font="Heading")
    sheet.paragraph(f"{plan.date}, {plan.location}", 11)
    sheet.paragraph(plan.sentence, 11, muted=True)
    sheet.ln(4)
    rows = [[one.name, one.company, labels.get(one.table, _TO_PLACE)] for one in people]
    sheet.people([("Nom", 60), ("Entreprise", 60), ("Table", 40)], rows, spare=0)
    return Download(_named(session, "tables", event_id), PDF, bytes(sheet.output()))


def cards_pdf(session: Session, actor: Actor, event_id: str) -> Download:
    """A card for each table: folded in the middle it stands, its number on one side, who sits there on the other.

    Raises:
        NotFound: when the event was deleted.
    """
    require_fresh_admin(actor)
    from clubapp.infra.pdf_sheet import PdfSheet

    plan = read_plan(session, actor, event_id)
    sheet = PdfSheet()
    sheet.set_title(f"Cartes de table\u00a0: {plan.title}")
    sheet.set_auto_page_break(False)
    for table in plan.tables:
        sheet.add_page()
        _draw_card(sheet, table)
    if not plan.tables:
        sheet.add_page()
        sheet.paragraph("Aucune table n’est encore installée.", 14)
    return Download(_named(session, "cartes-de-table", event_id), PDF, bytes(sheet.output()))


def _named(session: Session, what: str, event_id: str) -> str:
    event = find_event(session, event_id)
    return table_files.make_file_name(what, event.title, clock.to_form(event.date)[:10], extension="pdf")


def _everyone(plan: SeatingPlan) -> list[SeatedPerson]:
    return [*plan.unseated, *(one for table in plan.tables for one in table.people)]


def _draw_card(sheet: "PdfSheet", table: TablePlan) -> None:
    """The upper half stands on its head, so that it reads from the other side once the sheet is folded."""
    width, height = _PAGE
    sheet.set_draw_color(231, 224, 214)
    sheet.set_dash_pattern(dash=1, gap=2)
    sheet.line(0, _FOLD, width, _FOLD)
    sheet.set_dash_pattern()
    with sheet.rotation(180, width / 2, height / 4):
        _draw_number(sheet, table)
    sheet.set_font("Heading")
    size, lines = sheet.fit(table.label, width - 2 * _EDGE, 26)
    top = sheet.lines(lines, _EDGE, _FOLD + 14, size) + 4
    _draw_people(sheet, table, top)


def _draw_number(sheet: "PdfSheet", table: TablePlan) -> None:
    width = _PAGE[0]
    sheet.set_font("Heading")
    y = 44.0
    for text, largest in ((f"Table {table.position}", 96.0), (table.name, 40.0)):
        size, lines = sheet.fit(text, width - 2 * _EDGE, largest)
        for line in lines if text else []:
            sheet.set_font_size(size)
            y = sheet.lines([line], (width - sheet.get_string_width(line)) / 2, y, size)


def _draw_people(sheet: "PdfSheet", table: TablePlan, top: float) -> None:
    from clubapp.infra.pdf_sheet import MUTED

    columns = 1 if len(table.people) <= _ONE_COLUMN else 2
    rows = max(1, -(-len(table.people) // columns))
    width = (_PAGE[0] - 2 * _EDGE - (columns - 1) * _GAP) / columns
    height = min(13.0, (_PAGE[1] - 10 - top) / rows)
    for number, one in enumerate(table.people):
        column, row = divmod(number, rows)
        x, y = _EDGE + column * (width + _GAP), top + row * height
        sheet.set_font("Text")
        size, lines = sheet.fit(one.name, width, _NAME_SIZE, height=height * 0.55, lines=2)
        y = sheet.lines(lines, x, y, size)
        if one.company:
            size, lines = sheet.fit(one.company, width, min(_COMPANY_SIZE, size), height=height * 0.35, lines=2)
            sheet.lines(lines, x, y, size, colour=MUTED)
