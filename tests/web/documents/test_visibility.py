"""What a member does not show, no public address shows: page, list, card, picture, data for machines (P1)."""

import pytest
from starlette.testclient import TestClient

from clubapp import routes
from clubapp.database import transaction
from clubapp.models import Member
from clubapp.text import phone_numbers
from tests.factories import add_company, add_member

PHOTO = "/media/avatars/1795212000000-0123456789abcdef.jpg"
EMAIL, PHONE = "marie@durand.example", phone_numbers.format_phone("0320555501")
DIALLED = "+33320555501"


@pytest.fixture
def marie(visit: TestClient) -> Member:
    """A member of a company, who shows everything."""
    with transaction() as session:
        home = add_company(session, name="Durand et filles").id
        return add_member(
            session, name="Marie Durand", email=EMAIL, phone="0320555501", image_url=PHOTO, company_id=home
        )


def _change(marie: Member, **chosen: bool) -> None:
    with transaction() as session:
        session.get_one(Member, marie.id).sqlmodel_update(chosen)


def _public(visit: TestClient, marie: Member) -> str:
    """Every public text about her, the card of her contacts included."""
    paths = (routes.DIRECTORY, routes.member_profile(marie.id), routes.company(marie.company_id or ""))
    return "".join(visit.get(path).text for path in (*paths, routes.contact_card(marie.id)))


def test_whoever_shows_everything_is_found_with_everything(visit: TestClient, marie: Member) -> None:
    shown = _public(visit, marie)
    assert all(text in shown for text in (EMAIL, PHONE, DIALLED, PHOTO, "Marie Durand"))


@pytest.mark.parametrize("change", [{"is_listed": False}, {"is_active": False}])
def test_whoever_left_the_directory_is_nowhere(visit: TestClient, marie: Member, change: dict[str, bool]) -> None:
    _change(marie, **change)
    for path in (
        routes.member_profile(marie.id),
        routes.contact_card(marie.id),
        routes.shared_member(marie.id),
    ):
        assert visit.get(path).status_code == 404
    for path in ("/membres", "/membres?q=durand", routes.company(marie.company_id or ""), routes.SITEMAP):
        answer = visit.get(path)
        assert answer.status_code == 200
        assert "Marie Durand" not in answer.text
        assert marie.id not in answer.text
    assert "Notre équipe" not in visit.get(routes.company(marie.company_id or "")).text
    everyone = visit.get("/membres").text
    assert "Le réseau se constitue" in everyone
    assert "Voir tous les membres" not in everyone


@pytest.mark.parametrize(
    ("choice", "hidden"),
    [("shows_email", (EMAIL,)), ("shows_phone", (PHONE, DIALLED)), ("shows_photo", (PHOTO,))],
)
def test_what_is_hidden_is_hidden_everywhere_and_the_rest_stays(
    visit: TestClient, marie: Member, choice: str, hidden: tuple[str, ...]
) -> None:
    picture = visit.get(routes.shared_member(marie.id)).status_code
    _change(marie, **{choice: False})
    shown = _public(visit, marie)
    assert not [text for text in hidden if text in shown]
    kept = {EMAIL, PHONE, DIALLED, PHOTO} - set(hidden)
    assert all(text in shown for text in kept)
    assert visit.get(routes.shared_member(marie.id)).status_code == picture == 200


def test_without_an_address_of_their_own_the_club_passes_the_message_on(visit: TestClient, marie: Member) -> None:
    _change(marie, shows_email=False)
    page = visit.get(routes.member_profile(marie.id)).text
    assert 'href="mailto:contact@' in page
    assert "Écrivez au club, qui transmettra à Marie Durand." in page


def test_without_a_photograph_the_initials_stand_for_the_person(visit: TestClient, marie: Member) -> None:
    _change(marie, shows_photo=False)
    page = visit.get(routes.member_profile(marie.id)).text
    assert "/avatars/MD-" in page
    assert ">MD</span>" in visit.get("/membres").text
    assert '"image":"http://localhost:3000/avatars/MD-' in page


def test_coming_back_takes_effect_in_the_next_answer(visit: TestClient, marie: Member) -> None:
    _change(marie, is_listed=False)
    assert "Marie Durand" not in visit.get("/membres").text
    _change(marie, is_listed=True)
    assert "Marie Durand" in visit.get("/membres").text
