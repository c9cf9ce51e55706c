"""What an administrator takes away of an event: the answers as a table, and the sheet to sign at the door as PDF."""

import unicodedata
from collections.abc import Container, Sequence
from pathlib import Path

from fpdf import FPDF, FontFace
from fpdf.enums import TableBordersLayout, XPos, YPos
from sqlmodel import Session

from clubapp import clock, phones
from clubapp.models import Event
from clubapp.services import tables
from clubapp.services.actors import Actor, require_admin
from clubapp.services.attendance import Attendee, of_event
from clubapp.services.events import find
from clubapp.services.standing import Group, how
from clubapp.services.tables import CSV, PDF, XLSX, Cell, Download
from clubapp.settings import settings

SPARE_ROWS = 6
_FONTS = Path(__file__).resolve().parent.parent / "web" / "fonts"
_HEADERS = (
    "Nom", "Entreprise", "Fonction", "E-mail", "Téléphone", "Réponse", "Déjeuner", "Invités", "Répondu le",
    "Comment", "Noté par", "Invitation",
)  # fmt: skip
_ANSWERS = {
    Group.COMING: "Présent",
    Group.WAITING: "Liste d'attente",
    Group.SILENT: "Pas de réponse",
    Group.ABSENT: "Absent",
    Group.UNINVITED: "Non invité",
}
_INK, _MUTED, _LINE, _HEAD = (27, 36, 48), (91, 100, 114), (143, 135, 120), (246, 231, 225)
# Letters of our neighbours' names that the fonts lack and that do not part into a letter and its accent.
_PLAIN = str.maketrans("łŁđĐıŋ", "lLdDin")


def answers_csv(session: Session, actor: Actor, event_id: str) -> Download:
    """Everyone invited with their answer, as CSV.

    Raises:
        NotFound: when the event was deleted.
    """
    require_admin(actor)
    event = find(session, event_id)
    return Download(_named("reponses", event, "csv"), CSV, tables.csv(_rows(session, event), _HEADERS))


def answers_xlsx(session: Session, actor: Actor, event_id: str) -> Download:
    """The same as a workbook.

    Raises:
        NotFound: when the event was deleted.
    """
    require_admin(actor)
    event = find(session, event_id)
    content = tables.xlsx(_rows(session, event), _HEADERS, title="Réponses")
    return Download(_named("reponses", event, "xlsx"), XLSX, content)


def attendance(session: Session, actor: Actor, event_id: str) -> Download:
    """The sheet that those who come sign at the door, with empty lines for those who come unannounced.

    Raises:
        NotFound: when the event was deleted.
    """
    require_admin(actor)
    event = find(session, event_id)
    coming = [one for one in of_event(session, event) if one.group is Group.COMING]
    return Download(_named("emargement", event, "pdf"), PDF, _draw(event, coming))


def _named(what: str, event: Event, extension: str) -> str:
    return tables.file_name(what, event.title, clock.to_form(event.date)[:10], extension=extension)


def _rows(session: Session, event: Event) -> list[list[Cell]]:
    return [
        [
            one.name,
            one.company,
            one.role,
            one.email,
            phones.written(one.phone),
            _ANSWERS[one.group],
            one.with_lunch if one.group is Group.COMING else None,
            one.guest_count if one.group is Group.COMING else None,
            one.responded_at,
            how(one.via) if one.responded_at else "",
            one.recorded_by,
            one.delivery.value or one.reason,
        ]
        for one in of_event(session, event)
    ]


def _draw(event: Event, coming: list[Attendee]) -> bytes:
    sheet = _Sheet(f"{settings().name} : {event.title}")
    sheet.set_title(event.title)
    sheet.add_page()
    sheet.paragraph("Feuille d'émargement", 10, muted=True)
    sheet.paragraph(event.title, 20, font="Heading")
    sheet.paragraph(f"{clock.long_date(event.date)}, {event.location}", 11)
    sheet.paragraph(_totals(event, coming), 11, muted=True)
    sheet.ln(4)
    sheet.people(_columns(event), [_signing(event, one) for one in coming])
    return bytes(sheet.output())


def _totals(event: Event, coming: list[Attendee]) -> str:
    guests = sum(one.guest_count for one in coming)
    lunches = sum(bool(one.with_lunch) for one in coming)
    counted = [(len(coming), "présent"), (guests, "invité"), *([(lunches, "déjeuner")] if event.has_lunch else [])]
    return ", ".join(f"{count} {noun}{'s' if count > 1 else ''}" for count, noun in counted)


def _columns(event: Event) -> list[tuple[str, int]]:
    """Each column's head and its share of the width."""
    lunch = [("Déjeuner", 20)] if event.has_lunch else []
    return [("Nom", 48), ("Entreprise", 46), ("Invités", 16), *lunch, ("Signature", 50)]


def _signing(event: Event, one: Attendee) -> list[str]:
    lunch = [{True: "oui", False: "non", None: ""}[one.with_lunch]] if event.has_lunch else []
    return [one.name, one.company, str(one.guest_count or ""), *lunch, ""]


class _Sheet(FPDF):
    """A4 in the club's letters; each page says whose it is and which."""

    def __init__(self, foot: str) -> None:
        super().__init__(format="A4")
        self._foot = foot
        self.add_font("Text", fname=_FONTS / "figtree-500.ttf")
        self.add_font("Heading", fname=_FONTS / "fraunces-600.ttf")
        self.set_margin(15)
        self.set_auto_page_break(True, margin=20)
        self.set_creation_date(clock.now())
        self.set_lang("fr")

    def footer(self) -> None:
        """The foot of each page."""
        self.set_y(-14)
        self.set_font("Text", size=9)
        self.set_text_color(*_MUTED)
        self.cell(self.epw - 30, 6, self._known(self._foot)[:90], align="L")
        self.cell(30, 6, f"Page {self.page_no()} / {{nb}}", align="R")

    def paragraph(self, text: str, size: int, *, font: str = "Text", muted: bool = False) -> None:
        """A text over the whole width."""
        self.set_font(font, size=size)
        self.set_text_color(*(_MUTED if muted else _INK))
        self.multi_cell(0, size * 0.5, self._known(text), align="L", new_x=XPos.LMARGIN, new_y=YPos.NEXT)

    def people(self, columns: Sequence[tuple[str, int]], rows: Sequence[Sequence[str]]) -> None:
        """The table to sign; its head comes again on each page."""
        self.set_font("Text", size=10)
        self.set_text_color(*_INK)
        self.set_draw_color(*_LINE)
        with self.table(
            col_widths=tuple(width for _, width in columns),
            headings_style=FontFace(emphasis="", color=_INK, fill_color=_HEAD),
            borders_layout=TableBordersLayout.HORIZONTAL_LINES,
            text_align="LEFT",
            line_height=5,
            padding=(2, 1),
            min_row_height=10,
        ) as table:
            for cells in ([head for head, _ in columns], *rows, *[[""] * len(columns)] * SPARE_ROWS):
                row = table.row()
                for text in cells:
                    row.cell(self._known(text))

    def _known(self, text: str) -> str:
        """The text in letters the fonts have.

        An accent they lack is dropped, a letter they lack becomes '?', a picture is left out.
        """
        letters = self.fonts["text"].cmap  # pyright: ignore[reportAttributeAccessIssue]
        return "".join(_in_font(sign, letters) for sign in " ".join(text.translate(_PLAIN).split()))


def _in_font(sign: str, letters: Container[int]) -> str:
    if ord(sign) in letters:
        return sign
    bare = unicodedata.normalize("NFKD", sign)[0]
    return bare if ord(bare) in letters else "" if unicodedata.category(sign)[0] in "CMS" else "?"
