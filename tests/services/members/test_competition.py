"""Who already does what a new member does, and what the animator decided about it."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime

import pytest
from sqlmodel import select

from clubapp.database import reading, transaction
from clubapp.models import CompetitionDecision, Member
from clubapp.refusals import Forbidden, Invalid, NotFound
from clubapp.services.base.actors import VISITOR, Actor
from clubapp.services.base.form_fields import InvalidForm
from clubapp.services.members import competition, editing
from clubapp.services.members.admin_form import MemberForm
from clubapp.services.members.competition import Competitor, Decision, Trade, split_terms
from tests.factories import add_company, add_member

HELENE = Actor("helene@beffroi.example", is_admin=True, session_id="s")
WORKS = "Bâtiment & Travaux"


def add(name: str, *services: str, domain: str = "", **given: object) -> str:
    with transaction() as session:
        email = f"{name.split(maxsplit=1)[0].lower()}@club.example"
        return add_member(session, name, email, services=list(services), activity_domain=domain, **given).id


def found(**asked: object) -> dict[str, Competitor]:
    with reading() as session:
        return {each.name: each for each in competition.find_competitors(session, HELENE, Trade(**asked))}  # type: ignore[arg-type]


def decide(member_id: str, *decisions: Decision) -> None:
    with transaction() as session:
        competition.record_decisions(session, HELENE, member_id, decisions)


@pytest.mark.parametrize("who", [VISITOR, Actor("marie@durand.example", member_id="m", session_id="s")])
def test_only_an_administrator_looks_and_decides(club: str, who: Actor) -> None:
    with pytest.raises(Forbidden), reading() as session:
        competition.find_competitors(session, who, Trade(domain=WORKS))
    with pytest.raises(Forbidden), transaction() as session:
        competition.record_decisions(session, who, "x", [])


def test_the_likest_come_first_with_what_clashes_and_the_rest_of_the_domain_last(club: str) -> None:
    add("Alice Plombier", "Dépannage de chaudières", "Plomberie", domain=WORKS)
    add("Bruno Couvreur", "Toiture", domain=WORKS)
    add("Carole Chauffage", "depannage chaudiere", domain="Nettoyage & Maintenance")
    add("Denis Graphiste", "Identité visuelle", domain="Digital & Communication")
    seen = found(domain=WORKS, terms=split_terms("PLOMBERIE", "Dépannage de chaudière"))
    assert list(seen) == ["Alice Plombier", "Carole Chauffage", "Bruno Couvreur"]
    assert seen["Alice Plombier"].alike == ("Dépannage de chaudières", "Plomberie")
    assert (seen["Bruno Couvreur"].alike, seen["Bruno Couvreur"].others) == ((), ("Toiture",))
    assert seen["Alice Plombier"].likeness > 90 > seen["Bruno Couvreur"].likeness == 0
    assert not seen["Carole Chauffage"].is_same_domain


def test_what_the_company_does_counts_and_colleagues_do_not_compete(club: str) -> None:
    with transaction() as session:
        atelier = add_company(session, "Atelier", services=["Menuiserie sur mesure"]).id
        rival = add_company(session, "Rival", services=["Menuiserie sur mesures"]).id
    add("Alice Atelier", company_id=atelier)
    add("Bruno Rival", company_id=rival)
    assert list(found(company_id=atelier)) == ["Bruno Rival"]


def test_the_inactive_and_oneself_are_no_competitors(club: str) -> None:
    me = add("Alice Moi", "Toiture", domain=WORKS)
    add("Bruno Parti", "Toiture", domain=WORKS, is_active=False)
    assert found(member_id=me, domain=WORKS, terms=("Toiture",)) == {}


def test_nothing_is_near_to_a_form_without_a_trade(club: str) -> None:
    add("Alice Plombier", "Plomberie", domain=WORKS)
    assert found() == {}


def test_a_decision_stands_until_a_trade_changes(club: str, at: Callable[[str], datetime]) -> None:
    at("2026-11-20T10:00")
    me, other = add("Alice Moi", "Toiture", domain=WORKS), add("Bruno Autre", "Toitures", domain=WORKS)
    asked = {"member_id": me, "domain": WORKS, "terms": ("Toiture",)}
    decide(me, Decision(other, "accepted", "Secteurs géographiques distincts"))
    told = found(**asked)["Bruno Autre"]
    assert (told.verdict, told.reason) == ("accepted", "Secteurs géographiques distincts")
    assert told.decided == "Concurrence acceptée, décidé par helene@beffroi.example le 20/11/2026 à 11:00"
    mirrored = found(member_id=other, domain=WORKS, terms=("Toitures",))["Alice Moi"]
    assert mirrored.verdict == "accepted"
    with transaction() as session:
        changed = session.exec(select(Member).where(Member.id == other)).one()
        changed.services = ["Toitures", "Charpente"]
    told = found(**asked)["Bruno Autre"]
    assert (told.verdict, told.reason) == ("", "Secteurs géographiques distincts")
    assert "à revoir" in told.decided


def test_decisions_are_kept_and_the_same_one_is_not_written_twice(club: str, at: Callable[[str], datetime]) -> None:
    me, other = add("Alice Moi", domain=WORKS), add("Bruno Autre", domain=WORKS)
    for hour, verdict in enumerate(["compatible", "compatible", "accepted"]):
        at(f"2026-11-20T1{hour}:00")
        decide(me, Decision(other, verdict, "Parce que" if verdict == "accepted" else ""))
    with reading() as session:
        kept = session.exec(select(CompetitionDecision.verdict).order_by(CompetitionDecision.decided_at)).all()  # type: ignore[arg-type]
    assert kept == ["compatible", "accepted"]


def test_an_accepted_competition_needs_a_reason(club: str) -> None:
    me, other = add("Alice Moi", domain=WORKS), add("Bruno Autre", domain=WORKS)
    with pytest.raises(InvalidForm, match="pourquoi") as refused:
        decide(me, Decision(other, "accepted", "  "), Decision(me, "accepted"))
    assert list(refused.value.errors) == [f"reason-{other}", f"reason-{me}"]
    with pytest.raises(Invalid):
        decide(me, Decision(other, "peut-être"))
    with pytest.raises(NotFound):
        decide(me, Decision("nobody", "compatible"))
    with pytest.raises(NotFound):
        decide(me, Decision(me, "compatible"))


def save(member_id: str = "", *decisions: Decision, **values: str) -> str:
    with transaction() as session:
        form = editing.open_form(session, HELENE, member_id) if member_id else MemberForm(name="Neuve Venue")
        kept = {"role": "Gérante", "description": "x", "company_id": add_company(session, "Neuve").id}
        return competition.save_member(session, HELENE, replace(form, **kept | values), decisions)


def undecided() -> list[str]:
    with reading() as session:
        return [each.names for each in competition.list_undecided(session, HELENE)]


def test_a_near_pair_without_a_decision_stays_a_task_until_it_is_made(club: str) -> None:
    other = add("Alice Plombier", "Plomberie", domain=WORKS)
    add("Bruno Couvreur", "Toiture", domain=WORKS)
    me = save(services="plomberie", activity_domain=WORKS)
    assert undecided() == ["Neuve Venue et Alice Plombier"]
    save(me)
    assert undecided() == ["Neuve Venue et Alice Plombier"]
    save(me, Decision(other, "compatible"))
    assert undecided() == []


def test_a_trade_that_names_another_is_near(club: str) -> None:
    add("Alice Charpentier", "Charpente bois", domain=WORKS)
    save(services="Isolation, Charpente", activity_domain=WORKS)
    assert undecided() == ["Neuve Venue et Alice Charpentier"]


@pytest.mark.parametrize(
    ("role", "theirs"),
    [
        ("Couvreur", "Couverture en zinc"),
        ("Gérante, menuiserie", "Menuiserie"),
        ("Plombier chauffagiste", "Chauffage"),
        ("Plombier chauffagiste", "Plomberie sanitaire"),
        ("Couvreur zingueur", "Couverture et étanchéité"),
        ("Couverture zinguerie", "Couverture et étanchéité"),
        ("Travaux d’étanchéité", "Couverture et étanchéité"),
        ("Climatisation & ventilation", "Chauffage et climatisation"),
        ("Travaux de plomberie", "Plombier chauffagiste"),
        ("Pose de toitures", "Étanchéité de toiture"),
        ("Entretien de chauffage", "Installation de chauffage"),
        ("Peintre en bâtiment", "Peinture décorative"),
        ("Cabinet comptable", "Expertise comptable"),
        ("Étancheur", "Couverture et étanchéité"),
    ],
)
def test_a_role_that_names_a_trade_is_compared(club: str, role: str, theirs: str) -> None:
    add("Alice Autre", theirs)
    assert found(role=role)["Alice Autre"].alike == (theirs,)
    save(role=role)
    assert undecided() == ["Neuve Venue et Alice Autre"]


@pytest.mark.parametrize(
    ("mine", "theirs"),
    [
        ("Installateur de vérandas", "Installation électrique"),
        ("Gestion de chantier", "Sécurité de chantier"),
        ("Conseil en gestion", "Gestion de patrimoine"),
        ("Peinture industrielle", "Nettoyage industriel"),
        ("Responsable de projet", "Responsable d’exploitation"),
        ("Expert immobilier", "Expert-comptable"),
    ],
)
def test_a_word_that_many_trades_use_is_no_trade(club: str, mine: str, theirs: str) -> None:
    add("Alice Autre", theirs)
    assert found(terms=(mine,)) == {}


def test_the_trade_of_another_role_is_shown_as_what_clashes(club: str) -> None:
    add("Alice Autre", "Zinguerie", role="Gérante, couvreuse")
    seen = found(terms=("Couverture",))["Alice Autre"]
    assert (seen.alike, seen.others) == (("couvreuse",), ("Zinguerie",))


@pytest.mark.parametrize("role", ["Gérant", "Directrice de la communication", "Associée fondatrice", "Présidente"])
def test_a_rank_is_no_trade(club: str, role: str) -> None:
    add("Alice Autre", "Communication", role=role)
    assert found(role=role) == {}


def test_a_decision_from_before_roles_were_compared_stands(club: str) -> None:
    me, other = add("Alice Moi", "Toiture", role="Couvreuse"), add("Bruno Autre", "Toitures", role="Gérant")
    asked = {"member_id": me, "terms": ("Toiture",), "role": "Couvreuse"}
    decide(me, Decision(other, "compatible"))
    assert found(**asked)["Bruno Autre"].verdict == "compatible"
    assert found(**asked | {"role": "Maçonne"})["Bruno Autre"].verdict == ""
    with transaction() as session:
        session.exec(select(CompetitionDecision)).one().trade = "Toiture | Toitures"
    assert found(**asked)["Bruno Autre"].verdict == "compatible"


def test_a_task_ends_with_the_likeness_or_with_a_member(club: str) -> None:
    other = add("Alice Plombier", "Plomberie", domain=WORKS)
    me = save(services="plomberie", activity_domain=WORKS)
    save(me, services="Toiture")
    assert undecided() == []
    save(me, services="Plomberie")
    assert undecided() == ["Neuve Venue et Alice Plombier"]
    with transaction() as session:
        editing.delete(session, HELENE, other)
    assert undecided() == []


def test_only_an_administrator_reads_the_tasks(club: str) -> None:
    with pytest.raises(Forbidden), reading() as session:
        competition.list_undecided(session, VISITOR)
