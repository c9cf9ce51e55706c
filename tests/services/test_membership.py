"""A member sees their own profile and company; nobody else does, here."""

import pytest

from clubapp.database import transaction
from clubapp.refusals import Forbidden
from clubapp.services import membership
from clubapp.services.actors import VISITOR, Actor
from tests.factories import add_company, add_member


@pytest.mark.parametrize("person", [VISITOR, Actor(email="helene@beffroi.example", is_admin=True, session_id="x")])
def test_who_is_not_a_member_sees_nothing(club: str, person: Actor) -> None:
    for service in (membership.profile, membership.company):
        with pytest.raises(Forbidden), transaction() as session:
            service(session, person)


def test_a_member_sees_their_own_profile_and_company(club: str) -> None:
    with transaction() as session:
        company = add_company(session, "Atelier Lefèbvre", services=["Tournage", "Fraisage"])
        add_member(session, "Paul Petit", "paul@petit.example")
        marie = add_member(session, company_id=company.id, role="Gérante", expertise=["Acier"])
        person = Actor(email="marie@durand.example", member_id=marie.id, session_id="x")
        profile, shown = membership.profile(session, person), membership.company(session, person)
    assert (profile.name, profile.role, profile.expertise) == ("Marie Durand", "Gérante", "Acier")
    assert shown
    assert (shown.name, shown.services) == ("Atelier Lefèbvre", "Tournage, Fraisage")


def test_a_member_without_a_company_has_none(club: str) -> None:
    with transaction() as session:
        marie = add_member(session)
        assert membership.company(session, Actor(member_id=marie.id, session_id="x")) is None
