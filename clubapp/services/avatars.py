"""The image of who has none: initials on one of eight grounds (specification, sections 3 and 9)."""

import re
import zlib
from urllib.parse import quote

GROUNDS = ("#8A3122", "#2F5D62", "#5B4B8A", "#7A5C1E", "#1F6F54", "#9B3D66", "#3B5B92", "#5B6472")
COMPANY_GROUND = "#1B2430"
PERSON_LETTERS, COMPANY_LETTERS = 2, 3
ADDRESS = "/avatars"

_WORD = re.compile(r"[^\W_]+")


def initials(name: str) -> str:
    """'ZL' for 'Zoé Lefèbvre', 'PH' for 'Paul-Henri Dewaele'."""
    return _initials(name, PERSON_LETTERS)


def company_initials(name: str) -> str:
    """'NLT' for 'Nord Logis Transport', 'SEC' for 'Securinord'."""
    return _initials(name, COMPANY_LETTERS)


def ground(name: str) -> int:
    """Which of the eight grounds a name has; always the same one."""
    return zlib.crc32(name.strip().casefold().encode("utf-8", "surrogatepass")) % len(GROUNDS)


def person_image(name: str) -> str:
    """Where the initials image of a person is."""
    return f"{ADDRESS}/{quote(initials(name))}-{ground(name)}.png"


def company_image(name: str) -> str:
    """Where the initials image of a company is."""
    return f"{ADDRESS}/{quote(company_initials(name))}.png"


def _initials(name: str, letters: int) -> str:
    words = _WORD.findall(name)
    taken = words[0][:letters] if len(words) == 1 else "".join(word[0] for word in words[:letters])
    # Some letters, such as the German one, have capitals of two letters.
    return taken.upper()[:letters] or "?"
