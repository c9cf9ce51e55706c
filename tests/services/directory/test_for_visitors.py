"""The public directory: who is shown, in which order, and what becomes a link."""

import pytest

from clubapp.database import reading, transaction
from clubapp.models import Member
from clubapp.refusals import NotFound
from clubapp.services.base.actors import Actor
from clubapp.services.directory import for_visitors
from clubapp.services.images import initials
from clubapp.services.members import listing
from tests.factories import add_company, add_member
from tests.statements import counted

HELENE = Actor("helene@beffroi.example", is_admin=True, session_id="s")


def _names(domain: str = "") -> list[str]:
    with reading() as session:
        return [card.name for card in for_visitors.search_members(session, domain).members]


def test_only_active_members_are_shown(club: str) -> None:
    with transaction() as session:
        add_member(session, name="Marie Durand", company="Durand")
        parted = add_member(session, name="Parti Ailleurs", email=None, is_active=False).id
    assert _names() == ["Marie Durand"]
    with reading() as session, pytest.raises(NotFound):
        for_visitors.read_member_page(session, parted)


def test_members_stand_by_company_then_name_whatever_the_case_and_the_accents(club: str) -> None:
    people = [
        ("Zoé Lefèbvre", "Étincelle"),
        ("émile Zola", "etincelle"),
        ("Ève Carpentier", "Œuvres du Nord"),
        ("Paul Abadie", "offices"),
        ("Sans Maison", ""),
        ("Adam Roux", "Zinc & Co"),
        ("Bruno Vasseur", "Atelier"),
    ]
    with transaction() as session:
        for name, company in people:
            add_member(session, name=name, company=company, email=None)
    assert _names() == [
        "Bruno Vasseur",
        "émile Zola",
        "Zoé Lefèbvre",
        "Ève Carpentier",
        "Paul Abadie",
        "Adam Roux",
        "Sans Maison",
    ]


def test_a_domain_is_chosen_by_its_name_or_its_slug_and_an_unknown_one_means_all(club: str) -> None:
    with transaction() as session:
        add_member(session, name="Camion", email=None, activity_domain="Logistique & Transport")
        add_member(session, name="Mur", email=None, activity_domain="Bâtiment & Travaux")
    assert _names("Bâtiment & Travaux") == ["Mur"]
    assert _names("batiment-travaux") == ["Mur"]
    assert _names("formation-conseil") == []
    assert sorted(_names("n'importe quoi")) == ["Camion", "Mur"]


def test_there_is_a_filter_for_all_and_one_for_each_of_the_seven_domains(club: str) -> None:
    assert for_visitors.list_domain_filters()[:2] == (
        ("", "Tous les domaines"),
        ("logistique-transport", "Logistique & Transport"),
    )
    assert len(for_visitors.list_domain_filters()) == 8
    with reading() as session:
        assert for_visitors.search_members(session, "Sécurité & Qualité").chosen == "securite-qualite"
        assert for_visitors.search_members(session).chosen == ""


def test_a_search_looks_at_names_trades_and_services_within_the_domain(club: str) -> None:
    with transaction() as session:
        add_member(session, name="Zoé Lefèbvre", email=None, company="Atelier", role="Architecte")
        add_member(session, name="Karim Benali", email=None, company="Nord Logis", services=["Plomberie sanitaire"])
        add_member(session, name="Paul Plombier", email=None, activity_domain="Bâtiment & Travaux", expertise=["Gaz"])
        add_member(session, name="Parti Plombier", email=None, is_active=False)
    with reading() as session:
        found = for_visitors.search_members(session, "", "  plombier ")
        assert [card.name for card in found.members] == ["Paul Plombier", "Karim Benali"]
        assert (found.wanted, found.count_label) == ("plombier", "2 membres pour «\u00a0plombier\u00a0»")
        assert [card.name for card in for_visitors.search_members(session, "", "lefebvre architecte").members] == [
            "Zoé Lefèbvre"
        ]
        within = for_visitors.search_members(session, "batiment-travaux", "gaz")
        assert within.count_label == "1 membre pour «\u00a0gaz\u00a0» en Bâtiment & Travaux"
        nobody = for_visitors.search_members(session, "", "notaire")
        assert (nobody.members, nobody.nobody) == ((), "Aucun membre ne correspond à «\u00a0notaire\u00a0»")
        assert "écrivez au club" in nobody.advice
        assert nobody.ask_href == "mailto:contact@beffroi.example?subject=Je%20cherche%C2%A0%3A%20notaire"
        assert (found.ask_href, for_visitors.search_members(session).ask_href) == ("", "")


def test_a_search_looks_at_descriptions_after_everything_else(club: str) -> None:
    with transaction() as session:
        add_member(session, name="Anne Bois", email=None, description="Je refais les couvertures en ardoise.")
        add_member(session, name="Zoé Toit", email=None, services=["Couverture"])
    with reading() as session:
        found = for_visitors.search_members(session, "", "couvreur")
        assert [card.name for card in found.members] == ["Zoé Toit", "Anne Bois"]


def test_the_animator_has_the_bundled_portrait_unless_one_was_uploaded(
    club: str, environment: pytest.MonkeyPatch
) -> None:
    environment.setenv("CLUB_ANIMATOR_NAME", "Hélène Caudrelier")
    with transaction() as session:
        home = add_company(session).id
        someone = add_member(session, name="helene  Caudrelier", email=None, company_id=home).id
    with reading() as session:
        assert [card.picture.src for card in for_visitors.search_members(session).members] == ["/animator.svg"]
        assert [card.picture.src for card in for_visitors.read_company_page(session, home).team] == ["/animator.svg"]
        assert for_visitors.read_member_page(session, someone).picture.src == "/animator.svg"
        assert listing.list_members(session, HELENE).rows[0].picture.src == "/animator.svg"
    with transaction() as session:
        kept = session.get(Member, someone)
        assert kept is not None
        kept.image_url = "/media/helene.jpg"
    with reading() as session:
        assert [card.picture.src for card in for_visitors.search_members(session).members] == ["/media/helene.jpg"]
        assert for_visitors.read_member_page(session, someone).picture.src == "/media/helene.jpg"


def test_a_long_search_is_cut(club: str) -> None:
    with reading() as session:
        assert len(for_visitors.search_members(session, "", "mot " * 5_000).wanted) <= 100


def test_an_empty_club_says_so(club: str) -> None:
    with reading() as session:
        everyone = for_visitors.search_members(session)
        assert (everyone.count_label, everyone.nobody) == ("0 membre", "Le réseau se constitue")
        assert for_visitors.search_members(session, "formation-conseil").nobody == "Aucun membre dans ce domaine"


@pytest.mark.parametrize(("count", "label"), [(1, "1 membre"), (2, "2 membres")])
def test_the_count_is_singular_up_to_one(club: str, count: int, label: str) -> None:
    with transaction() as session:
        for number in range(count):
            add_member(session, name=f"Membre {number}", email=None)
    with reading() as session:
        assert for_visitors.search_members(session).count_label == label


def test_a_list_costs_the_same_queries_however_long_it_is(club: str) -> None:
    with transaction() as session:
        home = add_company(session)
        for number in range(12):
            add_member(session, name=f"Membre {number}", email=None, company_id=home.id)
    with counted() as asked, reading() as session:
        for_visitors.search_members(session)
        assert len([query for query in asked if query.startswith("SELECT")]) == 2
        for_visitors.read_company_page(session, home.id)
    assert len([query for query in asked if query.startswith("SELECT")]) == 4


def test_a_profile_offers_only_the_contacts_that_are_there(club: str) -> None:
    with transaction() as session:
        full = add_member(
            session, phone="03 20 55 55 01", linkedin="https://www.linkedin.com/in/marie", website="www.durand.example"
        ).id
        bare = add_member(session, name="Sans Rien", email=None).id
    with reading() as session:
        shown = for_visitors.read_member_page(session, full)
        assert [(one.label, one.href) for one in shown.contacts] == [
            ("Email", "mailto:marie@durand.example"),
            ("Téléphone", "tel:+33320555501"),
            ("LinkedIn", "https://www.linkedin.com/in/marie"),
            ("Site web", "https://www.durand.example"),
        ]
        assert shown.contacts[1].detail == "03 20 55 55 01"
        assert shown.mail_href == "mailto:marie@durand.example"
        assert for_visitors.read_member_page(session, bare).contacts == ()
        assert for_visitors.read_member_page(session, bare).mail_href == "mailto:contact@beffroi.example"
        assert "au club" in for_visitors.read_member_page(session, bare).mail_hint


@pytest.mark.parametrize(
    "typed",
    [
        "javascript:alert(1)",
        "JaVaScRiPt://x.fr/%0aalert(1)",
        " data:text/html,x",
        "java\nscript:alert(1)",
        "//evil.example",
        "ftp://files.example",
        "https://",
        "https://user:pass@evil.example",
        'https://x.fr/"onclick=',
        "pas une adresse",
        "https://[::1",
        "http://x.fr:bad/",
        "mailto:a@b.fr",
        "javascript:x.fr",
    ],
)
def test_what_is_not_an_address_of_the_web_never_becomes_a_link(club: str, typed: str) -> None:
    with transaction() as session:
        someone = add_member(session, email=None, website=typed, linkedin=typed).id
    with reading() as session:
        assert for_visitors.read_member_page(session, someone).contacts == ()


def test_a_picture_elsewhere_is_not_shown(club: str) -> None:
    with transaction() as session:
        add_member(session, email=None, image_url="https://tracker.example/pixel.png")
        add_member(session, name="Zoé Ici", email=None, image_url="/media/zoe.jpg")
    with reading() as session:
        assert [card.picture.src for card in for_visitors.search_members(session).members] == ["", "/media/zoe.jpg"]


def test_a_company_shows_its_team_by_name(club: str) -> None:
    with transaction() as session:
        home = add_company(session, employee_count="10-50", services=["Conseil", " "], phone="+32 2 555 12 12").id
        for name in ("Zoé Lefèbvre", "élodie Maës"):
            add_member(session, name=name, email=None, company_id=home)
        add_member(session, name="Ancien", email=None, company_id=home, is_active=False)
    with reading() as session:
        shown = for_visitors.read_company_page(session, home)
    assert [card.name for card in shown.team] == ["élodie Maës", "Zoé Lefèbvre"]
    assert shown.team_label == "Notre équipe (2 membres)"
    assert (shown.employees, shown.services) == ("10-50 employés", ("Conseil",))
    assert [(one.label, one.detail) for one in shown.contacts] == [("Téléphone", "+32 2 555 12 12")]


def test_one_person_makes_a_team_of_one_membre(club: str) -> None:
    with transaction() as session:
        home = add_company(session, employee_count="1").id
        add_member(session, company_id=home)
    with reading() as session:
        shown = for_visitors.read_company_page(session, home)
    assert (shown.team_label, shown.employees) == ("Notre équipe (1 membre)", "1 employé")


@pytest.mark.parametrize(
    ("given", "place"),
    [
        (
            {"address": "14 rue des Tanneurs", "postal_code": "59100", "city": "Roubaix"},
            "14 rue des Tanneurs, 59100 Roubaix",
        ),
        ({"city": "Roubaix"}, "Roubaix"),
        ({"address": "14 rue des Tanneurs"}, "14 rue des Tanneurs"),
        ({}, ""),
    ],
)
def test_a_company_says_where_it_is_even_without_a_street(club: str, given: dict[str, str], place: str) -> None:
    with transaction() as session:
        home = add_company(session, **given).id
    with reading() as session:
        assert for_visitors.read_company_page(session, home).place == place


def test_an_unknown_member_or_company_is_not_found(club: str) -> None:
    with reading() as session:
        for ask in (for_visitors.read_member_page, for_visitors.read_company_page):
            with pytest.raises(NotFound):
                ask(session, "no-such-id")


@pytest.mark.parametrize(
    ("name", "letters"),
    [
        ("Zoé Lefèbvre", "ZL"),
        ("Paul-Henri Dewaele", "PD"),
        ("Jean-François Boulinguez", "JB"),
        ("Élodie d'Hondt", "ÉD"),
        ("Cher", "CH"),
        ("  ", ""),
        ("🎉🎉", ""),
        ("王 小明", ""),
        ("محمد علي", ""),
        ("Иван Петров", ""),
        ("Zoé 王", "Z"),
        ("Ếva Đông", "EĐ"),
        ("ßeta ßlan", "SS"),
        ("<b> 'x", "BX"),
    ],
)
def test_initials_of_people_are_two_letters(name: str, letters: str) -> None:
    assert initials.person_initials(name) == letters


@pytest.mark.parametrize(
    ("name", "letters"), [("Nord Logis Transport", "NLT"), ("Clair & Net", "CN"), ("Securinord", "SEC"), ("3D", "3D")]
)
def test_initials_of_companies_are_up_to_three(name: str, letters: str) -> None:
    assert initials.company_initials(name) == letters


@pytest.mark.parametrize(
    ("name", "letters"), [("Le Bon Pain", "LEB"), ("A & B Conseil", "ABC"), ("Élan", "ÉLA"), ("3D", "3D")]
)
def test_the_three_letters_of_a_company_leave_out_spaces(name: str, letters: str) -> None:
    assert initials.company_letters(name) == letters


def test_a_name_keeps_its_ground() -> None:
    assert initials.pick_ground("Zoé Lefèbvre") == initials.pick_ground(" zoé lefèbvre ")
    assert {initials.pick_ground(f"Membre {number}") for number in range(100)} == set(range(8))
