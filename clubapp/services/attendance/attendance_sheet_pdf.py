"""How the sheet to sign at the door is drawn."""

import re
import unicodedata
from collections.abc import Container, Sequence

from fpdf import FPDF, FontFace
from fpdf.enums import TableBordersLayout, XPos, YPos

from clubapp import clock
from clubapp.settings import ROOT

SPARE_ROWS = 6
_SIZE, _SMALLEST = 10, 6
_BREAK = re.compile(r"\s")
_FONTS = ROOT / "clubapp" / "fonts"
_INK, _MUTED, _LINE, _HEAD = (27, 36, 48), (91, 100, 114), (143, 135, 120), (246, 231, 225)
# Romanian is often typed with a cedilla, for want of the comma that the fonts have.
_RIGHTLY = str.maketrans("ţŢ", "țȚ")


class Sheet(FPDF):
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
        self.set_font("Text", size=_SIZE)
        self.set_text_color(*_INK)
        shares = [width for _, width in columns]
        rooms = [self.epw * share / sum(shares) - 4 for share in shares]
        self.set_draw_color(*_LINE)
        with self.table(
            col_widths=tuple(shares),
            headings_style=FontFace(emphasis="", color=_INK, fill_color=_HEAD),
            borders_layout=TableBordersLayout.HORIZONTAL_LINES,
            text_align="LEFT",
            line_height=5,
            padding=(2, 1),
            min_row_height=10,
        ) as table:
            for cells in ([head for head, _ in columns], *rows, *[[""] * len(columns)] * SPARE_ROWS):
                row = table.row()
                for text, room in zip(map(self._known, cells), rooms, strict=True):
                    row.cell(text, style=self._fitting(text, room))

    def _fitting(self, text: str, room: float) -> FontFace | None:
        """Smaller letters where a word is longer than its column is wide."""
        widest = max(map(self.get_string_width, _BREAK.split(text)))
        return FontFace(size_pt=max(_SMALLEST, _SIZE * room / widest)) if widest > room else None

    def _known(self, text: str) -> str:
        """The text in letters the fonts have.

        An accent they lack is dropped, a letter they lack becomes '?', a picture is left out.
        """
        letters = self.fonts["text"].cmap  # pyright: ignore[reportAttributeAccessIssue]
        whole = unicodedata.normalize("NFC", " ".join(text.split())).translate(_RIGHTLY)
        return "".join(_in_font(sign, letters) for sign in whole)


def _in_font(sign: str, letters: Container[int]) -> str:
    if ord(sign) in letters:
        return sign
    bare = unicodedata.normalize("NFKD", sign)[0]
    return bare if ord(bare) in letters else "" if unicodedata.category(sign)[0] in "CMS" else "?"
