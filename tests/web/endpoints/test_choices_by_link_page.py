"""The page of a member's choices: a GET changes nothing, a press counts at once, in every part of the site (P5)."""

from collections.abc import Callable, Iterator
from datetime import timedelta

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from clubapp.mail.messages import welcome
from clubapp.services.base import link_limit
from clubapp.web.endpoints.privacy import choices_by_link_page
from clubapp.web.security.headers import SecurityHeaders
from tests.conftest import on_sqlite
from tests.services.privacy.entered_people import ask_before, choices, enter, kept, shown

pytestmark = on_sqlite


@pytest.fixture
def visit(club: str, later: Callable[[timedelta], None]) -> Iterator[TestClient]:
    routes = choices_by_link_page.routes()
    with TestClient(SecurityHeaders(Starlette(routes=routes)), base_url="http://localhost:3000") as client:
        yield client


def address(member_id: str) -> str:
    return welcome.choice_link(kept(member_id)).removeprefix("http://localhost:3000")


def test_a_get_shows_every_choice_and_changes_nothing(visit: TestClient) -> None:
    zoe = enter()
    own, before = address(zoe), len(choices(zoe))
    page = visit.get(own)
    assert page.status_code == visit.head(own).status_code == 200
    for said in ("zoe@atelier.example", "03 27 41 12 34", "Ne pas montrer ma photo", "Ne plus figurer", "20 novembre"):
        assert said in page.text
    assert "que si vous dites oui" not in page.text
    assert (page.headers["cache-control"], page.headers["referrer-policy"]) == ("no-store", "no-referrer")
    assert page.headers["x-robots-tag"] == "noindex"
    for data in ({}, {"montrer": "name"}, {"masquer": "x" * 5000}, {"choix": "shows_email"}):
        assert visit.post(own, data=data).status_code == 200
    assert len(choices(zoe)) == before


def test_one_press_hides_and_one_shows_again(visit: TestClient) -> None:
    zoe = enter()
    done = visit.post(address(zoe), data={"masquer": "shows_phone"})
    assert (done.status_code, "C’est noté" in done.text, "Montrer mon téléphone" in done.text) == (200, True, True)
    assert shown(zoe) == ["shows_email", "shows_photo"]
    visit.post(address(zoe), data={"montrer": "shows_phone"})
    assert shown(zoe) == ["shows_email", "shows_phone", "shows_photo"]
    visit.post(address(zoe), data={"masquer": "is_listed"})
    assert not kept(zoe).is_listed


def test_where_the_club_asks_one_press_says_yes_or_no_to_all(
    visit: TestClient, environment: pytest.MonkeyPatch
) -> None:
    ask_before(environment)
    zoe = enter()
    page = visit.get(address(zoe)).text
    assert "Oui, montrer mon e-mail, mon téléphone et ma photo" in page
    refused = visit.post(address(zoe), data={"masquer": "coordonnees"})
    assert "que si vous dites oui" not in refused.text
    assert shown(zoe) == []
    visit.post(address(zoe), data={"montrer": "coordonnees"})
    assert shown(zoe) == ["shows_email", "shows_phone", "shows_photo"]


def test_a_link_that_changed_enough_today_says_so(visit: TestClient) -> None:
    zoe = enter()
    for _ in range(link_limit.MOST_CHANGES // 2):
        for press in ("masquer", "montrer"):
            assert visit.post(address(zoe), data={press: "shows_phone"}).status_code == 200
    visit.post(address(zoe), data={"masquer": "shows_phone"})
    refused = visit.post(address(zoe), data={"montrer": "shows_phone"})
    assert (refused.status_code, "Trop de changements" in refused.text) == (429, True)
    assert visit.get(address(zoe)).status_code == 200


@pytest.mark.parametrize("path", ["/choix/nobody?token=x", "/choix/%00?token=x", "/choix/x", "/choix/x?token=%00"])
def test_a_link_that_is_none_is_said_in_french(visit: TestClient, path: str) -> None:
    for answer in (visit.get(path), visit.post(path, data={"montrer": "shows_email"})):
        assert (answer.status_code, "n’est pas valable" in answer.text) == (404, True)
