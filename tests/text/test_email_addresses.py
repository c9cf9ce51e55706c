"""Which e-mail addresses are taken, and how they are kept (S7)."""

import pytest

from clubapp.refusals import Invalid
from clubapp.text.email_addresses import normalise, split_address


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        (" Marie.Durand@Club.Example ", "marie.durand@club.example"),
        ("contact@bücher.example", "contact@xn--bcher-kva.example"),
        ("contact@ｃlub.example", "contact@club.example"),
    ],
)
def test_an_address_is_kept_in_one_form(typed: str, kept: str) -> None:
    assert normalise(typed) == kept
    assert normalise(kept) == kept


@pytest.mark.parametrize(
    "typed",
    [
        "zoé@club.example",  # no message could ever be written to it
        "ａ@club.example",
        "a@b.example\r\nBcc: c@d.example",
        "a@b.example, c@d.example",
        "Marie <a@b.example>",
        "a" * 10_000 + "@b.example",
        "a@[127.0.0.1]",
        "\u202ea@b.example",
    ],
)
def test_what_cannot_be_written_to_is_refused(typed: str) -> None:
    with pytest.raises(Invalid):
        normalise(typed)


def test_an_address_breaks_after_its_dots_and_before_its_at() -> None:
    assert split_address("marie.durand@club.example") == ["marie.", "durand", "@club.", "example"]
    assert split_address("") == []
