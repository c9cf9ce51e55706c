"""What a kept form sends is read without trusting it."""

from typing import Any

import pytest

from clubapp.ui.react.forms.draft_form import text_of, texts_of

FORGED: list[Any] = [None, [], "x", 3, {"name": None}, {"name": {"a": 1}}, {"name": [[], 4]}]


@pytest.mark.parametrize("entries", FORGED)
def test_what_a_forged_call_sends_reads_as_an_empty_field(entries: Any) -> None:
    assert text_of(entries, "name") == ""
    assert texts_of(entries, "name") == []


def test_a_name_that_stands_on_several_fields_keeps_their_order() -> None:
    entries = {"title": "Matinale", "speaker_name": ["Zoé", "", "Éric"]}
    assert texts_of(entries, "speaker_name") == ["Zoé", "", "Éric"]
    assert texts_of(entries, "title") == ["Matinale"]
    assert text_of(entries, "speaker_name") == "Zoé"
    assert texts_of(entries, "has_lunch") == []
