"""Word search over records, tolerant of case, accents and typing errors (C6).

A query word matches, best first: the same word, a word that begins with it, a word of the same family ('couvreur' and
'couverture'), a word within a small edit distance. A record matches when every query word does.

Two words are of one family when they share a stem: that of the Snowball algorithm for French, which knows inflections
('rénover', 'rénovation'), or that of the suffixes of trades, which it leaves apart ('plombier', 'plomberie').
"""

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from typing import Any

from clubapp.text.collation import fold, fold_long

LONGEST_QUERY = 100
_MOST_WORDS = 8
_SAME, _BEGINS, _FAMILY, _NEAR = range(4)
# A cost is the kind of match times this, plus the index of the field; no record has this many fields.
_WAY = 100
# Minimum word lengths: for one edit, for two edits, and for comparing with the beginning of longer words.
_ONE_SLIP, _TWO_SLIPS, _UNFINISHED = 5, 8, 7
_SHORTEST_STEM = 4
_WORD = re.compile(r"[^\W_]+")
_BETWEEN = "\x00"  # between fields: no stored text has it
_WORD_OR_END = re.compile(rf"{_WORD.pattern}|{_BETWEEN}")
_EMPTY_WORDS = {
    "a", "au", "aux", "avec", "d", "dans", "de", "des", "du", "en", "et", "est", "je", "l", "la", "le", "les", "mon",
    "nos", "notre", "nous", "ou", "par", "pour", "que", "qui", "sans", "ses", "son", "sur", "un", "une", "vos", "votre",
    "vous",
}  # fmt: skip
# Suffixes that differ between names of the same trade, longest first.
_ENDINGS = (
    "abilite", "atrice", "ateur", "ation", "ement", "ienne", "able", "ance", "eite", "erie", "euse", "iere", "ique",
    "isme", "iste", "rice", "age", "eur", "ien", "ier", "ing", "ion", "ite", "ive", "ure", "er", "if", "re", "e",
)  # fmt: skip
# The participles of 'couvrir', 'ouvrir', 'offrir', 'souffrir', as in 'couverture' and 'ouverture'.
_PARTICIPLE = re.compile(r"(?<=[a-z]{2})([vf])ert$")

Fields = tuple[str, ...]


@dataclass(frozen=True)
class _Index:
    """The record and field of each word. `words` is sorted; `families` groups words by stem."""

    words: Sequence[str]
    places: Mapping[str, Sequence[tuple[int, int]]]
    families: Mapping[str, Sequence[str]]


def find_records(records: Sequence[Fields], query: str, tie: Callable[[int], Any] = lambda place: place) -> list[int]:
    """The indexes of the records that match a query, best first; equal ones keep their order, or have that of `tie`.

    The fields of a record are given in order of weight. A query without words matches every record.
    """
    wanted = split_words(query)
    if not wanted:
        return list(range(len(records)))
    index = _index(_BETWEEN.join(chain.from_iterable(records)), tuple(map(len, records)))
    costs = [_costs(index, word) for word in wanted]
    found = set(costs[0]).intersection(*costs[1:])
    return sorted(found, key=lambda place: (*_rank([cost[place] for cost in costs]), tie(place)))


def split_words(query: str) -> list[str]:
    """Split a text into its folded words, without stop words unless there are no others."""
    words = list(dict.fromkeys(_WORD.findall(fold(query[:LONGEST_QUERY]))))[:_MOST_WORDS]
    return [word for word in words if word not in _EMPTY_WORDS] or words


def word_families(words: Sequence[str]) -> tuple[frozenset[str], ...]:
    """The stems of each folded word, and the word itself; two words are of one family when they share one."""
    return tuple(frozenset((word, *stems)) for word, stems in zip(words, _stems(list(words)), strict=True))


def _rank(costs: list[int]) -> tuple[int, int]:
    return max(costs) // _WAY, sum(costs)


@lru_cache(maxsize=8)
def _index(text: str, lengths: tuple[int, ...]) -> _Index:
    """The index of records of so many fields, all in one text: it is folded and cut into words at once."""
    fields = iter([(place, at) for place, count in enumerate(lengths) for at in range(count)])
    places: dict[str, list[tuple[int, int]]] = defaultdict(list)
    field = next(fields, (0, 0))
    for word in _WORD_OR_END.findall(fold_long(text)):
        if word == _BETWEEN:
            field = next(fields, field)
            continue
        found = places[word]
        # A word of two fields counts in the first, which is the heavier one.
        if not found or found[-1][0] != field[0]:
            found.append(field)
    families: dict[str, list[str]] = defaultdict(list)
    for word, stems in zip(places, _stems(list(places)), strict=True):
        for stem in stems:
            families[stem].append(word)
    return _Index(sorted(places), places, families)


def _costs(index: _Index, wanted: str) -> dict[int, int]:
    """The records that a query word matches, each with its lowest cost."""
    costs: dict[int, int] = {}
    for word, way in _matches(index, wanted).items():
        for place, at in index.places[word]:
            cost = way * _WAY + at
            costs[place] = min(cost, costs.get(place, cost))
    return costs


def _matches(index: _Index, wanted: str) -> dict[str, int]:
    """The indexed words that a query word matches, each with its best kind of match."""
    ways = dict.fromkeys(_near(index.words, wanted), _NEAR)
    for stem in _stems([wanted])[0]:
        ways |= dict.fromkeys(index.families.get(stem, ()), _FAMILY)
    ways |= dict.fromkeys(_beginning(index.words, wanted), _BEGINS)
    return ways | ({wanted: _SAME} if wanted in index.places else {})


def _beginning(words: Sequence[str], wanted: str) -> Sequence[str]:
    return words[bisect_left(words, wanted) : bisect_left(words, wanted + chr(0x10FFFF))]


def _near(words: Sequence[str], wanted: str) -> list[str]:
    """The words one or two edits away: insertion, deletion, substitution or transposition."""
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
    from rapidfuzz import process  # imported late: the start of the site does not need it
    from rapidfuzz.distance import OSA

    near = process.extract(wanted, compared, scorer=OSA.distance, score_cutoff=slips, limit=None)
    return [words[place] for _, _, place in near]


def _stems(words: list[str]) -> list[set[str]]:
    """The stems of each word."""
    from Stemmer import Stemmer  # imported late: the start of the site does not need it

    inflected = Stemmer("french").stemWords(words)  # one for each call, since threads cannot share it
    return [
        {_trade_stem(word), *([stem] if len(stem) >= _SHORTEST_STEM else [])}
        for word, stem in zip(words, inflected, strict=True)
    ]


@lru_cache(maxsize=32768)
def _trade_stem(word: str) -> str:
    """The stem of a trade's name: 'plomb' for 'plombier' and 'plomberie', 'couvr' for 'couvreur' and 'couverture'."""
    singular = word[:-1] if word[-1] in "sx" and len(word) > _SHORTEST_STEM else word
    long_enough = len(singular) - _SHORTEST_STEM
    ending = next((one for one in _ENDINGS if len(one) <= long_enough and singular.endswith(one)), "")
    stem = singular.removesuffix(ending)
    if stem.endswith("ic") and len(stem) > _SHORTEST_STEM + 1:
        stem = stem[:-2]
    stem = stem[:-1] if len(stem) > _SHORTEST_STEM and stem[-1] == stem[-2] else stem
    return _PARTICIPLE.sub(r"\1r", stem)
