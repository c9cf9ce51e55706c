"""Companies, by administrators: who may, what is refused, and what their members notice."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from typing import Any

import pytest
from sqlmodel import Session, select

from clubapp import clock
from clubapp.database import reading, transaction
from clubapp.infra import image_store
from clubapp.models import Act, Company, Member
from clubapp.refusals import Forbidden, NotFound
from clubapp.services.base.actors import VISITOR, Actor
from clubapp.services.base.edit_conflicts import RecordChanged
from clubapp.services.base.form_fields import WRONG_PHONE, WRONG_WEB, InvalidForm
from clubapp.services.companies import editing
from clubapp.services.companies.admin_form import NO_DESCRIPTION, NO_YEAR, CompanyForm
from clubapp.text.email_addresses import INVALID
from tests.factories import add_company, add_member
from tests.images import encoded, quarters

HELENE = Actor(email="helene@beffroi.example", is_admin=True, session_id="s")
LEA = Actor(email="lea@beffroi.example", is_admin=True, session_id="l")
MARIE = Actor(email="marie@durand.example", member_id="m", session_id="t")
TYPED = CompanyForm(name="Atelier Lefèbvre", activity_domain="Bâtiment & Travaux", description="Brique et chaux.")


@pytest.fixture(autouse=True)
def november(at: Callable[[str], datetime]) -> Callable[[str], datetime]:
    at("2026-11-20T10:00")
    return at


def save(typed: CompanyForm, actor: Actor = HELENE) -> str:
    with transaction() as session:
        return editing.save(session, actor, typed)


def opened(company_id: str) -> CompanyForm:
    with reading() as session:
        return editing.open_form(session, HELENE, company_id)


def stored(company_id: str) -> Company:
    with reading() as session:
        found = session.get(Company, company_id)
        assert found is not None
        return found


def employ(company_id: str, name: str, **given: Any) -> None:
    with transaction() as session:
        add_member(session, name, None, company_id=company_id, company="Atelier Lefèbvre", **given)


def team() -> dict[str, tuple[str, str, str | None]]:
    with reading() as session:
        return {one.name: (one.company, one.activity_domain, one.company_id) for one in session.exec(select(Member))}


ACTS: list[Callable[[Session, Actor, str], Any]] = [
    lambda session, actor, company_id: editing.save(session, actor, TYPED),
    lambda session, actor, company_id: editing.save(session, actor, replace(TYPED, id=company_id)),
    editing.delete,
    editing.open_form,
]


@pytest.mark.parametrize("actor", [VISITOR, MARIE], ids=["visitor", "member"])
@pytest.mark.parametrize("act", ACTS)
def test_only_an_administrator_may(club: str, actor: Actor, act: Callable[[Session, Actor, str], Any]) -> None:
    with transaction() as session:
        company_id = add_company(session, "Avant").id
    with pytest.raises(Forbidden), transaction() as session:
        act(session, actor, company_id)
    with reading() as session:
        assert [company.name for company in session.exec(select(Company))] == ["Avant"]


def test_a_new_company_is_stored_as_typed(club: str) -> None:
    company = stored(
        save(
            replace(
                TYPED,
                name=" Atelier   Lefèbvre ",
                email="Contact@Lefebvre.example",
                phone="+32 2 555 01 01",
                website="https://lefebvre.example/",
                postal_code="59 000",
                city="Lille",
                founded_year=" 1998 ",
                employee_count="10-50",
                services="chaux, brique",
                certifications="RGE",
            )
        )
    )
    assert (company.name, company.email, company.founded_year) == ("Atelier Lefèbvre", "contact@lefebvre.example", 1998)
    assert (company.phone, company.postal_code, company.employee_count) == ("+32 2 555 01 01", "59 000", "10-50")
    assert (company.services, company.certifications) == (["chaux", "brique"], ["RGE"])
    assert stored(save(TYPED)).founded_year is None


def test_a_form_says_everything_that_is_wrong_at_once(club: str) -> None:
    with pytest.raises(InvalidForm) as refused:
        save(CompanyForm(email="x", phone="x", website="data:text/html,x", founded_year="199"))
    assert refused.value.errors == {
        "name": "Indiquez le nom de l’entreprise.",
        "activity_domain": "Choisissez le domaine d’activité.",
        "description": NO_DESCRIPTION,
        "email": INVALID,
        "phone": WRONG_PHONE,
        "website": WRONG_WEB,
        "founded_year": NO_YEAR,
    }


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"founded_year": "2027"}, "founded_year"),
        ({"founded_year": "-198"}, "founded_year"),
        ({"founded_year": "19e2"}, "founded_year"),
        ({"founded_year": "٢٠٢٠"}, "founded_year"),
        ({"city": "x" * 201}, "city"),
        ({"activity_domain": "Piraterie"}, "activity_domain"),
        ({"logo_url": "//evil.example/x.png"}, "logo_url"),
        ({"certifications": "x" * 201}, "certifications"),
    ],
)
def test_what_breaks_a_limit_is_refused_beside_its_field(club: str, wrong: dict[str, str], field: str) -> None:
    with pytest.raises(InvalidForm) as refused:
        save(replace(TYPED, **wrong))
    assert list(refused.value.errors) == [field]


def test_members_carry_the_new_name_and_the_domain_they_had_of_it(club: str) -> None:
    company_id = save(TYPED)
    employ(company_id, "Zoé", activity_domain="Bâtiment & Travaux")
    employ(company_id, "Éric", activity_domain="Formation & Conseil")
    with transaction() as session:
        add_member(session, "Homonyme", None, company="Atelier Lefèbvre", activity_domain="Bâtiment & Travaux")
    save(replace(opened(company_id), name="Maison Lefèbvre", activity_domain="Sécurité & Qualité"))
    assert team() == {
        "Zoé": ("Maison Lefèbvre", "Sécurité & Qualité", company_id),
        "Éric": ("Maison Lefèbvre", "Formation & Conseil", company_id),
        "Homonyme": ("Atelier Lefèbvre", "Bâtiment & Travaux", None),
    }


def test_a_deleted_company_leaves_its_members_with_its_name(club: str) -> None:
    path = image_store.save("logos", encoded(quarters(), "JPEG"))
    company_id = save(replace(TYPED, logo_url=image_store.address(path)))
    employ(company_id, "Zoé", activity_domain="Bâtiment & Travaux")
    with transaction() as session:
        editing.delete(session, HELENE, company_id)
    assert team() == {"Zoé": ("Atelier Lefèbvre", "Bâtiment & Travaux", None)}
    assert not image_store.exists(path)
    with pytest.raises(NotFound), transaction() as session:
        editing.delete(session, HELENE, company_id)
    with reading() as session:
        assert {entry.action for entry in session.exec(select(Act))} == {"company.created", "company.deleted"}


def test_opening_and_saving_changes_nothing(club: str, november: Callable[[str], datetime]) -> None:
    company_id = save(replace(TYPED, founded_year="1998", services="a, b"))
    before = stored(company_id)
    november("2026-11-21T10:00")
    save(opened(company_id))
    assert stored(company_id) == before
    assert before.updated_at != clock.now()


def test_of_two_people_the_second_is_told_and_nothing_is_overwritten(
    club: str, november: Callable[[str], datetime]
) -> None:
    company_id = save(replace(TYPED, founded_year="1998"))
    mine = opened(company_id)
    november("2026-11-20T10:05")
    save(replace(mine, founded_year="1997", city="Lille"), LEA)
    with pytest.raises(RecordChanged) as refused:
        save(replace(mine, founded_year="1996"))
    told = refused.value
    assert [(row.name, row.theirs, row.mine) for row in told.differences] == [
        ("city", "Lille", ""),
        ("founded_year", "1997", "1996"),
    ]
    save(replace(mine, founded_year="1996", seen=told.seen, city=told.theirs["city"]))
    assert (stored(company_id).city, stored(company_id).founded_year) == ("Lille", 1996)


def test_a_logo_that_was_replaced_meanwhile_is_a_conflict_and_no_wrong_image(
    club: str, november: Callable[[str], datetime]
) -> None:
    first, second = (image_store.address(image_store.save("logos", encoded(quarters(), "JPEG"))) for _ in range(2))
    company_id = save(replace(TYPED, logo_url=first))
    mine = opened(company_id)
    november("2026-11-20T10:05")
    save(replace(mine, logo_url=second), LEA)
    with pytest.raises(RecordChanged) as refused:
        save(replace(mine, city="Lille"))
    assert refused.value.theirs == {"logo_url": second, "city": ""}
    save(refused.value.merge(mine, replace(mine, city="Lille")))
    assert (stored(company_id).city, stored(company_id).logo_url) == ("Lille", second)
