"""Which trades are near: whether two terms, such as 'couvreur zingueur' and 'travaux de couverture', name one trade."""

import re
from collections.abc import Sequence
from functools import lru_cache

from clubapp.services.base.search import fold, split_words, word_families

NEAR = 82  # of 100, by rapidfuzz; reached by 'plomberie' and 'plombier', 'nettoyage de vitres' and 'nettoyage vitres'
CONTAINED = 90  # one names all the words of the other: 'charpente' and 'charpente bois'
# Roles that say what part of a company somebody leads, not what the company does.
_DEPARTMENT = re.compile(
    r"\b(direct(eur|rice)|responsable|chargee?|chef(fe)?|adjointe?|manager|commerciale?|assistante?|secretaire|salariee?)\b"
)
# Words for what is done to anything or where, such as 'installation': they name no trade.
_ACTIVITIES = (
    "accompagnement", "achat", "agence", "agencement", "amenagement", "analyse", "assistance", "assistant", "atelier",
    "audit", "bureau", "cabinet", "chantier", "charge", "commerce", "conception", "conseil", "construction",
    "consultant", "creation", "depannage", "developpement", "diagnostic", "directeur", "distribution", "entreprise",
    "entretien", "etude", "expert", "expertise", "exploitation", "fabrication", "formation", "fourniture", "gestion",
    "ingenierie", "installation", "intervention", "location", "maintenance", "maison", "mise", "mission", "montage",
    "negoce", "offre", "organisation", "particulier", "pose", "prestation", "production", "projet", "realisation",
    "renovation", "reparation", "responsable", "service", "societe", "solution", "strategie", "suivi", "technicien",
    "traitement", "travaux", "vente",
)  # fmt: skip
_JOINTS = re.compile(r"[,;/&·–]| et | - ")
_RANKS = {
    "associe", "associee", "ceo", "cofondateur", "cofondatrice", "dg", "dirigeant", "dirigeante", "fondateur",
    "fondatrice", "general", "generale", "gerant", "gerante", "patron", "patronne", "pdg", "president", "presidente",
}  # fmt: skip


def compare_terms(mine: Sequence[str], theirs: Sequence[str]) -> tuple[int, list[str]]:
    """How similar two lists of terms are, from 0 to 100, and which of `theirs` are similar."""
    known = {_parts(term): term for term in theirs if _plain(term)}
    wanted = {_parts(term) for term in mine if _plain(term)}
    if not known or not wanted:
        return 0, []
    best = [max((_closeness(term, other), other) for other in known) for term in wanted]
    near = [(score, other) for score, other in best if score >= NEAR]
    score = round(sum(score for score, _ in near) / min(len(wanted), len(known)))
    return min(100, max(1, score) if near else 0), sorted({known[other] for _, other in near}, key=fold)


def _closeness(one: Sequence[str], other: Sequence[str]) -> float:
    return max(_score(mine, theirs) for mine in one for theirs in other)


@lru_cache(maxsize=8192)
def _parts(term: str) -> tuple[str, ...]:
    """A term and, of 'couverture et étanchéité', each of the trades that it joins, for comparison."""
    joined = [_plain(part) for part in _JOINTS.split(term)]
    return tuple(dict.fromkeys(part for part in (_plain(term), *joined) if part))


def _score(one: str, other: str) -> float:
    from rapidfuzz import fuzz  # imported late: the start of the site does not need it

    words, others = _families(one), _families(other)
    contained = CONTAINED if _names_all(words, others) or _names_all(others, words) else 0
    of_one_trade = NEAR if _share_a_trade(_telling_words(one), _telling_words(other)) else 0
    return max(contained, of_one_trade, fuzz.token_sort_ratio(one, other))


def _share_a_trade(words: Sequence[frozenset[str]], others: Sequence[frozenset[str]]) -> bool:
    """Whether one names the trade that the other begins with, as 'plombier chauffagiste' and 'pose de chauffage' do."""
    return bool(words and others) and (_names(words, others[0]) or _names(others, words[0]))


@lru_cache(maxsize=8192)
def _telling_words(term: str) -> tuple[frozenset[str], ...]:
    """The families of the words of a term that say more than an activity."""
    return tuple(family for family in _families(term) if not _names(_activities(), family))


@lru_cache(maxsize=1)
def _activities() -> tuple[frozenset[str], ...]:
    return word_families(_ACTIVITIES)


def _names(words: Sequence[frozenset[str]], other: frozenset[str]) -> bool:
    return any(word & other for word in words)


def _names_all(words: Sequence[frozenset[str]], others: Sequence[frozenset[str]]) -> bool:
    """Whether each of `others` is, or is of the family of, one of `words`."""
    return all(_names(words, other) for other in others)


@lru_cache(maxsize=8192)
def _families(term: str) -> tuple[frozenset[str], ...]:
    """The stems of each word, so that 'couvreur' and 'couverture' are alike."""
    return word_families(term.split())


@lru_cache(maxsize=8192)
def find_trades(role: str) -> tuple[str, ...]:
    """The trades that a role names: 'Couvreur', or 'menuiserie' for 'Gérante, menuiserie'; none for a mere rank."""
    if _DEPARTMENT.search(fold(role)):
        return ()
    parts = (
        [word for word in re.findall(r"[\w’'-]+", part) if not _RANKS & set(split_words(word))]
        for part in _JOINTS.split(role)
    )
    return tuple(" ".join(words) for words in parts if words and _plain(" ".join(words)))


def _plain(term: str) -> str:
    """A term without case, accents and articles, for comparison."""
    return " ".join(split_words(term))
