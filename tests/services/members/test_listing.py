"""The administrators' lists: what they show, what a search finds, and what they cost."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import delete, insert, update
from sqlmodel import col

from clubapp import clock, routes
from clubapp.database import reading, transaction
from clubapp.models import Arrival, Company, Event, Member, new_id
from clubapp.refusals import Forbidden
from clubapp.services.base.actors import VISITOR, Actor
from clubapp.services.companies import listing as company_listing
from clubapp.services.companies.listing import CompanyFilter, CompanyList
from clubapp.services.members import listing as member_listing
from clubapp.services.members.listing import MemberCounts, MemberFilter, MemberList
from clubapp.settings import settings
from tests.factories import add_company, add_event, add_member, add_reservation
from tests.statements import counted

HELENE = Actor(email="helene@beffroi.example", is_admin=True, session_id="s")
MARIE = Actor(email="marie@durand.example", member_id="m", session_id="t")


def members(**wanted: Any) -> MemberList:
    with reading() as session:
        return member_listing.list_members(session, HELENE, MemberFilter(**wanted))


def companies(**wanted: Any) -> CompanyList:
    with reading() as session:
        return company_listing.list_companies(session, HELENE, CompanyFilter(**wanted))


def names(found: MemberList | CompanyList) -> list[str]:
    return [row.name for row in found.rows]


@pytest.mark.parametrize("actor", [VISITOR, MARIE], ids=["visitor", "member"])
@pytest.mark.parametrize("listing", [member_listing.list_members, company_listing.list_companies])
def test_only_an_administrator_reads_the_lists(club: str, actor: Actor, listing: Callable[..., Any]) -> None:
    with pytest.raises(Forbidden), reading() as session:
        listing(session, actor)


def test_the_list_is_counted_and_shows_the_newest_first(club: str, at: Callable[[str], datetime]) -> None:
    given = [
        ("Zoé Fauconnier", {"role": "Gérante", "company": "Filature", "description": "Bonjour."}),
        ("Éric Lemoine", {"image_url": "/media/e.jpg", "is_active": False, "email": None}),
    ]
    for hour, (name, more) in enumerate(given):
        at(f"2026-11-20T1{hour}:00")
        with transaction() as session:
            add_member(session, name, **{"email": f"m{hour}@club.example"} | more)
    found = members()
    assert (found.count_label, found.found_label, found.more) == ("2 membres au total", "", 0)
    assert [(row.name, row.role, row.company, row.missing, row.parts, row.is_active) for row in found.rows] == [
        ("Éric Lemoine", "", "", "e-mail, fonction, entreprise, description", 1, False),
        ("Zoé Fauconnier", "Gérante", "Filature", "photo", 4, True),
    ]
    assert found.counts == MemberCounts(total=2, active=1, inactive=1, silent=0, to_complete=2, without_picture=1)
    with transaction() as session:
        add_member(session, settings().animator_name, description="x", role="x", company="x")
    assert members().counts == MemberCounts(3, active=2, inactive=1, silent=0, to_complete=2, without_picture=1)
    assert found.rows[0].picture.src == "/media/e.jpg"
    assert "ZF" in found.rows[1].picture.src


def test_an_empty_club_counts_in_the_singular(club: str) -> None:
    assert members().count_label == "0 membre au total"
    assert companies().count_label == "0 entreprise au total"


def test_a_search_is_blind_to_accents_and_filters_add_up(club: str) -> None:
    with transaction() as session:
        trade = {"activity_domain": "Formation & Conseil", "description": "x", "image_url": "/media/e.jpg"}
        add_member(session, "Éric Lemoine", "eric@lemoine.example", company="Écluse", role="Gérant", **trade)
        add_member(session, "Marie Écuyer", "m@e.example", company="Clos", role="Cheffe", is_active=False, **trade)
        add_member(session, "Zoé Fauconnier", None, role="Écrivaine", **trade | {"activity_domain": ""})
    assert names(members(text="ECLUSE")) == ["Éric Lemoine"]
    assert names(members(text="lemoine.example")) == ["Éric Lemoine"]
    assert members(text="ecr").found_label == "1 membre correspond"
    assert names(members(status="inactive")) == ["Marie Écuyer"]
    assert set(names(members(status="active"))) == {"Éric Lemoine", "Zoé Fauconnier"}
    assert names(members(to_complete=True)) == ["Zoé Fauconnier"]
    assert names(members(domain="Formation & Conseil", text="marie")) == ["Marie Écuyer"]
    assert names(members(without_picture=True)) == [], "each has one, or is not shown"
    nobody = members(domain="Formation & Conseil", to_complete=True)
    assert (nobody.rows, nobody.found_label, nobody.count_label) == ((), "0 membre correspond", "3 membres au total")


def test_a_member_has_neighbours_in_the_list_as_it_is_filtered_and_sorted(club: str) -> None:
    with transaction() as session:
        ids = {name: add_member(session, name, None).id for name in ("Zoé", "Éric", "Anne")}
        add_member(session, "Luc", "luc@club.example", is_active=False)

    def beside(name: str, **wanted: Any) -> tuple[str, str, str]:
        with reading() as session:
            found = member_listing.read_neighbours(session, HELENE, ids.get(name, name), MemberFilter(**wanted))
        return found.place, found.previous_href, found.next_href

    pages = {name: routes.admin_member(each) for name, each in ids.items()}
    assert beside("Éric", sort="nom", status="active") == ("2 sur 3", pages["Anne"], pages["Zoé"])
    assert beside("Anne", sort="nom", status="active") == ("1 sur 3", "", pages["Éric"])
    assert beside("Zoé", sort="-nom", status="active") == ("1 sur 3", "", pages["Éric"])
    assert beside("Éric", text="eric") == ("1 sur 1", "", "")
    assert beside("Anne", text="eric") == beside("nobody") == ("", "", "")


def test_who_came_to_each_of_the_last_three_closed_events_is_found_and_counted(
    club: str, at: Callable[[str], datetime]
) -> None:
    at("2026-11-20T10:00")
    with transaction() as session:
        regular, once, early = (
            add_member(session, name, f"{address}@x.example")
            for name, address in (("Zoé", "zoe"), ("Éric", "eric"), ("Ada", "ada"))
        )
        came = {6: [early], 7: [regular, once, early], 8: [regular, early], 9: [regular, once]}
        for month, people in came.items():
            date = clock.from_local(f"2026-{month:02}-10T12:00")
            event = add_event(session, f"Rencontre {month}", date, status="completed", doors_closed_at=date)
            for person in people:
                add_reservation(session, event, person, will_attend=True)
                session.add(Arrival(event_id=event.id, person=person.id, arrived_at=date, created_at=date))
        coming = add_event(session, "À venir", clock.from_local("2026-12-10T12:00"), status="confirmed")
        add_reservation(session, coming, once, will_attend=True)
    found = members(came_lately=True)
    assert (names(found), found.counts.came_lately) == (["Zoé"], 1)
    assert found.found_label == "1 membre est venu aux trois dernières rencontres"
    assert members(came_lately=True, text="eric").found_label == "0 membre correspond"
    with transaction() as session:
        session.execute(delete(Event).where(col(Event.date) < clock.from_local("2026-08-01T12:00")))
    assert names(members(came_lately=True)) == [], "two events are not three"


def test_a_company_without_logo_shows_its_first_three_letters(club: str) -> None:
    with transaction() as session:
        given = {
            "email": "a@e.example",
            "description": "x",
            "logo_url": "/l.png",
            "activity_domain": "Sécurité & Qualité",
        }
        add_company(session, "Écluse & Fils", city="Douai", **given)
        add_company(session, "Brique", city="Lille", activity_domain="Bâtiment & Travaux")
    found = {row.name: row for row in companies().rows}
    assert (found["Écluse & Fils"].letters, found["Écluse & Fils"].city) == ("ÉCL", "Douai")
    assert (found["Écluse & Fils"].missing, found["Brique"].missing) == ("", "logo, e-mail, description")
    assert names(companies(text="ecluse")) == names(companies(text="DOUAI")) == ["Écluse & Fils"]
    assert names(companies(to_complete=True)) == names(companies(domain="Bâtiment & Travaux")) == ["Brique"]
    assert companies(text="douai").found_label == "1 entreprise correspond"


def test_columns_sort_without_case_and_accents_and_what_is_empty_comes_last(club: str) -> None:
    with transaction() as session:
        add_member(session, "zoé", "z@e.example", company="Écluse", expertise=["Zinc"], phone="03 20 55 55 02")
        add_member(session, "Éric", "e@e.example", company="brique", services=["ardoise"])
        add_member(session, "Marie", "m@e.example", phone="03 20 55 55 01")
    assert names(members(sort="nom")) == ["Éric", "Marie", "zoé"]
    assert names(members(sort="-nom")) == ["zoé", "Marie", "Éric"]
    assert names(members(sort="entreprise")) == ["Éric", "zoé", "Marie"]
    assert names(members(sort="-entreprise")) == ["zoé", "Éric", "Marie"]
    assert names(members(sort="metier")) == ["Éric", "zoé", "Marie"]
    assert names(members(sort="telephone")) == ["Marie", "zoé", "Éric"]
    assert names(members(sort="nom", text="e.example")) == ["Éric", "Marie", "zoé"]
    assert len(members(sort="nom", shown=2).rows) == 2


def test_the_answer_is_that_to_the_event_at_hand_or_how_long_they_are_silent(
    club: str, at: Callable[[str], datetime]
) -> None:
    at("2026-08-01T10:00")
    with transaction() as session:
        past = add_event(session, title="Août", date=clock.from_local("2026-08-20T12:00"), status="confirmed")
        people = {
            name: add_member(session, name, f"{name}@e.example") for name in ("oui", "non", "muet", "neuf", "hors")
        }
        for name in ("oui", "muet"):
            add_reservation(session, past, people[name], will_attend=True, responded_at=clock.now())
        add_reservation(session, past, people["hors"])
    at("2026-11-20T10:00")
    with transaction() as session:
        ahead = add_event(session, title="Déc", date=clock.from_local("2026-12-10T12:00"), status="confirmed")
        off = add_event(session, title="Janv", date=clock.from_local("2027-01-10T12:00"), status="cancelled")
        for name, will_attend in (("oui", True), ("non", False), ("muet", None), ("neuf", None)):
            answered = None if will_attend is None else clock.now()
            add_reservation(session, ahead, people[name], will_attend=will_attend, responded_at=answered)
        add_reservation(session, off, people["oui"])
    found = {row.name: (row.answer.mark, row.answer.text) for row in members().rows}
    assert found == {
        "oui": ("yes", "Oui, 20 nov."),
        "non": ("no", "Non, 20 nov."),
        "muet": ("silent", "Sans réponse, 3\u00a0mois"),
        "neuf": ("silent", "Sans réponse"),
        "hors": ("", ""),
    }
    assert set(names(members(is_silent=True))) == {"muet", "neuf"}
    assert members().counts.silent == 2
    assert members(is_silent=True).found_label == "2 membres n’ont pas répondu pour le 10 décembre 2026"
    assert names(members(sort="-reponse"))[:3] in (["non", "oui", "muet"], ["oui", "non", "muet"])
    assert names(members(sort="reponse"))[0] == "muet"
    with transaction() as session:
        later = add_event(session, title="Févr", date=clock.from_local("2027-02-10T12:00"), status="confirmed")
        for person in people.values():
            add_reservation(session, later, person)
    said = {row.name: row.answer.text for row in members().rows}
    assert (said["oui"], said["non"]) == ("Oui, 20 nov.", "Non, 20 nov."), (
        "an invitation to a later event takes nothing"
    )
    assert members().counts.silent == 2, "of the event at hand alone, as on the other screens"
    at("2026-12-10T13:30")
    assert members().counts.silent == 2
    with transaction() as session:
        session.get_one(Event, ahead.id).status = "completed"
    assert members().counts.silent == 5, "once it is closed"
    with transaction() as session:
        session.get_one(Event, ahead.id).status = "confirmed"
        session.get_one(Event, ahead.id).ends_at = at("2026-12-10T14:00")
    assert members().counts.silent == 5, "once its end is over"
    with transaction() as session:
        session.get_one(Event, ahead.id).ends_at = None
    at("2026-12-10T14:30")
    assert members().counts.silent == 5, "once it is over"
    with transaction() as session:
        session.execute(update(Event).where(col(Event.title) == "Févr").values(status="cancelled"))
    at("2027-03-01T10:00")
    marked = {row.name for row in members().rows if row.answer.mark == "silent"}
    assert set(names(members(is_silent=True))) == marked == {"muet", "neuf"}, "also with no event ahead"


def test_an_address_asks_for_a_filter_and_what_it_does_not_know_asks_for_nothing() -> None:
    asked = {"q": "marie", "statut": "inactifs", "fiches": "a-completer", "reponse": "sans", "tri": "-reponse"}
    wanted = member_listing.parse_filter(asked | {"domaine": "Digital & Communication"})
    everything = MemberFilter(
        "marie", "Digital & Communication", "inactive", to_complete=True, is_silent=True, sort="-reponse"
    )
    assert wanted == everything
    forged = {"statut": "x", "fiches": "x", "reponse": "x", "tri": "password", "domaine": "x"}
    assert member_listing.parse_filter(forged) == MemberFilter()
    assert company_listing.parse_filter(forged) == CompanyFilter()
    assert company_listing.parse_filter({"tri": "-membres"}).sort == "-membres"


def test_companies_tell_their_people_and_sort_by_them(club: str) -> None:
    with transaction() as session:
        two = add_company(session, "Écluse", city="Douai", phone="03 20 55 55 01")
        add_company(session, "Brique", city="arras")
        for name in ("Marie", "Zoé"):
            add_member(session, name, f"{name.lower()}@e.example", company="Écluse", company_id=two.id)
    assert [(row.name, row.people) for row in companies(sort="-membres").rows] == [("Écluse", 2), ("Brique", 0)]
    assert names(companies(sort="ville")) == ["Brique", "Écluse"]
    assert companies(sort="nom").rows[1].phone_href == "tel:+33320555501"


def test_a_long_list_costs_the_queries_of_a_short_one(club: str) -> None:
    filters: list[dict[str, Any]] = [
        {},
        {"text": "dupont"},
        {"status": "active", "to_complete": True},
        {"sort": "reponse"},
    ]
    costs: dict[int, list[int]] = {}
    for count in (10, 400):
        fill(Member, count)
        fill(Company, count)
        costs[count] = [_cost(wanted) for wanted in filters]
    assert costs[10] == costs[400]
    assert max(costs[400]) <= 12  # a transaction's beginning counts on one of the engines
    assert (len(members().rows), members().more) == (50, 350)
    assert len(members(shown=100).rows) == 100
    assert len(members(shown=-3).rows) == 1


def _cost(wanted: dict[str, Any]) -> int:
    with counted() as queries:
        members(**wanted)
        companies(text="dupont")
    return len(queries)


def fill(table: Any, count: int) -> None:
    """Exactly so many rows, none complete."""
    now = clock.now()
    like = table(name="", created_at=now, updated_at=now).model_dump(exclude={"email"})
    rows = [
        like
        | {"id": new_id(), "name": f"Maison Dupont {number}", "created_at": now - timedelta(minutes=number)}
        | {"email": f"maison{number}@club.example"}
        for number in range(count)
    ]
    with transaction() as session:
        session.connection().execute(delete(table))
        session.connection().execute(insert(table), rows)
