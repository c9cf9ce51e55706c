"""The administrators' list of companies."""

import pytest

from clubapp.database import reading, transaction
from clubapp.refusals import Forbidden
from clubapp.services import companies
from clubapp.services.actors import VISITOR, Actor
from clubapp.services.companies import CompanyRow
from tests.factories import add_company

HELENE = Actor(email="helene@beffroi.example", is_admin=True, session_id="s")
MARIE = Actor(email="marie@durand.example", member_id="m", session_id="t")


@pytest.mark.parametrize("actor", [VISITOR, MARIE], ids=["visitor", "member"])
def test_only_an_administrator_reads_the_list(club: str, actor: Actor) -> None:
    with pytest.raises(Forbidden), reading() as session:
        companies.listing(session, actor)


def test_a_company_without_logo_shows_its_first_three_letters(club: str) -> None:
    with transaction() as session:
        made = add_company(session, "Écluse & Fils", city="Douai", activity_domain="Formation & Conseil").id
    with reading() as session:
        found = companies.listing(session, HELENE)
    assert found.count_label == "1 entreprise au total"
    assert found.rows == (CompanyRow(made, "Écluse & Fils", "Formation & Conseil", "Douai", "", "ÉCL"),)
