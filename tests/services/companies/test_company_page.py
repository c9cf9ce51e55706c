"""The page of a company: who may read it, what it tells, and what it costs."""

from collections.abc import Callable
from datetime import datetime, timedelta

import pytest

from clubapp import clock
from clubapp.database import reading, transaction
from clubapp.models import Company
from clubapp.refusals import Forbidden, NotFound
from clubapp.services.base.actors import VISITOR, Actor
from clubapp.services.companies import company_page, editing
from clubapp.services.companies.company_page import CompanyRecord
from tests.factories import add_company, add_event, add_member, add_reservation
from tests.statements import counted

HELENE = Actor(email="helene@beffroi.example", is_admin=True, session_id="s")
MARIE = Actor(email="marie@durand.example", member_id="m", session_id="t")


@pytest.fixture
def ecluse(club: str, at: Callable[[str], datetime]) -> Company:
    at("2026-11-20T10:00")
    with transaction() as session:
        given = {"phone": "03 20 55 55 01", "email": "a@ecluse.example", "city": "Douai", "postal_code": "59500"}
        return add_company(session, "Écluse & Fils", website="https://ecluse.example/", address="1 quai", **given)


def read_page(company: Company, most: int = company_page.FIRST_LINES) -> CompanyRecord:
    with reading() as session:
        return company_page.read_company(session, HELENE, company.id, most)


def test_only_an_administrator_reads_it_and_who_is_gone_is_said(ecluse: Company) -> None:
    for actor in (VISITOR, MARIE):
        with pytest.raises(Forbidden), reading() as session:
            company_page.read_company(session, actor, ecluse.id)
    with pytest.raises(NotFound, match="n’existe plus"), reading() as session:
        company_page.read_company(session, HELENE, "gone")


def test_it_tells_how_to_reach_the_company_who_is_in_it_and_what_it_received(ecluse: Company) -> None:
    with transaction() as session:
        trade = {"company": ecluse.name, "company_id": ecluse.id, "expertise": ["Bateaux", "Voiles"]}
        zoe = add_member(session, "Zoé Fauconnier", "zoe@e.example", role="Gérante", **trade)
        add_member(session, "Éric Lemoine", "eric@e.example", is_active=False, **trade)
        add_member(session, "Autre Part", "autre@e.example")
        received = add_event(session, "Sur le quai", date=clock.now() - timedelta(days=40), host="ecluse & fils")
        add_event(session, "Ailleurs", date=clock.now() - timedelta(days=80), host="Brique")
        add_reservation(session, received, zoe, will_attend=True, responded_at=clock.now() - timedelta(days=45))
    page = read_page(ecluse)
    assert (page.phone_href, page.email_href, page.site) == (
        "tel:+33320555501",
        "mailto:a@ecluse.example",
        "ecluse.example",
    )
    assert page.address == "1 quai, 59500 Douai"
    assert [(each.name, each.role, each.trade, each.is_active, each.answer.text) for each in page.people] == [
        ("Éric Lemoine", "", "Bateaux, Voiles", False, ""),
        ("Zoé Fauconnier", "Gérante", "Bateaux, Voiles", True, "Oui, 6 oct."),
    ]
    assert [event.title for event in page.hosted] == ["Sur le quai"]
    assert [(part.label, part.is_visible) for part in page.visible][:3] == [
        ("Sa page", True), ("Son logo", False), ("Son e-mail", True),
    ]  # fmt: skip


def test_its_history_has_each_change_with_its_values(ecluse: Company) -> None:
    for city in ("Lens", "Arras"):
        with transaction() as session:
            form = editing.open_form(session, HELENE, ecluse.id)
            optional = frozenset(("description", "activity_domain"))
            editing.save(session, HELENE, type(form)(**{**vars(form), "city": city}), optional)
    page = read_page(ecluse)
    assert [line.title for line in page.history] == ["Entreprise modifiée"] * 2
    assert "Lens → Arras" in page.history[0].detail
    assert (len(read_page(ecluse, 1).history), read_page(ecluse, 1).has_more, page.has_more) == (1, True, False)


def test_a_large_company_costs_the_queries_of_a_small_one(ecluse: Company) -> None:
    costs = []
    for count in (1, 40):
        with transaction() as session:
            for number in range(count):
                add_member(session, f"Membre {number}", f"m{count}-{number}@e.example", company_id=ecluse.id)
        with counted() as queries:
            read_page(ecluse)
        costs.append(len(queries))
    assert costs[0] == costs[1]
