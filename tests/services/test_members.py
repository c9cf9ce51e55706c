"""The administrators' list of members."""

from collections.abc import Callable
from datetime import datetime

import pytest

from clubapp.database import reading, transaction
from clubapp.refusals import Forbidden
from clubapp.services import members
from clubapp.services.actors import VISITOR, Actor
from tests.factories import add_member

HELENE = Actor(email="helene@beffroi.example", is_admin=True, session_id="s")
MARIE = Actor(email="marie@durand.example", member_id="m", session_id="t")


@pytest.mark.parametrize("actor", [VISITOR, MARIE], ids=["visitor", "member"])
def test_only_an_administrator_reads_the_list(club: str, actor: Actor) -> None:
    with pytest.raises(Forbidden), reading() as session:
        members.listing(session, actor)


def test_the_list_is_counted_and_shows_the_newest_first(club: str, at: Callable[[str], datetime]) -> None:
    for hour, (name, given) in enumerate(
        [
            ("Zoé Fauconnier", {"role": "Gérante", "company": "Filature"}),
            ("Éric Lemoine", {"image_url": "/media/e.jpg"}),
        ]
    ):
        at(f"2026-11-20T1{hour}:00")
        with transaction() as session:
            add_member(session, name, f"m{hour}@club.example", **given)
    with reading() as session:
        found = members.listing(session, HELENE)
    assert found.count_label == "2 membres au total"
    assert [(row.name, row.position) for row in found.rows] == [
        ("Éric Lemoine", ""),
        ("Zoé Fauconnier", "Gérante, Filature"),
    ]
    assert found.rows[0].image == "/media/e.jpg"
    assert "ZF" in found.rows[1].image


def test_an_empty_club_counts_in_the_singular(club: str) -> None:
    with reading() as session:
        assert members.listing(session, HELENE).count_label == "0 membre au total"
