"""The image of who has none: initials on one of eight grounds."""

import re
import unicodedata
import zlib
from functools import lru_cache
from urllib.parse import quote

GROUNDS = ("#8A3122", "#2F5D62", "#5B4B8A", "#7A5C1E", "#1F6F54", "#9B3D66", "#3B5B92", "#5B6472")
COMPANY_GROUND = "#1B2430"
PERSON_LETTERS, COMPANY_LETTERS = 2, 3
ADDRESS = "/avatars"

# What an address says in place of letters, when a name has none that can be drawn.
PERSON_SHAPE, COMPANY_SHAPE = "personne", "entreprise"
# What the bundled typeface holds: the capitals and figures of European languages in Latin script.
DRAWN = frozenset(
    "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖØÙÚÛÜÝÞ"
    "ĀĂĄĆĈĊČĎĐĒĖĘĚĜĞĠĢĤĦĪĮİĲĴĶĹĻĽŁŃŅŇŊŌŐŒŔŖŘŚŜŞŠŤŪŬŮŰŲŴŶŸŹŻŽǍȘȚẞ"
)

_WORD = re.compile(r"[^\W_]+")


def initials(name: str) -> str:
    """'ZL' for 'Zoé Lefèbvre', 'PH' for 'Paul-Henri Dewaele'; nothing for a name without Latin letters."""
    return _initials(name, PERSON_LETTERS)


def company_initials(name: str) -> str:
    """'NLT' for 'Nord Logis Transport', 'SEC' for 'Securinord'."""
    return _initials(name, COMPANY_LETTERS)


def ground(name: str) -> int:
    """Which of the eight grounds a name has; always the same one."""
    return zlib.crc32(name.strip().casefold().encode("utf-8", "surrogatepass")) % len(GROUNDS)


def person_image(name: str) -> str:
    """Where the initials image of a person is."""
    return f"{ADDRESS}/{quote(initials(name)) or PERSON_SHAPE}-{ground(name)}.png"


def company_image(name: str) -> str:
    """Where the initials image of a company is."""
    return f"{ADDRESS}/{quote(company_initials(name)) or COMPANY_SHAPE}.png"


def drawable(letters: str) -> str:
    """Those of the letters that can be drawn, as capitals; a letter that the typeface lacks loses its accent."""
    return "".join(_nearest(letter) for letter in letters.upper())


@lru_cache(maxsize=2048)
def _initials(name: str, letters: int) -> str:
    words = _WORD.findall(name)
    taken = words[0][:letters] if len(words) == 1 else "".join(word[0] for word in words[:letters])
    # Some letters, such as the German one, have capitals of two letters.
    return drawable(taken)[:letters]


def _nearest(letter: str) -> str:
    bare = unicodedata.normalize("NFKD", letter)[:1]
    return next((candidate for candidate in (letter, bare) if candidate in DRAWN), "")
