"""Every handler of every State, called over a real websocket by everyone who may not (W1), and by who may with what it
does not expect (W5).

The matrix is made from the program itself: a handler added tomorrow is in it, and one whose arguments
this file cannot make fails the test.
"""

import inspect
import json
import typing
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from http.client import HTTPConnection
from typing import Any

import pytest
from sqlalchemy import Engine, text, update
from sqlmodel import Session, SQLModel, col, select

from clubapp import clock, routes, tokens
from clubapp import settings as settings_module
from clubapp.clubapp import app
from clubapp.database import make_engine
from clubapp.models import Admin, Event, Member, UserSession
from clubapp.services import demo
from clubapp.services.access import sessions
from clubapp.services.attendance import helper_link
from clubapp.services.base.actors import SYSTEM, VISITOR, Actor
from clubapp.services.events import mailing_schedule
from clubapp.services.reminders import settings as reminder_settings
from clubapp.web.security.declared_arguments import are_declared
from clubapp.web.security.guard import UNDECLARED, Access, access_of, has_access, way_in
from tests.e2e.serving import hostile
from tests.e2e.site import Site
from tests.factories import add_event, add_reservation, settle_due_mailings
from tests.web.answer_form import post_answer
from tests.web.tab import Tab, redirects

AT_ONCE = 60  # handlers that one connection calls: it may send 120 messages in a row
FORGED_AT_ONCE = 4  # of those that are called several times
# Kept by the scheduler and by looking, not by the handlers under test.
_MOVING = {"sessions", "mail_outbox", "sign_in_links", "alembic_version"}


@dataclass(frozen=True)
class Person:
    """Someone with a tab: their cookie, and what the program should think of them."""

    name: str
    cookie: str
    actor: Actor


@dataclass(frozen=True)
class World:
    """A served club and everyone who calls."""

    site: Site
    engine: Engine
    people: dict[str, Person]
    arguments: dict[str, Any]
    token: str


def handlers() -> list[str]:
    """Every event of every State of ours."""
    with app.set_contexts():
        found = app._registration_context.event_handlers
        return sorted(
            name
            for name, registered in found.items()
            if registered.states[0].__module__.startswith("clubapp.") and not name.endswith(".setvar")
        )


def declared(name: str) -> Access:
    with app.set_contexts():
        access = access_of(name)
    assert access is not None, name
    return access


@pytest.fixture(scope="module")
def world(file_site: Callable[..., Site], several: Callable[[], dict[str, str]]) -> Iterator[World]:
    site = file_site(**several())
    engine = make_engine(site.database_url)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CLUB_SECRET_KEY", site.variables()["CLUB_SECRET_KEY"])
        settings_module.settings.cache_clear()
        # As our own transactions begin: the server's jobs write meanwhile, and a reader cannot turn into a writer then.
        writing = engine.execution_options(club_writes=True)
        with Session(writing, expire_on_commit=False) as session, session.begin():
            yield World(site, engine, *_cast(session))
        settings_module.settings.cache_clear()


def _cast(session: Session) -> tuple[dict[str, Person], dict[str, Any], str]:
    admins = set(session.exec(select(Admin.email)))
    members = [
        member
        for member in session.exec(select(Member).where(col(Member.email).is_not(None)).order_by(col(Member.id)))
        if member.email not in admins
    ][:2]
    session.add(Admin(email="partie@club.example", created_at=members[0].created_at))
    session.flush()
    event, token = _invited(session, members[1])
    mailing_schedule.plan_all_mailings(session, late=True)  # as the server does by itself, at some moment
    settle_due_mailings(session)
    people = {"visitor": Person("visitor", "", VISITOR)}
    for name, email in {
        "member A": members[0].email,
        "member B": members[1].email,
        "administrator": demo.ADMIN_EMAIL,
        "administrator and member": demo.SECOND_ADMIN_EMAIL,
        "removed administrator": "partie@club.example",
    }.items():
        cookie, _ = sessions.open_session(session, str(email))
        actor = sessions.find_actor(session, cookie.partition(".")[0])
        assert actor is not None, name
        people[name] = Person(name, f"session={cookie}", actor)
    people["old proof"] = _signed_in(session, "old proof", proved_at=clock.now() - timedelta(minutes=11))
    people["half open"] = _signed_in(session, "half open", is_half_open=True)
    people["helper"] = _helper(session, event)
    session.connection().execute(text("DELETE FROM admins WHERE email = 'partie@club.example'"))
    session.commit()
    people["removed administrator"] = Person("removed administrator", people["removed administrator"].cookie, VISITOR)
    ids = {"event_id": event.id, "member_id": members[1].id, "company_id": members[1].company_id or members[1].id}
    return people, ids | {"token": "not-a-token"}, token


def _signed_in(session: Session, name: str, **values: Any) -> Person:
    """The administrator, in a session that is not as good as a new one."""
    cookie, _ = sessions.open_session(session, demo.ADMIN_EMAIL)
    session_id = cookie.partition(".")[0]
    session.connection().execute(update(UserSession).where(col(UserSession.id) == session_id).values(**values))
    actor = sessions.find_actor(session, session_id)
    assert actor is not None, name
    return Person(name, f"session={cookie}", actor)


def _helper(session: Session, event: Event) -> Person:
    """The holder of the link of an event's helpers, who sends its token under every name a cookie of ours has."""
    token = helper_link.make_link(session, SYSTEM, event.id).address.rpartition("=")[2]
    return Person("helper", f"accueil={token}; session={token}; browser={token}", VISITOR)


def _invited(session: Session, member: Member) -> tuple[Event, str]:
    """An event of its own in a far month, to which the member is invited."""
    event = add_event(session, title="Soirée de la matrice", date=clock.now() + timedelta(days=900), status="confirmed")
    return event, add_reservation(session, event, member)[1]


def arguments(name: str, known: dict[str, Any]) -> dict[str, Any]:
    """Plausible arguments for a handler, from the names and types it declares."""
    handler = app._registration_context.event_handlers[name].handler.fn
    hints = typing.get_type_hints(handler)
    hints.pop("return", None)
    names = [parameter for parameter in inspect.signature(handler).parameters if parameter != "self"]
    assert set(names) <= set(hints), f"{name}: an argument without its type"
    return {argument: _plausible(argument, hints[argument], known) for argument in names}


def _plausible(argument: str, hint: Any, known: dict[str, Any]) -> Any:
    if argument in known:
        return known[argument]
    origin = typing.get_origin(hint) or hint
    if origin is dict:
        return {**known, "title": "Forgé", "name": "Forgé", "email": "forge@club.example", "date": "2031-05-05T14:00"}
    if origin is list:
        return [_plausible("", typing.get_args(hint)[0], known)] * 2  # the fields of a form are pairs
    makers: dict[Any, Any] = {str: known["event_id"], int: 1, float: 1.0, bool: True}
    if origin in makers:
        return makers[origin]
    choices = [choice for choice in typing.get_args(hint) if choice is not type(None)]
    assert choices, f"no plausible value for {argument}: {hint}"
    return _plausible(argument, choices[0], known)


def snapshot(engine: Engine) -> dict[str, list[Any]]:
    """Everything the database holds that a handler could have changed."""
    with engine.connect() as connection:
        return {
            table.name: sorted(map(repr, connection.execute(table.select())))
            for table in SQLModel.metadata.sorted_tables
            if table.name not in _MOVING
        }


def without_own(shown: dict[str, list[Any]], actor: Actor) -> dict[str, list[Any]]:
    """The database without the rows of one member: they may choose for themselves, and that is on record."""
    own = {actor.email, actor.member_id or ""}
    own |= {row.split("'")[1] for row in shown["acts"] if any(word in row for word in own)}
    return {
        table: [row for row in rows if not any(word in row for word in own)]
        for table, rows in shown.items()
        if table != "act_chain"
    }


@pytest.fixture(scope="module")
def pristine(world: World) -> dict[str, Any]:
    """What a tab shows that has done nothing."""
    with Tab(world.site.url) as tab:
        return _screens(tab.hydrate())


def _screens(update: dict[str, Any]) -> dict[str, Any]:
    return {name: values for name, values in update["delta"].items() if ".clubapp___" in name}


def test_the_matrix_is_not_empty() -> None:
    assert {Access.EVERYONE, Access.SIGNED_IN, Access.ADMIN} <= {declared(name) for name in handlers()}


@pytest.mark.parametrize("who", ["visitor", "helper", "member A", "removed administrator", "half open"])
def test_who_may_not_changes_nothing_and_learns_nothing(world: World, pristine: dict[str, Any], who: str) -> None:
    person = world.people[who]
    refused = [name for name in handlers() if not has_access(person.actor, declared(name))]
    assert refused
    before = snapshot(world.engine)
    for names in _some_at_once(refused, AT_ONCE):
        states = {name.rpartition(".")[0] for name in names}
        with Tab(world.site.url, cookie=person.cookie) as tab:
            for name in names:
                tab.send(name, **arguments(name, world.arguments))
                told, where = _sent_away(tab)
                assert where, f"{who} was not sent away by {name}"
                assert all(path.startswith(way_in(person.actor)) for path in where), f"{name}: {where}"
                assert not states & told, f"{who} was told something by {name}"
            shown = tab.hydrate()["delta"]
        learned = [state for state in states if shown.get(state) != pristine.get(state)]
        assert not learned, f"{who} learned something from {learned}"
    assert snapshot(world.engine) == before


def _some_at_once(names: list[str], count: int) -> Iterator[list[str]]:
    for start in range(0, len(names), count):
        yield names[start : start + count]


def _sent_away(tab: Tab) -> tuple[set[str], list[str]]:
    """The states that the answer to an event tells of, until it leads elsewhere; and where that is."""
    told: set[str] = set()
    while update := tab.receive():
        told |= set(update.get("delta") or ())
        if where := redirects([update]):
            return told, where
    return told, []


def test_an_old_proof_does_nothing_that_lasts_and_is_asked_for(world: World) -> None:
    person, before = world.people["old proof"], snapshot(world.engine)
    lasting = [name for name in handlers() if declared(name) is Access.ADMIN_FRESH]
    assert len(lasting) > 5
    for name in lasting:
        with Tab(world.site.url, cookie=person.cookie) as tab:
            tab.call(name, **arguments(name, world.arguments))
            shown = tab.hydrate()["delta"]
        (dialog,) = [values for state, values in shown.items() if state.endswith("screens___proof____proof_state")]
        assert dialog["is_open_rx_state_"], name
    assert snapshot(world.engine) == before


def test_an_old_proof_turns_on_no_mail_to_everybody(world: World) -> None:
    """Its service alone knows that it needs a proof: turning a mail off, in the same form, needs none."""
    person = world.people["old proof"]
    with Session(world.engine) as session:
        stored = reminder_settings.read_settings(session, SYSTEM)
    identifiers = [card.id for card in stored.cards]
    cards = {"seen": stored.seen, "id": identifiers, "is_active": identifiers, "days_before": ["1"] * len(identifiers)}
    texts = {name: ["Forgé"] * len(identifiers) for name in ("template_subject", "template_content")}
    before = snapshot(world.engine)
    (name,) = [each for each in handlers() if each.endswith("reminders_state.save")]
    with Tab(world.site.url, cookie=person.cookie) as tab:
        tab.call(name, entries=cards | texts)
        shown = tab.hydrate()["delta"]
    (dialog,) = [values for state, values in shown.items() if state.endswith("screens___proof____proof_state")]
    assert dialog["is_open_rx_state_"]
    assert snapshot(world.engine) == before


@pytest.mark.parametrize("who", ["visitor", "helper"])
def test_a_visitor_changes_nothing_through_what_is_open_to_everyone(world: World, who: str) -> None:
    before = snapshot(world.engine)
    for name in (name for name in handlers() if declared(name) is Access.EVERYONE):
        with Tab(world.site.url, cookie=world.people[who].cookie) as tab:
            tab.call(name, **arguments(name, world.arguments))
    assert snapshot(world.engine) == before


def test_a_token_holder_reaches_one_reservation(world: World) -> None:
    before = snapshot(world.engine)
    known = world.arguments | {"token": world.token}
    with Tab(world.site.url, path=routes.answer(known["event_id"])) as tab:
        for name in [name for name in handlers() if declared(name) is Access.EVERYONE]:
            tab.call(name, **arguments(name, known))
    assert snapshot(world.engine) == before, "an answer is posted, not sent over the socket"
    connection = HTTPConnection("127.0.0.1", world.site.port)
    assert post_answer(connection, known["event_id"], world.token, will_attend="true").status == 303
    after = snapshot(world.engine)
    changed = {table for table in after if after[table] != before[table]}
    assert changed == {"event_reservations", "reservation_answers"}
    others = [row for row in after["event_reservations"] if tokens.fingerprint(world.token) not in row]
    assert others == [row for row in before["event_reservations"] if tokens.fingerprint(world.token) not in row]


def test_member_a_changes_nothing_of_member_b(world: World) -> None:
    person = world.people["member A"]
    before = snapshot(world.engine)
    for name in (name for name in handlers() if has_access(person.actor, declared(name))):
        with Tab(world.site.url, cookie=person.cookie) as tab:
            shown = tab.call(name, **arguments(name, world.arguments))
        assert not any(path.startswith(routes.SIGN_IN) for path in redirects(shown)), name
    assert without_own(snapshot(world.engine), person.actor) == without_own(before, person.actor)


def test_an_administrator_is_let_through(world: World) -> None:
    person = world.people["administrator"]
    loads = [name for name in handlers() if declared(name) is Access.ADMIN and name.endswith(".load")]
    assert loads
    for name in loads:
        with Tab(world.site.url, cookie=person.cookie) as tab:
            assert not redirects(tab.call(name, **arguments(name, world.arguments))), name


def test_a_tab_token_is_worth_nothing_in_another_session(world: World, pristine: dict[str, Any]) -> None:
    loads = [name for name in handlers() if declared(name) is Access.ADMIN and name.endswith(".load")]
    cookie = world.people["administrator"].cookie
    with Tab(world.site.url, cookie=cookie, token="the-same-tab") as tab:
        for name in loads:
            tab.call(name, **arguments(name, world.arguments))
        seen = _screens(tab.hydrate())
        told = tab.hydrate()["delta"]["reflex___state____state"]["rx_router_session_rx_state_"]["client_token"]
    assert seen != pristine
    for token in ("the-same-tab", told):
        for other in ("", world.people["member A"].cookie):
            with Tab(world.site.url, cookie=other, token=token) as tab:
                assert _screens(tab.hydrate()).keys() == pristine.keys()
                private = [name.rpartition(".")[0] for name in loads]
                shown = _screens(tab.hydrate())
                assert {name: shown[name] for name in private} == {name: pristine[name] for name in private}


def test_forged_arguments_of_who_is_signed_in_are_refused_in_french_without_a_trace(world: World) -> None:
    """Fails when a handler behind the sign-in is reached with arguments that it does not declare."""
    cookie = world.people["administrator and member"].cookie  # who reaches every handler
    found = hostile.handlers({access for access in Access if access is not Access.EVERYONE})
    assert len(found) > 250
    with hostile.hearing(world.site) as hears:
        for names in _some_at_once(list(found), AT_ONCE):
            with Tab(world.site.url, cookie=cookie) as tab:
                assert [name for name in names if not _is_refused_in_french(tab, name)] == []
        for names in _some_at_once([name for name in found if found[name]], FORGED_AT_ONCE):
            events = [(name, payload) for name in names for payload in _forged(name, found[name])]
            with Tab(world.site.url, cookie=cookie) as tab:
                hears(" ".join(name.rpartition("____")[2] for name in names), partial(hostile.send_all, tab, events))


def _forged(name: str, declared: dict[str, Any]) -> list[dict[str, Any]]:
    """Hostile arguments: those that reach the handler, being of its types, and one of those that do not."""
    handler = app._registration_context.event_handlers[name].handler.fn
    payloads = [dict.fromkeys(declared, value) for value in ("a" * 3_000, *hostile.WRONG)]
    refused = [payload for payload in payloads if not are_declared(handler, payload)]
    return [payload for payload in payloads if payload not in refused] + refused[:1]


def _is_refused_in_french(tab: Tab, name: str) -> bool:
    tab.send(name, unknown=1)
    while update := tab.receive():
        if UNDECLARED in json.dumps(update, ensure_ascii=False):
            return True
    return False
