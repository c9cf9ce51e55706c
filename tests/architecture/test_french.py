"""What people read is set as French is: ’ for the apostrophe, no line broken before : ; ? ! » or after «, 'e-mail'."""

import re

import pytest

from tests.architecture.specified_texts import CODE, SPECIFIED
from tests.architecture.visible_texts import HOLE, list_texts

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


def without_specified(text: str) -> str:
    """The text without what the specification gives letter for letter."""
    for given in SPECIFIED:
        pattern = re.sub(r"\\\{\w*\\\}", "[^.]{1,80}?", re.escape(given))
        text = re.sub(pattern, "", text)
    return text


@pytest.mark.parametrize("rule", MISTAKES)
def test_texts_are_set_as_french_is(rule: str) -> None:
    """Texts of the specification are the exception: name a new one in specified_texts.py."""

    def is_wrong(text: str) -> bool:
        return text not in CODE and re.search(MISTAKES[rule], without_specified(text)) is not None

    wrong = [f"{place}: {text!r}" for place, text in list_texts() if is_wrong(text)]
    assert wrong == []


@pytest.mark.parametrize("given", SPECIFIED)
def test_the_exceptions_are_in_use(given: str) -> None:
    """Fails when a text of the list is no longer shown: the list keeps no dead exception."""
    pattern = re.compile(re.sub(r"\\\{\w*\\\}", ".{1,80}?", re.escape(given)))
    assert any(pattern.search(text) for _, text in list_texts())
