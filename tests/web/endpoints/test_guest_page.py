"""The page of a guest: a GET changes nothing, a press declines or erases, and a second one is told so."""

import re
from collections.abc import Iterator

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from clubapp.mail.messages import guest_notice
from clubapp.services.answers.guests import GuestEntry
from clubapp.web.endpoints.answers import guest_page
from clubapp.web.security.headers import SecurityHeaders
from tests.conftest import on_sqlite
from tests.services.answers.invitees import NOW, Invitee, Move, invite
from tests.services.answers.test_guests import ZOE, kept, names, rows
from tests.web.plain_document import PlainDocument

pytestmark = on_sqlite


@pytest.fixture
def visit(club: str) -> Iterator[TestClient]:
    with TestClient(SecurityHeaders(Starlette(routes=guest_page.routes())), base_url="http://localhost:3000") as client:
        yield client


@pytest.fixture
def marie(club: str, at: Move) -> Invitee:
    """Marie, with a guest who has an address."""
    at(NOW)
    (person,) = invite("Marie", title="Dîner d’hiver & <b>lin</b>")
    person.says(True, 1)
    names(person, ZOE)
    return person


def address(person: Invitee) -> str:
    return guest_notice.guest_link(rows(person)[0].id).removeprefix("http://localhost:3000")


def words(html: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", html.split("<body", 1)[1]).replace("&nbsp;", " ").split())


def test_a_get_shows_both_buttons_and_changes_nothing(visit: TestClient, marie: Invitee) -> None:
    for method in ("GET", "HEAD"):
        page = visit.request(method, address(marie))
        assert page.status_code == 200
    page = visit.get(address(marie))
    assert "Marie a annoncé votre venue" in words(page.text)
    assert "<b>lin" not in page.text
    assert "Je ne peux pas venir" in page.text
    asked = page.text.split("Faire effacer mes données</summary>")[1]
    assert 'value="effacement">Effacer mes données' in asked, "nothing is erased by one press"
    assert "Zoé" not in page.text, "whoever opens the link learns nobody's name but the host's"
    assert (page.headers["cache-control"], page.headers["referrer-policy"]) == ("no-store", "no-referrer")
    assert "script-src 'self';" in page.headers["content-security-policy"]
    assert visit.post(address(marie)).status_code == 200
    assert visit.post(address(marie), data={"choix": "autre chose"}).status_code == 200
    assert visit.post(address(marie), data={"choix": "x" * 5000}).status_code == 200
    assert kept(marie) == (ZOE,)


def test_a_press_declines_once_and_a_second_one_is_told_so(visit: TestClient, marie: Invitee) -> None:
    own = address(marie)
    form, sent = PlainDocument(visit.get(own).text).form_of("Je ne peux pas venir")
    assert (form.method, form.action in ("", own), sent) == ("post", True, {"choix": "desistement"})
    done = visit.post(own, data=sent)
    assert (done.status_code, "C’est noté" in done.text, "nous prévenons Marie" in words(done.text)) == (
        200,
        True,
        True,
    )
    assert marie.row.guest_count == 0
    again, read = visit.post(own, data={"choix": "desistement"}), visit.get(own)
    assert [page.status_code for page in (again, read)] == [410, 200]
    assert all("ne figurez plus" in page.text for page in (again, read))
    assert marie.row.guest_count == 0
    assert "Effacer mes données" in read.text, "the mail that told Marie still has their name"
    assert "Vos données sont effacées" in visit.post(own, data={"choix": "effacement"}).text
    assert visit.get(own).status_code == 410


def test_erased_data_are_gone_and_the_place_stays(visit: TestClient, marie: Invitee) -> None:
    own = address(marie)
    done = visit.post(own, data={"choix": "effacement"})
    assert (done.status_code, "Vos données sont effacées" in done.text) == (200, True)
    assert (kept(marie), marie.row.guest_count) == ((GuestEntry(),), 1)
    assert "Si vous ne venez plus, dites-le à Marie" in words(done.text)
    for again in (visit.post(own, data={"choix": "effacement"}), visit.get(own)):
        assert (again.status_code, "Vos données sont effacées" in again.text) == (410, True)
        assert "ne figurez plus" not in again.text, "they are still expected"


def test_after_the_beginning_nobody_declines(visit: TestClient, marie: Invitee, at: Move) -> None:
    at("2027-01-14T12:30")
    page = visit.get(address(marie))
    assert (page.status_code, "a commencé" in page.text, "Je ne peux pas venir" in page.text) == (200, True, False)
    refused = visit.post(address(marie), data={"choix": "desistement"})
    assert (refused.status_code, "a commencé" in refused.text) == (409, True)


@pytest.mark.parametrize("path", ["/guest/nobody?token=x", "/guest/%00?token=x", "/guest/x", "/guest/x?token=%00"])
def test_a_link_that_is_none_is_said_in_french(visit: TestClient, marie: Invitee, path: str) -> None:
    for answer in (visit.get(path), visit.post(path, data={"choix": "desistement"})):
        assert (answer.status_code, "n’est pas valable" in answer.text) == (404, True)
    assert kept(marie) == (ZOE,)
