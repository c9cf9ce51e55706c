"""First and last name of a person whose name is kept in one piece."""

_TITLES = ("m", "mr", "mme", "mlle", "dr", "me", "maître", "madame", "monsieur", "docteur")


def guess_first_name(name: str) -> str:
    """The likely first name: 'Jean-François' of 'Jean-François Boulinguez', 'Zoé' of 'LEFÈBVRE Zoé'.

    A title is no name, and a family name in capitals may come first. Empty only for an empty name.
    """
    words = [word for word in name.split() if word.strip(".").lower() not in _TITLES] or name.split()
    return next((word for word in words if not _is_capitals(word)), words[0] if words else "")


def first_name(name: str, known: str = "") -> str:
    """The first name: the `known` one, else the guessed one."""
    return known.strip() or guess_first_name(name)


def last_name(name: str, known: str = "") -> str:
    """The name without its first name; empty when nothing else is left.

    A `known` one that is no part of the name, such as a nickname, stands for the guessed one.
    """
    words = [word for word in name.split() if word.strip(".").lower() not in _TITLES]
    rest = _without(words, first_name(name, known).split())
    if rest is None:
        rest = _without(words, guess_first_name(name).split()) or words
    return " ".join(rest)


def _without(words: list[str], first: list[str]) -> list[str] | None:
    """The words without those of a first name; None when they are not there."""
    wanted = [word.casefold() for word in first]
    for start in range(len(words) - len(first) + 1):
        if first and [word.casefold() for word in words[start : start + len(first)]] == wanted:
            return words[:start] + words[start + len(first) :]
    return None


def _is_capitals(word: str) -> bool:
    return len(word) > 1 and word.isupper() and not word.endswith(".")
