"""Text as sorting and searching compare it."""

import unicodedata
from functools import lru_cache


@lru_cache(maxsize=8192)
def fold(text: str) -> str:
    """No case, no accents (C6)."""
    opened = text.replace("œ", "oe").replace("Œ", "Oe").replace("æ", "ae").replace("Æ", "Ae")
    bare = (character for character in unicodedata.normalize("NFKD", opened) if not unicodedata.combining(character))
    return "".join(bare).casefold().strip()
