"""How sheets are drawn: the club's letters and colours, and the table of the sheet to sign at the door."""

import re
import unicodedata
from collections.abc import Container, Sequence
from itertools import pairwise
from math import ceil

from fpdf import FPDF, FontFace
from fpdf.enums import TableBordersLayout, XPos, YPos

from clubapp import clock
from clubapp.routes import PRIVACY
from clubapp.settings import ROOT, settings

SPARE_ROWS = 6
_SIZE, _SMALLEST = 10, 8
# In millimetres for each point of size.
_ASCENT, LINE_HEIGHT = 0.33, 0.42
_BREAK = re.compile(r"\s")
_READABLE = 10  # points
_HYPHEN = r"(?<=-)(?=\w)"
_FONTS = ROOT / "clubapp" / "fonts"
INK, MUTED, LINE, SOFT = (27, 36, 48), (91, 100, 114), (143, 135, 120), (246, 231, 225)
# Romanian is often typed with a cedilla, for want of the comma that the fonts have.
_RIGHTLY = str.maketrans("ţŢ", "țȚ")


class PdfSheet(FPDF):
    """A4 in the club's letters; with a `foot`, each page says whose it is and which, and where the notice is."""

    def __init__(self, foot: str = "") -> None:
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
        if not self._foot:
            return
        self.set_y(-16)
        self.set_font("Text", size=9)
        self.set_text_color(*MUTED)
        self.cell(self.epw - 30, 5, self._shorten(self.known(self._foot), self.epw - 34), align="L")
        self.cell(30, 5, f"Page {self.page_no()} / {{nb}}", align="R", new_x=XPos.LMARGIN, new_y=YPos.NEXT)
        self.cell(0, 5, f"Vos données\u00a0: {settings().public_url}{PRIVACY}", align="L")

    def paragraph(self, text: str, size: int, *, font: str = "Text", muted: bool = False) -> None:
        """A text over the whole width."""
        self.set_font(font, size=size)
        self.set_text_color(*(MUTED if muted else INK))
        self.multi_cell(0, size * 0.5, self.known(text), align="L", new_x=XPos.LMARGIN, new_y=YPos.NEXT)

    def people(
        self, columns: Sequence[tuple[str, int]], rows: Sequence[Sequence[str]], *, spare: int = SPARE_ROWS
    ) -> None:
        """A table, and `spare` empty rows to write on; its head comes again on each page."""
        self.set_font("Text", size=_SIZE)
        self.set_text_color(*INK)
        shares = [width for _, width in columns]
        rooms = [self.epw * share / sum(shares) - 4 for share in shares]
        self.set_draw_color(*LINE)
        with self.table(
            col_widths=tuple(shares),
            headings_style=FontFace(emphasis="", color=INK, fill_color=SOFT),
            borders_layout=TableBordersLayout.HORIZONTAL_LINES,
            text_align="LEFT",
            line_height=5,
            padding=(2, 1),
            min_row_height=10,
        ) as table:
            for cells in ([head for head, _ in columns], *rows, *[[""] * len(columns)] * spare):
                row = table.row()
                for text, room in zip(map(self.known, cells), rooms, strict=True):
                    row.cell(text, style=self._fitting(text, room))

    def fit(
        self, text: str, width: float, largest: float, *, height: float = 1000, lines: int = 3
    ) -> tuple[float, list[str]]:
        """The size in points, at most `largest`, at which a text has room in a box, in millimetres; and its lines.

        The text is never cut: it gets as small as it must, in as many lines as make it largest. Where that is hard to
        read, it is broken after hyphens, and as a last resort within a word. Measured in the font that is set.
        """
        whole = self.known(text)
        best = (0.0, [whole])
        for pieces in (_split_words(whole), _split_words(whole, _HYPHEN), _split_words(whole, _letters(whole, lines))):
            found = (self._arrange(pieces, count) for count in range(1, min(lines, len(pieces)) + 1))
            sizes = [
                (min(largest, width / self._width_of_a_point(*each), height / (len(each) * LINE_HEIGHT)), each)
                for each in found
            ]
            best = max(best, *sizes, key=lambda size: size[0])
            if best[0] >= min(largest, _READABLE):
                break
        return best

    def _arrange(self, pieces: Sequence[str], count: int) -> list[str]:
        """Pieces of a text in that many lines, of which the widest is as narrow as can be."""
        wide = [self._width_of_a_point(piece) for piece in pieces]
        reach: dict[tuple[int, int], tuple[float, tuple[int, ...]]] = {
            (1, end): (sum(wide[:end]), (0, end)) for end in range(1, len(pieces) + 1)
        }
        for line in range(2, count + 1):
            for end in range(line, len(pieces) + 1):
                reach[line, end] = min(
                    (max(reach[line - 1, begin][0], sum(wide[begin:end])), (*reach[line - 1, begin][1], end))
                    for begin in range(line - 1, end)
                )
        return ["".join(pieces[begin:end]).strip() for begin, end in pairwise(reach[count, len(pieces)][1])]

    def lines(self, texts: Sequence[str], x: float, y: float, size: float, *, colour: Sequence[int] = INK) -> float:
        """Write lines from their top left corner, in the font that is set.

        Returns:
            Where the next line would begin.
        """
        self.set_font_size(size)
        self.set_text_color(*colour)
        for text in texts:
            self.text(x, y + size * _ASCENT, text)
            y += size * LINE_HEIGHT
        return y

    def _width_of_a_point(self, *lines: str) -> float:
        """The width of the widest line in the font that is set, in millimetres for each point of size."""
        self.set_font_size(100)
        return max(0.001, *map(self.get_string_width, lines)) / 100

    def _fitting(self, text: str, room: float) -> FontFace | None:
        """Smaller letters where a word is longer than its column is wide; one that is longer still is broken."""
        widest = max(map(self.get_string_width, _BREAK.split(text)))
        return FontFace(size_pt=max(_SMALLEST, _SIZE * room / widest)) if widest > room else None

    def _shorten(self, text: str, room: float) -> str:
        """As much of a text as has room in the font that is set, with an ellipsis for what has not."""
        if self.get_string_width(text) <= room:
            return text
        end = next(end for end in range(len(text), -1, -1) if self.get_string_width(f"{text[:end]}…") <= room)
        return f"{text[:end].rstrip()}…"

    def known(self, text: str) -> str:
        """The text in letters the fonts have.

        Of several accents those they lack are dropped, a letter they lack becomes '?', a picture is left out.
        """
        letters = self.fonts["text"].cmap  # pyright: ignore[reportAttributeAccessIssue]
        whole = unicodedata.normalize("NFC", " ".join(text.split())).translate(_RIGHTLY)
        return "".join(_in_font(sign, letters) for sign in whole)


def _split_words(text: str, *places: str) -> list[str]:
    """The words of a text, each with the space behind it, split at the empty matches of `places` too."""
    return re.split("|".join((r"(?<= )", *places)), text)


def _letters(text: str, lines: int) -> str:
    """The places within a word that is longer than its share of the lines."""
    share = ceil(len(text) / lines)
    return rf"(?<=\S{{{share}}})(?=\S)"


def _in_font(sign: str, letters: Container[int]) -> str:
    if ord(sign) in letters:
        return sign
    bare, *accents = unicodedata.normalize("NFKD", sign)
    for kept in range(len(accents), -1, -1):
        letter = unicodedata.normalize("NFC", "".join([bare, *accents[:kept]]))
        if len(letter) == 1 and ord(letter) in letters:
            return letter
    return "" if unicodedata.category(sign)[0] in "CMS" else "?"
