"""A member writes the company they belong to, a fixed list of its fields, and no other company (W3)."""

from collections.abc import Callable
from dataclasses import fields, replace
from datetime import datetime

import pytest
from sqlmodel import select

from clubapp.database import reading, transaction
from clubapp.models import Company
from clubapp.refusals import Forbidden, NotFound
from clubapp.services.base import edit_conflicts
from clubapp.services.base.actors import SYSTEM, VISITOR, Actor
from clubapp.services.base.form_fields import InvalidForm
from clubapp.services.companies import own_company
from clubapp.services.companies.own_company import OwnCompanyForm
from clubapp.services.images import uploads
from tests import images
from tests.factories import add_company, add_member

At = Callable[[str], datetime]


@pytest.fixture
def marie(club: str, at: At) -> Actor:
    at("2026-11-20T10:00")
    with transaction() as session:
        mine = add_company(session, "Atelier", activity_domain="Formation & Conseil", services=["A", "B, C"])
        add_company(session, "Voisine")
        member = add_member(session, company_id=mine.id)
    return Actor("marie@durand.example", member_id=member.id, session_id="s")


def rows() -> dict[str, Company]:
    with reading() as session:
        return {company.name: company for company in session.exec(select(Company))}


def save(person: Actor, **typed: str) -> None:
    with transaction() as session:
        found = own_company.read_own_company(session, person)
        assert found
        own_company.save(session, person, replace(found.form, **typed))


@pytest.mark.parametrize("person", [VISITOR, SYSTEM])
def test_only_a_member_has_a_company(club: str, person: Actor) -> None:
    with transaction() as session:
        with pytest.raises(Forbidden):
            own_company.read_own_company(session, person)
        with pytest.raises(Forbidden):
            own_company.save(session, person, OwnCompanyForm())


def test_a_member_without_a_company_reads_and_writes_none(club: str) -> None:
    with transaction() as session:
        alone = Actor("m@x.example", member_id=add_member(session).id, session_id="s")
        assert own_company.read_own_company(session, alone) is None
        with pytest.raises(NotFound, match="Aucune entreprise associée"):
            own_company.save(session, alone, OwnCompanyForm())


def test_every_field_of_the_form_can_be_written(marie: Actor) -> None:
    neighbour = rows()["Voisine"].model_dump()
    logo = uploads.store_image("logos", images.encoded(images.quarters(), "JPEG"))
    typed = OwnCompanyForm(
        seen="",
        description="Nous formons.",
        address="1 rue du Beffroi",
        city="Lille",
        postal_code="59000",
        phone="03 20 55 55 01",
        email="Contact@Atelier.example",
        website="www.atelier.example",
        logo_url=logo,
        services="A, D",
        certifications="Qualiopi, ISO 9001",
    )
    save(marie, **{name: value for name, value in vars(typed).items() if name != "seen"})
    found = rows()["Atelier"]
    assert (found.email, found.website) == ("contact@atelier.example", "https://www.atelier.example")
    assert (found.services, found.certifications) == (["A", "D"], ["Qualiopi", "ISO 9001"])
    for name in ("description", "address", "city", "postal_code", "phone", "logo_url"):
        assert getattr(found, name) == getattr(typed, name)
    assert (found.name, found.activity_domain) == ("Atelier", "Formation & Conseil")
    assert rows()["Voisine"].model_dump() == neighbour


def test_what_a_member_may_write_is_this_list() -> None:
    names = "description address city postal_code phone email website logo_url services certifications seen"
    assert {each.name for each in fields(OwnCompanyForm)} == set(names.split())


def test_a_company_that_is_saved_as_it_is_does_not_change(marie: Actor, at: At) -> None:
    before = rows()["Atelier"].model_dump()
    at("2026-11-20T12:00")
    save(marie)
    assert rows()["Atelier"].model_dump() == before


def test_a_preview_shows_what_is_typed_and_writes_nothing(marie: Actor) -> None:
    before = rows()["Atelier"].model_dump()
    with reading() as session:
        found = own_company.read_own_company(session, marie)
        assert found
        typed = replace(found.form, description="Tout neuf", services="D, E", email="neuf@atelier.example")
        shown = own_company.preview(session, marie, typed)
        assert not session.new | session.dirty
    assert (shown.name, shown.description, shown.services) == ("Atelier", "Tout neuf", ("D", "E"))
    assert [card.name for card in shown.team] == ["Marie Durand"]
    assert rows()["Atelier"].model_dump() == before


@pytest.mark.parametrize(
    ("name", "typed"),
    [("email", "contact"), ("phone", "x"), ("website", "file:///etc/passwd"), ("logo_url", "https://x.example/l.jpg")],
)
def test_a_wrong_field_is_named_and_nothing_is_written(marie: Actor, name: str, typed: str) -> None:
    with pytest.raises(InvalidForm) as refusal:
        save(marie, **{"city": "Lens", name: typed})
    assert list(refusal.value.errors) == [name]
    assert rows()["Atelier"].city == ""


def test_the_address_of_a_colleague_who_saved_meanwhile_is_not_told(marie: Actor, at: At) -> None:
    with transaction() as session:
        opened = own_company.read_own_company(session, marie)
        firm = session.exec(select(Company).where(Company.name == "Atelier")).one()
        colleague = add_member(session, "Léa Morel", "lea@morel.example", company_id=firm.id)
        lea = Actor("lea@morel.example", member_id=colleague.id, session_id="t")
    assert opened
    at("2026-11-20T11:00")
    save(lea, city="Lens")
    with pytest.raises(edit_conflicts.RecordChanged) as refusal, transaction() as session:
        own_company.save(session, marie, replace(opened.form, city="Douai"))
    assert refusal.value.saved_by == "Modifiée par une autre personne, vendredi 20 novembre 2026 à 12:00."


def test_a_logo_that_someone_replaced_meanwhile_is_a_conflict_and_no_wrong_image(marie: Actor, at: At) -> None:
    first, second = (uploads.store_image("logos", images.encoded(images.quarters(), "JPEG")) for _ in range(2))
    save(marie, logo_url=first)
    with reading() as session:
        opened = own_company.read_own_company(session, marie)
    assert opened
    at("2026-11-20T11:00")
    save(marie, logo_url=second)
    typed = replace(opened.form, city="Douai")
    with pytest.raises(edit_conflicts.RecordChanged) as refusal, transaction() as session:
        own_company.save(session, marie, typed)
    assert refusal.value.theirs == {"logo_url": second, "city": ""}
    assert refusal.value.find_contested(opened.form, typed) == []
    with transaction() as session:
        own_company.save(session, marie, refusal.value.merge(opened.form, typed))
    assert (rows()["Atelier"].city, rows()["Atelier"].logo_url) == ("Douai", second)


def test_what_someone_else_saved_meanwhile_is_told_and_then_replaced(marie: Actor, at: At) -> None:
    with reading() as session:
        opened = own_company.read_own_company(session, marie)
    assert opened
    at("2026-11-20T11:00")
    save(marie, city="Lens")
    with pytest.raises(edit_conflicts.RecordChanged) as refusal, transaction() as session:
        own_company.save(session, marie, replace(opened.form, city="Douai"))
    assert refusal.value.theirs == {"city": "Lens"}
    with transaction() as session:
        own_company.save(session, marie, replace(opened.form, city="Douai", seen=refusal.value.seen))
    assert rows()["Atelier"].city == "Douai"
