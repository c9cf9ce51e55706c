"""What the event form sends is turned into a form without trusting it; rows move one step and stay whole."""

import json
from typing import Any

import pytest

from clubapp.pages.admin.events.form_values import event_form, move_row, speaker_rows
from clubapp.services.base.form_fields import LONGEST_BLOCK, LONGEST_LINE
from clubapp.services.events.form import LONGEST_BIO, MAX_SPEAKERS, EventForm, SpeakerForm
from clubapp.serving.server import LARGEST_MESSAGE

ROWS = speaker_rows([SpeakerForm("Anne"), SpeakerForm("Bruno"), SpeakerForm("Chloé")])


def test_the_columns_of_the_speakers_become_their_rows_in_order() -> None:
    entries = {
        "title": "Matinale",
        "has_lunch": "on",
        "speaker_name": ["Anne", "", "Chloé"],
        "speaker_company": ["Filature", "Personne", ""],
        "speaker_role": ["", "", "Directrice"],
        "speaker_bio": ["", "", "Bio"],
    }
    form = event_form(entries)
    assert (form.title, form.has_lunch) == ("Matinale", True)
    assert form.speakers == (
        SpeakerForm("Anne", "Filature"),
        SpeakerForm("", "Personne"),
        SpeakerForm("Chloé", "", "Directrice", "Bio"),
    )


def test_one_speaker_is_one_row_and_an_unticked_box_is_no() -> None:
    form = event_form({"speaker_name": "Anne", "speaker_company": "", "speaker_role": "", "speaker_bio": ""})
    assert form.speakers == (SpeakerForm("Anne"),)
    assert form.has_lunch is False


@pytest.mark.parametrize("forged", [None, "x", 3, [], [["title", "x"]], {"title": {"a": 1}, "speaker_name": 7}])
def test_a_forged_call_reads_as_an_empty_form(forged: Any) -> None:
    assert event_form(forged) == EventForm(status="", has_lunch=False, speakers=())


@pytest.mark.parametrize(
    ("place", "step", "names"),
    [(0, 1, "BAC"), (2, -1, "ACB"), (0, -1, "ABC"), (2, 1, "ABC"), (1, 5, "ABC"), (1, "1", "ABC"), (1, None, "ABC")],
)
def test_a_row_moves_one_step_and_not_over_the_end(place: int, step: Any, names: str) -> None:
    assert "".join(row.name[0] for row in move_row(ROWS, ROWS[place].key, step)) == names


def test_a_row_that_is_gone_moves_nothing() -> None:
    assert move_row(ROWS, "gone", 1) == ROWS


def text(length: int) -> str:
    """A text in paragraphs: each end of a line takes two characters on its way."""
    return (f"{'é' * 79}\n" * (length // 80 + 1))[:length]


def test_the_longest_event_goes_into_one_message() -> None:
    lines = dict.fromkeys(("title", "location", "address"), text(LONGEST_LINE))
    columns = dict.fromkeys(("speaker_name", "speaker_company", "speaker_role"), [text(LONGEST_LINE)] * MAX_SPEAKERS)
    entries = lines | columns | {"description": text(LONGEST_BLOCK), "speaker_bio": [text(LONGEST_BIO)] * MAX_SPEAKERS}
    assert len(json.dumps(entries, ensure_ascii=False)) < 0.95 * LARGEST_MESSAGE
