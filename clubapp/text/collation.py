"""Text as sorting and searching compare it."""

import unicodedata
from collections.abc import Callable, Iterable
from functools import lru_cache
from operator import attrgetter
from typing import TypeVar

T = TypeVar("T")
_ALIKE = str.maketrans({"œ": "oe", "Œ": "Oe", "æ": "ae", "Æ": "Ae", "’": "'"})


@lru_cache(maxsize=8192)
def fold(text: str) -> str:
    """No case, no accents (C6); both apostrophes are one."""
    opened = text.translate(_ALIKE)
    bare = (character for character in unicodedata.normalize("NFKD", opened) if not unicodedata.combining(character))
    return "".join(bare).casefold().strip()


def sort_by_name(found: Iterable[T], name: Callable[[T], str] = attrgetter("name")) -> list[T]:
    """In the order of their names; those of one name keep theirs."""
    return sorted(found, key=lambda one: fold(name(one)))
