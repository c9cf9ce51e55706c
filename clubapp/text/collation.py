"""The form of a text by which sorting and searching compare it."""

import unicodedata
from collections.abc import Callable, Iterable
from functools import lru_cache
from operator import attrgetter
from typing import TypeVar

T = TypeVar("T")
# Letters that Unicode does not take apart.
_REPLACED = str.maketrans("łŁđĐøØı’", "lLdDoOi'") | str.maketrans({"œ": "oe", "Œ": "Oe", "æ": "ae", "Æ": "Ae"})


@lru_cache(maxsize=8192)
def fold(text: str) -> str:
    """The text without case and accents (C6), with 'oe' for 'œ', 'l' for 'ł' and one kind of apostrophe."""
    replaced = text.translate(_REPLACED)
    bare = (character for character in unicodedata.normalize("NFKD", replaced) if not unicodedata.combining(character))
    return "".join(bare).casefold().strip()


def sort_by_name(items: Iterable[T], name: Callable[[T], str] = attrgetter("name")) -> list[T]:
    """The items in the alphabetical order of their names; equal names keep their order."""
    return sorted(items, key=lambda item: fold(name(item)))
