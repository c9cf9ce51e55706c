"""The image in place of a missing one: initials on one of eight background colours."""

import re
import unicodedata
import zlib
from functools import lru_cache
from urllib.parse import quote

from clubapp.settings import settings
from clubapp.text.collation import fold

GROUNDS = ("#8A3122", "#2F5D62", "#5B4B8A", "#7A5C1E", "#1F6F54", "#9B3D66", "#3B5B92", "#5B6472")
COMPANY_GROUND = "#1B2430"
PERSON_LETTERS, COMPANY_LETTERS = 2, 3
ADDRESS = "/avatars"

# In the URL, in place of initials when the name has no letter that can be drawn.
PERSON_SHAPE, COMPANY_SHAPE = "personne", "entreprise"
# The letters of the bundled font: capitals and digits of European languages in Latin script.
DRAWN = frozenset(
    "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖØÙÚÛÜÝÞ"
    "ĀĂĄĆĈĊČĎĐĒĖĘĚĜĞĠĢĤĦĪĮİĲĴĶĹĻĽŁŃŅŇŊŌŐŒŔŖŘŚŜŞŠŤŪŬŮŰŲŴŶŸŹŻŽǍȘȚẞ"
)

_LETTER = re.compile(r"[^\W_]")
# The bundled portrait of the person who leads the club.
ANIMATOR_PORTRAIT = "/animator.svg"


def person_initials(name: str) -> str:
    """'ZL' for 'Zoé Lefèbvre', 'PD' for 'Paul-Henri Dewaele'; nothing for a name without Latin letters."""
    return _initials(name, PERSON_LETTERS)


def company_initials(name: str) -> str:
    """'NLT' for 'Nord Logis Transport', 'SEC' for 'Securinord'."""
    return _initials(name, COMPANY_LETTERS)


def company_letters(name: str) -> str:
    """The first three letters of a name: 'LEB' for 'Le Bon Pain', as a list shows them."""
    return "".join(_LETTER.findall(name))[:COMPANY_LETTERS].upper()


def is_animator(name: str) -> bool:
    """Whether this is the name of the person who leads the club, whatever its case and accents."""
    return fold(" ".join(name.split())) == fold(" ".join(settings().animator_name.split()))


def pick_ground(name: str) -> int:
    """The background colour of a name, from 0 to 7; always the same one."""
    return zlib.crc32(name.strip().casefold().encode("utf-8", "surrogatepass")) % len(GROUNDS)


def person_image_url(name: str) -> str:
    """The URL of the image of a person without a photograph: their initials, or the animator's bundled portrait."""
    if is_animator(name):
        return ANIMATOR_PORTRAIT
    return f"{ADDRESS}/{quote(person_initials(name)) or PERSON_SHAPE}-{pick_ground(name)}.png"


def company_image_url(name: str) -> str:
    """The URL of a company's initials image."""
    return f"{ADDRESS}/{quote(company_initials(name)) or COMPANY_SHAPE}.png"


def keep_drawable(letters: str) -> str:
    """Capitalise letters and drop those the font cannot draw; a letter that it lacks loses its accent."""
    return "".join(_nearest(letter) for letter in letters.upper())


@lru_cache(maxsize=2048)
def _initials(name: str, letters: int) -> str:
    words = [found for word in name.split() if (found := _LETTER.findall(word))]
    taken = "".join(words[0][:letters] if len(words) == 1 else [word[0] for word in words[:letters]])
    # Some letters, such as 'ß', have two letters as capitals.
    return keep_drawable(taken)[:letters]


def _nearest(letter: str) -> str:
    bare = unicodedata.normalize("NFKD", letter)[:1]
    return next((candidate for candidate in (letter, bare) if candidate in DRAWN), "")
