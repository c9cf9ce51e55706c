"""What is found for what is typed: people, companies, meetings and acts, however it is written."""

from collections.abc import Callable
from urllib.parse import parse_qsl, urlsplit

import pytest

from clubapp import clock, routes
from clubapp.database import reading, transaction
from clubapp.refusals import Forbidden
from clubapp.services.base.actors import SYSTEM, VISITOR
from clubapp.services.events.stages import DAY_TAB, REVIEW_TAB
from clubapp.services.finder import finding
from clubapp.services.finder.finding import Findings
from clubapp.services.finder.records import COMPANY, MEETING, PERSON, SHORTCUT, Hit
from clubapp.services.finder.shortcuts import POSTPONE
from clubapp.services.members import listing
from tests.factories import add_company, add_event, add_member
from tests.statements import counted


@pytest.fixture
def people(club: str, at: Callable[[str], object]) -> dict[str, str]:
    """Two members, a company, an event with invitations to send and one where they are sent; it is 2 November."""
    at("2026-11-02T09:00")
    with transaction() as session:
        company = add_company(session, "Maës Numérique", city="Valenciennes")
        sophie = add_member(
            session,
            "Sophie Maës",
            "sophie@maes.example",
            company="Maës Numérique",
            role="Logiciels",
            phone="0639984107",
        )
        helene = add_member(session, "Hélène Caudrelier", "helene@beffroi.example", company="Quai Douze")
        sent = add_event(
            session,
            "Soirée d’automne",
            clock.from_local("2026-11-12T12:00"),
            status="confirmed",
            invitation_sent=True,
            location="Arras",
        )
        december = add_event(session, "Les réussites", clock.from_local("2026-12-10T12:00"), status="confirmed")
        return {
            "company": company.id,
            "sophie": sophie.id,
            "helene": helene.id,
            "sent": sent.id,
            "december": december.id,
        }


def find(text: str) -> Findings:
    with reading() as session:
        return finding.find_anything(session, SYSTEM, text)


def hits(text: str) -> list[Hit]:
    return [hit for group in find(text).groups for hit in group.hits]


def titles(text: str, kind: str) -> list[str]:
    return [hit.title for hit in hits(text) if hit.kind == kind]


def test_only_administrators_search(people: dict[str, str]) -> None:
    with reading() as session, pytest.raises(Forbidden):
        finding.find_anything(session, VISITOR, "sophie")


@pytest.mark.parametrize("typed", ["Hélène", "helene", "HELENE caudr", "helenne", "caudrelier helene", "Caudrelir"])
def test_a_person_is_found_without_accents_by_a_beginning_and_with_a_slip(people: dict[str, str], typed: str) -> None:
    found = hits(typed)[0]
    assert (found.kind, found.title, found.hint) == (PERSON, "Hélène Caudrelier", "Quai Douze")
    assert found.href == routes.admin_member(people["helene"])


@pytest.mark.parametrize(
    "typed", ["06 39 98", "0639984107", "98 41 07", "+33 6 39 98 41 07", "06.39.98.41.07", "0033 6399841"]
)
def test_people_and_companies_are_found_by_the_digits_of_their_telephone(people: dict[str, str], typed: str) -> None:
    with transaction() as session:
        add_company(session, "Atelier Zéphyr", phone="+33 (0)6 39 98 41 07")
    assert [(hit.kind, hit.title) for hit in hits(typed)] == [(PERSON, "Sophie Maës"), (COMPANY, "Atelier Zéphyr")]
    assert [hits(other) for other in ("06 3", "0639984108")] == [[], []]


def test_digits_of_a_year_find_the_meetings_of_it_first(people: dict[str, str]) -> None:
    with transaction() as session:
        add_member(session, "Odile Deuxmille", phone="03 20 26 55 01")
    assert [group.kind for group in find("2026").groups] == [MEETING, PERSON]


def test_what_fits_best_comes_first_whatever_it_is(people: dict[str, str]) -> None:
    assert [group.kind for group in find("maes").groups] == [PERSON, COMPANY]
    company, person = find("numerique").groups
    assert (company.kind, person.kind) == (COMPANY, PERSON)
    assert company.hits[0].href == routes.admin_company(people["company"])
    assert find("nouveau membre").groups[0].kind == SHORTCUT


def test_people_who_match_equally_come_by_name_and_who_is_inactive_last(people: dict[str, str]) -> None:
    with transaction() as session:
        for name, is_active in (("Yves Quarante", True), ("Anne Quarante", False), ("Marc Quarante", True)):
            address = f"{name.split()[0].lower()}@quarante.example"
            add_member(session, name, address, is_active=is_active, phone="0320990011")
    expected = ["Marc Quarante", "Yves Quarante", "Anne Quarante"]
    assert titles("quarante", PERSON) == titles("03 20 99 00 11", PERSON) == expected


def test_a_person_is_told_with_the_telephone_number(people: dict[str, str]) -> None:
    assert hits("sophie")[0].hint == "06 39 98 41 07, Maës Numérique, Logiciels"


@pytest.mark.parametrize("typed", ["réussites", "décembre", "10 décembre", "jeudi decembre"])
def test_a_meeting_is_found_by_its_title_and_by_its_day(people: dict[str, str], typed: str) -> None:
    assert titles(typed, MEETING) == ["Les réussites"]


def test_acts_follow_from_what_is_to_come(people: dict[str, str]) -> None:
    assert titles("envoyer invitations décembre", SHORTCUT) == ["Envoyer les invitations de décembre"]
    assert titles("envoyer invitations novembre", SHORTCUT) == []
    writing = hits("ecrire viennent novembre")[0]
    assert (writing.title, writing.href) == (
        "Écrire à ceux qui viennent le 12 novembre",
        routes.write_to(evenement=people["sent"], reponse="oui"),
    )
    numbers = hits("geler les repas")[0]
    assert (numbers.title, numbers.href) == (
        "Envoyer les nombres du 12 novembre",
        routes.event_tab(people["sent"], DAY_TAB),
    )
    later = hits("reporter décembre")[0]
    assert (later.href, later.press) == (routes.admin_event(people["december"]), POSTPONE)
    calls = next(hit for hit in hits("relancer") if "Appeler" in hit.title)
    assert (calls.title, calls.href) == (
        "Appeler ceux qui n’ont rien dit pour le 12 novembre",
        routes.calling_list(people["sent"]),
    )


def test_acts_lead_to_who_came_last(people: dict[str, str], at: Callable[[str], object]) -> None:
    assert titles("qui est venu le 12", SHORTCUT) == []
    at("2026-11-13T09:00")
    assert hits("qui est venu le 12")[0].href == routes.event_tab(people["sent"], REVIEW_TAB)
    thanks = routes.write_to(evenement=people["sent"], reponse="venus")
    assert hits("remercier")[0].href == thanks
    lately = hits("venus trois dernieres")[0]
    assert listing.parse_filter(dict(parse_qsl(urlsplit(lately.href).query))).came_lately


@pytest.mark.parametrize(
    ("typed", "title"),
    [
        ("nouveau membre", "Nouveau membre"),
        ("créer un événement", "Nouvel événement"),
        ("actes", "Journal des actes"),
        ("santé", "Santé"),
        ("echecs", "Messages en échec"),
    ],
)
def test_acts_are_found_by_their_name_and_by_other_words(people: dict[str, str], typed: str, title: str) -> None:
    assert titles(typed, SHORTCUT)[0] == title


@pytest.mark.parametrize(("month", "title"), [("2027-04", "d’avril"), ("2027-08", "d’août"), ("2027-05", "de mai")])
def test_a_month_is_named_as_french_says_it(club: str, at: Callable[[str], object], month: str, title: str) -> None:
    at(f"{month}-01T09:00")
    with transaction() as session:
        add_event(session, "Rencontre", clock.from_local(f"{month}-20T12:00"))
    assert f"Envoyer les invitations {title}" in titles("invitations", SHORTCUT)


def test_nothing_typed_offers_what_is_often_done_and_nonsense_finds_nothing(people: dict[str, str]) -> None:
    assert [hit.title for hit in hits("  ")][:2] == ["Nouveau membre", "Nouvel événement"]
    assert find("xylophone quantique") == Findings("xylophone quantique")


def test_the_best_of_many_are_shown_and_the_others_counted(people: dict[str, str]) -> None:
    with transaction() as session:
        for number in range(9):
            add_member(session, f"Dupont {number}", f"d{number}@x.example")
    with counted() as asked:
        (group,) = find("dupont").groups
    assert (len(group.hits), group.more) == (6, 3)
    assert len([one for one in asked if one.startswith("SELECT")]) == 3


def test_who_is_inactive_is_found_last_and_said_to_be(people: dict[str, str]) -> None:
    with transaction() as session:
        add_member(session, "Alain Dupont", "alain@x.example", is_active=False)
        add_member(session, "Zoé Dupont", "zoe@x.example")
    assert [(hit.title, hit.hint) for hit in hits("dupont")] == [("Zoé Dupont", ""), ("Alain Dupont", "inactif")]
