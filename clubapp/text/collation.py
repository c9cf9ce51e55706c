"""The form of a text by which sorting and searching compare it."""

import unicodedata
from collections.abc import Callable, Iterable
from functools import lru_cache
from operator import attrgetter
from typing import TypeVar

T = TypeVar("T")
# Letters that Unicode does not take apart.
_REPLACED = {
    **{"œ": "oe", "Œ": "Oe", "æ": "ae", "Æ": "Ae", "’": "'"},
    **{"ł": "l", "Ł": "L", "đ": "d", "Đ": "D", "ø": "o", "Ø": "O", "ı": "i"},
}


@lru_cache(maxsize=8192)
def fold(text: str) -> str:
    """The text without case and accents (C6), with 'oe' for 'œ', 'l' for 'ł' and one kind of apostrophe."""
    return fold_long(text).strip()


def fold_long(text: str) -> str:
    """As `fold`, of a text that is too long to be kept, and with the white space at its ends."""
    for before, after in _REPLACED.items():
        text = text.replace(before, after)
    bare = unicodedata.normalize("NFKD", text)
    for mark in filter(unicodedata.combining, set(bare)):
        bare = bare.replace(mark, "")
    return bare.casefold()


def sort_by_name(items: Iterable[T], name: Callable[[T], str] = attrgetter("name")) -> list[T]:
    """The items in the alphabetical order of their names; equal names keep their order."""
    return sorted(items, key=lambda item: fold(name(item)))
