"""The addresses of an event's arrivals: who may call them, what they say to whom, and what they take."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlsplit

import pytest
from httpx import Response
from sqlmodel import select
from starlette.applications import Starlette
from starlette.routing import Route
from starlette.testclient import TestClient

from clubapp import clock
from clubapp.clubapp import own_routes
from clubapp.database import reading, transaction
from clubapp.models import Arrival, Event, EventReservation, Member, new_id
from clubapp.services.access import sessions
from clubapp.services.attendance import helper_link
from clubapp.services.attendance.arrivals import UNKNOWN
from clubapp.services.attendance.helper_link import NO_LINK
from clubapp.services.base.actors import SYSTEM
from clubapp.web.endpoints.attendance import arrivals_api, arrivals_page
from tests.conftest import on_sqlite
from tests.factories import add_admin, add_event, add_guest, add_member, add_reservation

HELENE, MARIE = "helene@beffroi.example", "marie@durand.example"
ROUTES = [*arrivals_page.routes(), *arrivals_api.routes()]
PRIVATE_WORDS = (
    MARIE,
    "+33639985501",
    "Gérante",
    "végétarien",
    "sans sel",
    "luc@ory.example",
    "répon",
    "silent",
    "declined",
)
pytestmark = on_sqlite


@dataclass(frozen=True)
class Evening:
    """Two events, and the link of the first one's helpers."""

    event_id: str
    other_id: str
    marie_id: str
    link: str

    @property
    def admin(self) -> str:
        return f"/admin/events/{self.event_id}/accueil"

    @property
    def helper(self) -> str:
        return f"/accueil/{self.event_id}"


@pytest.fixture
def evening(at: Callable[[str], datetime], club: str) -> Evening:
    """A lunch under way: Marie comes with a guest, Luc said no, Ana said nothing."""
    at("2027-01-14T11:30")
    with transaction() as session:
        add_admin(session, HELENE)
        event = add_event(session, "Matinale", datetime(2027, 1, 14, 11, tzinfo=UTC), status="confirmed")
        other = add_event(session, "Soirée", datetime(2027, 2, 14, 11, tzinfo=UTC), status="confirmed")
        marie = add_member(session, "Marie Durand", MARIE, phone="+33639985501", role="Gérante", company="Atelier")
        luc = add_member(session, "Luc Ory", "luc@ory.example")
        add_reservation(session, event, add_member(session, "Ana Bel", None))
        add_reservation(session, event, marie, will_attend=True, guest_count=1, meal_wish="végétarien")
        add_reservation(session, event, luc, will_attend=False)
        helper_link.make_link(session, SYSTEM, other.id)
        link = helper_link.make_link(session, SYSTEM, event.id).address
        return Evening(event.id, other.id, marie.id, link)


def visitor(routes: list[Route] | None = None) -> TestClient:
    return TestClient(Starlette(routes=routes or ROUTES), base_url="http://localhost:3000", follow_redirects=False)


def member_client(email: str) -> TestClient:
    client = visitor()
    with transaction() as session:
        client.cookies.set("session", sessions.open_session(session, email)[0])
    return client


def helper(evening: Evening, routes: list[Route] | None = None) -> TestClient:
    client = visitor(routes)
    opened = client.get(path_of(evening.link))
    assert (opened.status_code, opened.headers["location"]) == (303, evening.helper)
    return client


def path_of(link: str) -> str:
    address = urlsplit(link)
    return f"{address.path}?{address.query}"


def call_all(client: TestClient, evening: Evening, base: str) -> dict[str, int]:
    """The status of each address below a page, by its name; the page itself is ''."""
    found = {"": client.get(base).status_code, "etat": client.get(f"{base}/etat").status_code}
    found["touches"] = post(client, base, touch(evening.marie_id)).status_code
    found["lien"] = client.get(f"{base}/lien").status_code
    found["lien, made"] = client.post(f"{base}/lien", json={"act": "make"}).status_code
    return found


def post(client: TestClient, base: str, *touches: dict[str, Any], sent_at: float | None = None) -> Response:
    return client.post(f"{base}/touches", json={"sent_at": sent_at or now(), "touches": list(touches)})


def touch(person: str, kind: str = "arrived", at: float | None = None, **more: Any) -> dict[str, Any]:
    return {"id": new_id(), "person": person, "kind": kind, "at": at or now(), **more}


def now() -> float:
    return clock.now().timestamp() * 1000


def test_the_addresses_are_for_administrators_and_for_the_holder_of_the_link(evening: Evening) -> None:
    none = {"": 303, "etat": 401, "touches": 401, "lien": 401, "lien, made": 401}
    assert call_all(visitor(), evening, evening.admin) == none
    assert set(call_all(member_client(MARIE), evening, evening.admin).values()) == {403}
    nothing = {"": 403, "etat": 403, "touches": 403, "lien": 404, "lien, made": 404}
    for stranger in (visitor(), member_client(MARIE), member_client(HELENE)):
        assert call_all(stranger, evening, evening.helper) == nothing
    holder = helper(evening)
    assert call_all(holder, evening, evening.helper) == nothing | dict.fromkeys(("", "etat", "touches"), 200)
    assert call_all(holder, evening, evening.admin) == none
    assert set(call_all(member_client(HELENE), evening, evening.admin).values()) == {200}
    assert call_all(holder, evening, evening.helper) == nothing  # the administrator made another link


def test_the_link_opens_no_other_event_and_no_other_address_of_the_site(evening: Evening) -> None:
    holder = helper(evening, own_routes())
    token = holder.cookies["accueil"]
    for cookie in ("accueil", "session", "browser"):
        holder.cookies.set(cookie, token)
    stranger, closed = visitor(own_routes()), 0
    for method, path in every_address():
        is_arrivals = path.startswith("/accueil/")
        address = path.replace("{event_id}", evening.other_id if is_arrivals else evening.event_id)
        told, usual = (client.request(method, address) for client in (holder, stranger))
        assert told.status_code == usual.status_code, f"{method} {path}"
        closed += usual.status_code >= 300
    assert closed > 80
    other = visitor().get(f"/accueil/{evening.other_id}?token={token}")
    assert (other.status_code, NO_LINK in other.text) == (403, True)
    with_bearer = visitor().get(f"{evening.admin}/etat", headers={"Authorization": f"Bearer {token}"})
    assert with_bearer.status_code == 401


def every_address() -> set[tuple[str, str]]:
    """Every method and address of the site."""
    return {(method, route.path) for route in own_routes() for method in (route.methods or ()) if method != "HEAD"}


@pytest.mark.parametrize("end", ["withdrawn", "over", "cancelled"])
def test_a_link_that_has_ended_takes_nothing_more(evening: Evening, at: Callable[[str], datetime], end: str) -> None:
    holder = helper(evening)
    if end == "over":
        at("2027-01-15T02:01")
    with transaction() as session:
        if end == "withdrawn":
            helper_link.withdraw_link(session, SYSTEM, evening.event_id)
        if end == "cancelled":
            helper_link.find_event(session, evening.event_id).status = "cancelled"
    assert [client.status_code for client in (holder.get(evening.helper), holder.get(path_of(evening.link)))] == [
        403
    ] * 2
    assert post(holder, evening.helper, touch(evening.marie_id)).json() == {"error": NO_LINK}
    assert count() == 0


def test_helpers_read_names_and_companies_only(evening: Evening) -> None:
    holder, admin = helper(evening), member_client(HELENE)
    with transaction() as session:
        event = session.get_one(Event, evening.event_id)
        row = session.exec(select(EventReservation).where(EventReservation.member_id == evening.marie_id)).one()
        event.caterer_email, event.host_email = "chef@traiteur.example", "accueil@hote.example"
        add_guest(session, event, row.id, 1, name="Zoé Lys", email="zoe@lys.example", meal_wish="sans sel")
    for answer in (
        holder.get(evening.helper),
        holder.get(f"{evening.helper}/etat"),
        post(holder, evening.helper, touch(evening.marie_id)),
    ):
        read = f"{answer.headers}{answer.text}"
        assert [word for word in ("Marie Durand", "Zoé Lys", "Atelier", "Luc Ory", "Ana Bel") if word not in read] == []
        assert [word for word in PRIVATE_WORDS if word in read] == [], answer.url
        assert set(re.findall(r"[\w.+-]+@[\w-]+\.\w+", read)) == set()
    assert "a répondu non" in admin.get(evening.admin).text
    with reading() as session:
        tokens = session.exec(select(EventReservation.response_token)).all()
    assert not [token for token in tokens if token in holder.get(f"{evening.helper}/etat").text]


def test_the_token_goes_from_the_address_into_a_cookie_no_script_reads(evening: Evening) -> None:
    client = visitor()
    cookie = client.get(path_of(evening.link)).headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert f"Path={evening.helper};" in cookie
    assert "SameSite=lax" in cookie
    token = cookie.partition("=")[2].partition(";")[0]
    page = client.get(evening.helper)
    assert (token in page.text, page.headers["referrer-policy"], page.headers["cache-control"]) == (
        False,
        "no-referrer",
        "no-store",
    )


def test_the_page_holds_the_list_in_its_order_with_the_figures(evening: Evening) -> None:
    page = member_client(HELENE).get(evening.admin).text
    names = ("Marie Durand", "invité de Marie Durand", "Ana Bel", "Luc Ory")
    assert sorted(names, key=lambda name: page.index(f">{name}<")) == list(names)
    assert f'data-person-id="{evening.marie_id}"' in page
    assert '<b data-stat="total_arrived">0</b>' in page


def test_administrators_see_photographs_and_helpers_none(evening: Evening) -> None:
    with transaction() as session:
        session.get_one(Member, evening.marie_id).image_url = "/media/avatars/marie.jpg"
    assert 'src="/media/avatars/marie.jpg"' in member_client(HELENE).get(evening.admin).text
    holder = helper(evening)
    for address in (evening.helper, f"{evening.helper}/etat"):
        assert "/media/" not in holder.get(address).text


def test_without_answer_are_the_invited_who_gave_none_and_helpers_read_nobodys_answer(evening: Evening) -> None:
    """Who said no or was not invited is found by the search only."""
    with transaction() as session:
        add_member(session, "Zoé Nil", None)
    admin, holder = member_client(HELENE), helper(evening)
    page = admin.get(evening.admin).text
    assert re.findall(r"data-filter=.*?>([^<>]+)(?:</b>)? <span>(\d+)<", page) == [
        ("Attendus", "2"),
        ("Arrivés", "0"),
        ("Sans réponse", "1"),
    ]
    assert others(admin.get(f"{evening.admin}/etat")) == ["Ana Bel"]
    assert len(re.findall(r"<li [^>]*data-other", page)) == 1
    assert others(holder.get(f"{evening.helper}/etat")) == ["Ana Bel", "Luc Ory", "Zoé Nil"]
    assert ">Autres <span>3<" in holder.get(evening.helper).text
    with reading() as session:
        ana = session.exec(select(Member.id).where(Member.name == "Ana Bel")).one()
    post(admin, evening.admin, touch(ana))
    assert "Sans réponse <span>0<" in admin.get(evening.admin).text
    assert ">Autres <span>2<" in holder.get(evening.helper).text


def others(answer: Response) -> list[str]:
    return [row["name"] for row in answer.json()["rows"] if row["is_other"]]


def test_an_unchanged_list_is_not_sent_again(evening: Evening) -> None:
    admin = member_client(HELENE)
    known = {"If-None-Match": admin.get(f"{evening.admin}/etat").headers["etag"]}
    unchanged = admin.get(f"{evening.admin}/etat", headers=known)
    assert (unchanged.status_code, unchanged.content) == (304, b"")
    done = post(admin, evening.admin, touch(evening.marie_id)).json()
    assert (done["arrived"], done["expected"]) == (1, 2)
    assert admin.get(f"{evening.admin}/etat", headers=known).json() == done
    with reading() as session:
        assert session.exec(select(Arrival.recorded_by)).all() == [HELENE]


def test_the_instant_is_that_of_the_press_whatever_the_clock_of_the_device_says(evening: Evening) -> None:
    admin, wrong = member_client(HELENE), now() + 3_600_000 * 5
    post(admin, evening.admin, touch(evening.marie_id, at=wrong - 600_000), sent_at=wrong)
    with reading() as session:
        assert session.exec(select(Arrival.arrived_at)).all() == [datetime(2027, 1, 14, 11, 20, tzinfo=UTC)]


def test_a_guest_nobody_announced_comes_with_their_touch(evening: Evening) -> None:
    holder, person = helper(evening), new_id()
    others = re.findall(r"Autres <span>\d+", holder.get(evening.helper).text)
    rows = post(holder, evening.helper, touch(person, name="Ali Baba", company="Quarante")).json()["rows"]
    assert [(row["name"], row["company"], row["is_unannounced"]) for row in rows if row["arrived"]] == [
        ("Ali Baba", "Quarante", True)
    ]
    assert re.findall(r"Autres <span>\d+", holder.get(evening.helper).text) == others != []
    with reading() as session:
        assert session.get(Member, person) is None


def test_what_is_not_kept_is_answered_with_its_reason(evening: Evening) -> None:
    holder, lost = helper(evening), touch("nobody")
    told = post(holder, evening.helper, touch(evening.marie_id), lost).json()
    assert told["refused"] == [{"id": lost["id"], "person": "nobody", "text": UNKNOWN, "is_known": False}]
    assert (told["arrived"], "refused" in post(holder, evening.helper, touch(evening.marie_id)).json()) == (1, False)


def test_what_our_page_does_not_send_is_refused(evening: Evening) -> None:
    admin, marie = member_client(HELENE), evening.marie_id
    bodies: tuple[Any, ...] = (
        [],
        {"touches": []},
        {"sent_at": "x", "touches": []},
        {"sent_at": 1e300, "touches": []},
        {"sent_at": now(), "touches": [touch(marie)] * (arrivals_api.MOST_TOUCHES + 1)},
        *({"sent_at": now(), "touches": [wrong]} for wrong in ("x", {}, touch(""), touch("x" * 81), touch(marie, "x"))),
        {"sent_at": now(), "touches": [touch(marie, at=1e300)]},
        {"sent_at": now(), "touches": [touch(marie) | {"id": "x" * 40}]},
        {"sent_at": now(), "touches": [touch(marie, name="\0")]},
    )
    for body in bodies:
        assert admin.post(f"{evening.admin}/touches", json=body).status_code == 422, str(body)[:80]
    assert admin.post(f"{evening.admin}/lien", json={"act": "x"}).status_code == 422
    assert admin.post(f"{evening.admin}/touches", content=b"{").status_code == 415
    foreign = {"Origin": "https://elsewhere.example"}
    done = admin.post(f"{evening.admin}/touches", json={"sent_at": now(), "touches": [touch(marie)]}, headers=foreign)
    assert (done.status_code, count()) == (403, 0)


def test_the_worker_answers_for_its_page_only_and_holds_nothing(evening: Evening) -> None:
    worker = visitor().get(f"{evening.helper}/sw.js")
    assert worker.headers["service-worker-allowed"] == evening.helper
    assert worker.text.startswith(f'const base = "{evening.helper}";')
    assert "Marie" not in worker.text
    assert visitor().get("/accueil/%F0%9F%8E%89/sw.js").status_code == 404


def count() -> int:
    with reading() as session:
        return len(session.exec(select(Arrival)).all())
