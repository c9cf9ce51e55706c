"""Finding records by words: case and accents do not count, nor does a slip of the keyboard (C6).

A query word finds, best first: the same word, a word that begins with it, a word of its family ('plombier' and
'plomberie'), a word that is nearly it. Every word of a query must find something in a record.
"""

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from clubapp.text.collation import fold

LONGEST_QUERY = 100
_MOST_WORDS = 8
_SAME, _BEGINS, _FAMILY, _NEAR = range(4)
# A cost is the way a word was found, then the field it was found in: no record has this many fields.
_WAY = 100
# One slip in a word of five letters, two in a word of eight; what is still being typed is compared from seven on.
_ONE_SLIP, _TWO_SLIPS, _UNFINISHED = 5, 8, 7
_SHORTEST_STEM = 4
_WORD = re.compile(r"[^\W_]+")
_EMPTY_WORDS = {
    "a", "au", "aux", "d", "de", "des", "du", "en", "et", "l", "la", "le", "les", "ou", "par", "pour", "sur", "un",
    "une",
}  # fmt: skip
# Longest first: what two trades' names of one root differ by.
_ENDINGS = (
    "abilite", "atrice", "ateur", "ation", "ement", "ienne", "able", "ance", "erie", "euse", "iere", "ique", "isme",
    "iste", "rice", "age", "eur", "ien", "ier", "ion", "ite", "ive", "ure", "er", "if", "e",
)  # fmt: skip

Fields = tuple[str, ...]


@dataclass(frozen=True)
class _Index:
    """Where each word stands: record and field. `words` is sorted; `families` are the words of one stem."""

    words: Sequence[str]
    places: Mapping[str, Sequence[tuple[int, int]]]
    families: Mapping[str, Sequence[str]]


def find(records: Sequence[Fields], query: str) -> list[int]:
    """The places of the records that hold every word of a query, best first; equals keep their order.

    The fields of a record stand in order of weight. A query without words finds everything.
    """
    wanted = words_of(query)
    if not wanted:
        return list(range(len(records)))
    index = _index(tuple(records))
    costs = [_costs(index, word) for word in wanted]
    found = set(costs[0]).intersection(*costs[1:])
    return sorted(found, key=lambda place: _rank([cost[place] for cost in costs], place))


def words_of(query: str) -> list[str]:
    """The words of a query that count; articles and the like only when there is nothing else."""
    words = list(dict.fromkeys(_WORD.findall(fold(query[:LONGEST_QUERY]))))[:_MOST_WORDS]
    return [word for word in words if word not in _EMPTY_WORDS] or words


def _rank(costs: list[int], place: int) -> tuple[int, int, int]:
    return max(costs) // _WAY, sum(costs), place


@lru_cache(maxsize=8)
def _index(records: tuple[Fields, ...]) -> _Index:
    places: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for place, fields in enumerate(records):
        # From the last field to the first: a word in two fields counts in the one that weighs more.
        where = {word: at for at in reversed(range(len(fields))) for word in _WORD.findall(fold(fields[at]))}
        for word, at in where.items():
            places[word].append((place, at))
    families: dict[str, list[str]] = defaultdict(list)
    for word in places:
        families[_stem(word)].append(word)
    return _Index(sorted(places), places, families)


def _costs(index: _Index, wanted: str) -> dict[int, int]:
    """The records that a query word finds, each with the least cost."""
    costs: dict[int, int] = {}
    for word, way in _matches(index, wanted).items():
        for place, at in index.places[word]:
            cost = way * _WAY + at
            costs[place] = min(cost, costs.get(place, cost))
    return costs


def _matches(index: _Index, wanted: str) -> dict[str, int]:
    """The words that a query word finds, each with the best of the four ways."""
    ways = dict.fromkeys(_near(index.words, wanted), _NEAR)
    ways |= dict.fromkeys(index.families.get(_stem(wanted), ()), _FAMILY)
    ways |= dict.fromkeys(_beginning(index.words, wanted), _BEGINS)
    return ways | ({wanted: _SAME} if wanted in index.places else {})


def _beginning(words: Sequence[str], wanted: str) -> Sequence[str]:
    return words[bisect_left(words, wanted) : bisect_left(words, wanted + chr(0x10FFFF))]


def _near(words: Sequence[str], wanted: str) -> list[str]:
    """The words a slip or two away: a letter too many, missing, wrong, or two exchanged."""
    length = len(wanted)
    if length < _ONE_SLIP:
        return []
    slips = 1 if length < _TWO_SLIPS else 2
    found = _within(words, wanted, slips, words)
    if length >= _UNFINISHED:
        for end in range(length - 1, length + 2):
            found += _within(words, wanted, 1, [word[:end] for word in words])
    return found


def _within(words: Sequence[str], wanted: str, slips: int, compared: Sequence[str]) -> list[str]:
    from rapidfuzz import process  # a start of the site does without it
    from rapidfuzz.distance import OSA

    near = process.extract(wanted, compared, scorer=OSA.distance, score_cutoff=slips, limit=None)
    return [words[place] for _, _, place in near]


@lru_cache(maxsize=32768)
def _stem(word: str) -> str:
    """What the words of a trade share: 'plomb' for 'plombier' and 'plomberie', 'logist' for 'logisticiens'."""
    singular = word[:-1] if word[-1] in "sx" and len(word) > _SHORTEST_STEM else word
    long_enough = len(singular) - _SHORTEST_STEM
    ending = next((one for one in _ENDINGS if len(one) <= long_enough and singular.endswith(one)), "")
    stem = singular.removesuffix(ending)
    if stem.endswith("ic") and len(stem) > _SHORTEST_STEM + 1:
        stem = stem[:-2]
    return stem[:-1] if len(stem) > _SHORTEST_STEM and stem[-1] == stem[-2] else stem
