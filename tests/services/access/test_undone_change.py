"""Administrators hear that a change of address of one of them was undone (S14)."""

from collections.abc import Callable
from datetime import timedelta

import pytest

from clubapp import tokens
from clubapp.database import transaction
from clubapp.models import Member
from clubapp.refusals import NotFound
from clubapp.services.access import account_links, known_browsers
from tests.factories import add_admin
from tests.services.access.second_factors import add_app, person_of
from tests.services.access.sign_ins import HELENE, MARIE
from tests.services.access.test_account_links import (
    LEA,
    address,
    ask,
    browser,
    confirm,
    follow,
    letters,
    links,
    marie,
)

__all__ = ["marie"]

Later = Callable[[timedelta], None]


@pytest.mark.parametrize("was_known", [True, False])
def test_the_other_administrators_are_told_once_that_a_change_of_theirs_was_undone(
    marie: Member, later: Later, was_known: bool
) -> None:
    """Fails when whoever reads the former mailbox of an administrator takes their address over unseen."""
    with transaction() as session:
        add_admin(session, MARIE)
        if was_known:
            known_browsers.note_sign_in(session, MARIE, browser())
    later(timedelta(hours=1))
    change = ask(marie)
    confirm(change)
    later(timedelta(hours=1))
    add_app(person_of(MARIE), "La sienne")
    follow(links(MARIE)["Rétablir mon adresse"])
    with pytest.raises(NotFound):
        follow((account_links.UNDO_CHANGE, tokens.derive(account_links.UNDO_CHANGE, change.id)))
    for recipient in (HELENE, LEA):
        (letter,) = letters(recipient)
        assert letter["heading"] == "Un changement d’adresse a été défait"
        words = " ".join(letter["paragraphs"])
        assert f"a défait le changement d’adresse de {MARIE}" in words
        assert ("est retiré\u00a0: «\u00a0La sienne\u00a0», les codes de secours." in words) is was_known
        assert ("Reste ce qui a été ajouté" in words) is not was_known


def test_no_administrator_is_told_that_a_member_took_their_address_back(marie: Member) -> None:
    confirm(ask(marie))
    follow(links(MARIE)["Rétablir mon adresse"])
    assert address(marie) == MARIE
    assert letters(HELENE) == []
