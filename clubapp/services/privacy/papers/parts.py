"""What a paper is made of, whatever the format it is written in."""

from dataclasses import dataclass

# What the club fills in by hand; drawn so that it is seen.
BLANK = "[à compléter]"
BOX = "☐"


@dataclass(frozen=True)
class Heading:
    """The title of a part."""

    text: str


@dataclass(frozen=True)
class Paragraph:
    """A text over the whole width."""

    text: str


@dataclass(frozen=True)
class Points:
    """A list; with `to_tick` each point has a box before it."""

    items: tuple[str, ...]
    to_tick: bool = False


@dataclass(frozen=True)
class FactList:
    """Questions and their answers, in two columns. An empty answer is a blank."""

    rows: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Table:
    """A table with a head; an empty cell is one to write in."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class SignatureBox:
    """Where it is dated and signed, by whom."""

    who: str


@dataclass(frozen=True)
class NewPage:
    """What follows begins on a new page."""


Part = Heading | Paragraph | Points | FactList | Table | SignatureBox | NewPage


@dataclass(frozen=True)
class Paper:
    """A paper: the name of its files without extension, its title, a sentence under it, and its parts."""

    name: str
    title: str
    lead: str
    parts: tuple[Part, ...]


def split_at_blanks(text: str) -> list[str]:
    """The pieces of a text between its blanks: one when it has none."""
    return text.split(BLANK)


def or_blank(text: str) -> str:
    """The text, or the blank in its place."""
    return text.strip() or BLANK


def share_widths(table: Table) -> tuple[int, ...]:
    """The widths of columns, by the longest text of each, so that a narrow one is still legible."""
    columns = zip(table.head, *table.rows, strict=True)
    return tuple(min(40, max(12, *(len(cell) for cell in column))) for column in columns)
