"""What is typed is cleaned the same way in every form."""

import pytest

from clubapp.services.base.form_fields import clean_block, clean_line


@pytest.mark.parametrize(
    "unseen", ["", " ", "\u200b\u200b", "\u00a0\ufeff", "\u2060\u00ad\n", "\u3164", "\u2800", "\u200f\ufe0f"]
)
def test_a_text_of_which_nothing_can_be_seen_is_empty(unseen: str) -> None:
    assert (clean_line(unseen), clean_block(unseen)) == ("", "")


@pytest.mark.parametrize("seen", ["Zoé Lefèbvre", "Л", "王", "👩\u200d💻", "می\u200cخواهم", "…"])
def test_what_can_be_seen_stays_as_it_is_typed(seen: str) -> None:
    assert (clean_line(f" {seen} "), clean_block(f"{seen}\r\n")) == (seen, seen)


def test_what_no_file_can_hold_and_what_turns_a_text_around_goes() -> None:
    """Fails when one name makes the export of an event fail, or a letter reads backwards."""
    assert clean_line("Zo\ufffeé\uffff Ly\x07s\u202e\u2066\ud800") == "Zoé Lys"
    assert (clean_line("Zoé\x0bLys"), clean_block("une\x0bdeux\x85trois")) == ("Zoé Lys", "une\ndeux\ntrois")


def test_the_spaces_of_french_stay_before_and_after_their_signs() -> None:
    assert (
        clean_line(" Merci\u00a0: «\u00a0la   soirée\u202f»  \u00a0! ") == "Merci\u00a0: «\u00a0la soirée\u202f»\u00a0!"
    )
    assert clean_line("Zoé\u00a0 \u00a0Lys\u00a0") == "Zoé Lys"
