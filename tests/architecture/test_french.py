"""What people read is set as French is: ’ for the apostrophe, no line broken before : ; ? ! » or after «, 'e-mail'."""

import re
from functools import cache, reduce

import pytest

from tests.architecture.specified_texts import CODE, SPECIFIED
from tests.architecture.visible_texts import HOLE, Visible, list_texts

LETTER = "A-Za-zÀ-ÖØ-öø-ÿŒœ"
NEXT = rf"[{LETTER}«{{{HOLE}]"
BEFORE = ("un", "des", "les?", "cet", "ces", "par", "chaque", "aucun", "nouvel", "libres", "tous les")
MISTAKES = {
    "an apostrophe is ’": rf"(?<=[{LETTER}])'(?={NEXT})|(?<![{LETTER}])(?:[dljnmtscDLJNMTSC]|[qQ]u|[jJ]usqu)'$",
    "the space before : ; ? ! » % € does not break": r" [:;?!»%€](?![\w/=%}(.])",
    "the space after « does not break": "« ",
    "an ordinal is 1re, 2e": r"\d(?:[èe]re|[èe]me)\b",
    "the word is 'e-mail'": rf"(?:\b(?i:{'|'.join(BEFORE)}) |[ldLD]’)e?mails?\b|^(?:Email|Mail)s? (?=[a-zà-ÿ])",
    "the space within a number does not break": r"\d \d{3} [a-zà-ÿ]{3}",
}


def pattern_of(given: str, hole: str) -> re.Pattern[str]:
    """Matches a specified text whose holes, such as {name}, are filled."""
    return re.compile(re.sub(r"\\\{\w*\\\}", hole, re.escape(given)))


@cache
def shown_texts() -> list[Visible]:
    return list(list_texts())


@cache
def own_texts() -> list[tuple[str, str, str]]:
    """Where each text stands, the text, and what is left of it without what the specification gives."""
    specified = [pattern_of(given, "[^.]{1,80}?") for given in SPECIFIED]
    return [
        (place, text, reduce(lambda left, pattern: pattern.sub("", left), specified, text))
        for place, text in shown_texts()
        if text not in CODE
    ]


@pytest.mark.parametrize("rule", MISTAKES)
def test_texts_are_set_as_french_is(rule: str) -> None:
    """Texts of the specification are the exception: name a new one in specified_texts.py."""
    wrong = [f"{place}: {text!r}" for place, text, own in own_texts() if re.search(MISTAKES[rule], own)]
    assert wrong == []


@pytest.mark.parametrize("given", SPECIFIED)
def test_the_exceptions_are_in_use(given: str) -> None:
    """Fails when a text of the list is no longer shown: the list keeps no dead exception."""
    pattern = pattern_of(given, ".{1,80}?")
    assert any(pattern.search(text) for _, text in shown_texts())
