"""Who may call what, and what may not even be said."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, ClassVar

import pytest
import reflex as rx
from reflex.state import State
from reflex_base.event import Event
from reflex_base.registry import RegistrationContext
from starlette.testclient import TestClient

from clubapp import routes
from clubapp.database import transaction
from clubapp.services.access import sessions
from clubapp.services.base.actors import VISITOR, Actor, FactorStep
from clubapp.settings import settings
from clubapp.web.security import guard
from clubapp.web.security.declared_arguments import are_declared
from clubapp.web.security.guard import Access, UndeclaredAccess, has_access, is_clean
from tests.factories import add_admin
from tests.web.security.reports import HOSTILE, REFLEX, REPORT

MEMBER = Actor("m@club.example", member_id="1", session_id="s")
ADMIN = Actor("a@club.example", is_admin=True, session_id="s")
OWN = {Access.EVERYONE, Access.HALF_OPEN, Access.OWN_FRESH}

HYDRATE, ARRIVE = "hydrate", "hydrate_and_load"
LOADS, LOADED = (f"reflex___state____on_load_internal_state.{name}" for name in ("on_load_internal", "set_is_hydrated"))
KEEP = "reflex___state____update_vars_internal_state.update_vars_internal"


@pytest.mark.parametrize(
    ("person", "allowed"),
    [
        (VISITOR, {Access.EVERYONE}),
        (MEMBER, {*OWN, Access.SIGNED_IN, Access.MEMBER}),
        (ADMIN, {*OWN, Access.SIGNED_IN, Access.ADMIN, Access.ADMIN_FRESH}),
        (replace(MEMBER, needs_proof=True), {*OWN, Access.SIGNED_IN, Access.MEMBER} - {Access.OWN_FRESH}),
        (replace(ADMIN, needs_proof=True), {*OWN, Access.SIGNED_IN, Access.ADMIN} - {Access.OWN_FRESH}),
        (Actor("a@club.example", session_id="s", factor_step=FactorStep.VERIFY), OWN),
    ],
)
def test_who_has_which_access(person: Actor, allowed: set[Access]) -> None:
    assert {access for access in Access if has_access(person, access)} == allowed


@pytest.mark.parametrize("is_required", [False, True])
def test_whoever_waits_for_a_second_factor_is_led_to_it(
    visit: TestClient, environment: pytest.MonkeyPatch, is_required: bool
) -> None:
    """Or adds one, while the session is half open, and wherever administrators must have one (S12)."""
    environment.setenv("CLUB_ADMIN_SECOND_FACTOR", "required" if is_required else "optional")
    settings.cache_clear()
    with transaction() as session:
        add_admin(session, "helene@beffroi.example")
        cookie, _ = sessions.open_session(session, "helene@beffroi.example", is_half_open=not is_required)
        waiting = sessions.find_actor(session, cookie.partition(".")[0])
    visit.cookies.set("session", cookie)
    answer = visit.get(routes.ADMIN_ADMINISTRATORS)
    assert waiting is not None
    assert waiting.factor_step is FactorStep.ENROL
    assert (answer.status_code, answer.headers["location"]) == (303, routes.SECOND_STEP)
    assert guard.way_in(waiting) == routes.SECOND_STEP
    assert guard.way_in(VISITOR) == routes.SIGN_IN


def test_a_state_without_declared_access_stops_the_start() -> None:
    with RegistrationContext():

        class Declared(rx.State):
            ACCESS: ClassVar[Access] = Access.ADMIN

        class Forgotten(Declared):
            pass

        with pytest.raises(UndeclaredAccess, match="Forgotten"):
            guard.check_declarations()


def test_events_nobody_may_send() -> None:
    with RegistrationContext():

        class Screen(rx.State):
            ACCESS: ClassVar[Access] = Access.ADMIN

            @rx.event
            def press(self) -> None:
                """Press."""

        name = Screen.get_full_name()
        assert guard.access_of(f"{name}.press") is Access.ADMIN
        assert guard.access_of(f"{name}.setvar") is None
        assert guard.access_of(f"{name}.unheard_of") is None
        assert guard.access_of(f"{REFLEX}.hydrate") is Access.EVERYONE
        assert guard.access_of(f"{REFLEX}.setvar") is None


def test_an_event_of_reflex_is_let_in_by_its_full_name_only() -> None:
    """Fails when a handler of some other state of Reflex passes for having a name we know."""
    with RegistrationContext():

        class Sharing(State):
            @rx.event
            def hydrate(self) -> None:
                """Have a name that the front end needs elsewhere."""

        Sharing.__module__ = "reflex.istate.shared"
        name = f"{Sharing.get_full_name()}.hydrate"
        assert name in RegistrationContext.get().event_handlers
        assert guard.access_of(name) is None


@pytest.fixture
def browser_keeps() -> Iterator[str]:
    """The full name of a variable that a state keeps in the browser."""
    with RegistrationContext():

        class Kept(rx.State):
            ACCESS: ClassVar[Access] = Access.EVERYONE
            nonce: str = rx.LocalStorage("", name="nonce")
            email: str = ""

        yield f"{Kept.get_full_name()}.nonce_rx_state_"


def is_let_in(event: str, payload: Any) -> bool:
    return guard.is_payload_allowed(Event(name=f"{REFLEX}.{event}", payload=payload))


def test_what_the_front_end_sends_in_events_of_reflex_passes(browser_keeps: str) -> None:
    kept = {browser_keeps: "k" * 43}
    for event, payload in (
        (HYDRATE, {}),
        (ARRIVE, {}),
        (ARRIVE, {"vars": kept, "hashes": ["0123456789abcdef"] * 60}),
        (LOADS, {}),
        (LOADED, {"value": True}),
        (KEEP, {"vars": kept}),
        (REPORT, {"info": "TypeError: x is null\n  at f", "component_stack": None}),
    ):
        assert is_let_in(event, payload), (event, payload)


def test_anything_else_in_events_of_reflex_is_refused(browser_keeps: str) -> None:
    other = browser_keeps.replace("nonce", "email")
    refused = (
        (HYDRATE, {"x": 1}),
        (ARRIVE, {"x": 1}),
        (ARRIVE, {"vars": None}),
        (ARRIVE, {"vars": {other: "x"}}),
        (ARRIVE, {"vars": {browser_keeps: "k" * 1000}}),
        (ARRIVE, {"vars": {browser_keeps: 1}}),
        (ARRIVE, {"hashes": ["0123456789abcdef"] * 1000}),
        (ARRIVE, {"hashes": ["0123456789abcdeg"]}),
        (ARRIVE, {"hashes": "0123456789abcdef"}),
        (LOADS, {"x": 1}),
        (LOADED, {}),
        (LOADED, {"value": 1}),
        (KEEP, {}),
        (KEEP, {"vars": {"nowhere.nonce_rx_state_": "x"}}),
        (REPORT, {"info": "x"}),
        (REPORT, {"info": ["x"], "component_stack": ""}),
        (REPORT, {"info": "x", "component_stack": "", "more": ""}),
        (HYDRATE, []),
        (HYDRATE, None),
    )
    assert [(event, payload) for event, payload in refused if is_let_in(event, payload)] == []


def test_of_what_a_browser_reports_the_beginning_is_kept() -> None:
    """Fails when Reflex's own search gets a text that takes it hours, or one of backslashes that takes a minute."""
    payload = {"info": "TypeError: " + HOSTILE, "component_stack": "\\" * 90_000}
    assert is_let_in(REPORT, payload)
    assert payload["info"].startswith("TypeError: ")
    assert all(len(text) <= 500 for text in payload.values())


@pytest.mark.parametrize("value", ["a\0b", "\ud800", {"a": ["b", {"c": "\0"}]}, {"\0": 1}])
def test_text_no_database_can_store_is_refused(value: object) -> None:
    assert not is_clean(value)


def test_ordinary_text_passes() -> None:
    assert is_clean({"name": "Zoé 🎉 مرحبا", "list": [1, None, True, "O'Neil"]})


@pytest.mark.parametrize("innermost", ["\0", "x"])
def test_a_payload_of_endless_depth_is_refused(innermost: str) -> None:
    deep: list[object] = [innermost]
    for _ in range(5000):
        deep = [deep]
    assert not is_clean({"a": deep})
    assert is_clean({"entries": [["field", {"name": ["x"]}]]})


def test_a_payload_of_endless_length_is_refused() -> None:
    assert is_clean({"chosen": ["x"] * 5_000})
    assert not is_clean({"chosen": ["x"] * 50_000})


@pytest.mark.parametrize(
    ("hint", "fine", "wrong"),
    [
        (list[list[str]], ([], [["a", "b"], []]), (["a"], [["a", None]], [[1]], [{}], {}, "a")),
        (dict[str, str], ({}, {"a": "b"}), ({"a": 1}, {"a": ["b"]}, [], None)),
        (dict[str, Any], ({"a": [1, None]},), ("a", None)),
        (list[str] | None, (None, ["a"]), ([None], "a")),
        (int, (0, -1), (1.0, True, "1", None)),
    ],
)
def test_a_declared_type_holds_for_what_is_inside_too(hint: Any, fine: tuple[Any], wrong: tuple[Any]) -> None:
    def handler(self: Any, value: Any) -> None: ...

    handler.__annotations__["value"] = hint
    assert [value for value in fine if not are_declared(handler, {"value": value})] == []
    assert [value for value in wrong if are_declared(handler, {"value": value})] == []


def test_what_anybody_may_send_is_short_and_of_the_declared_types() -> None:
    """Fails when a visitor reaches a handler with what it does not expect, or fills the state of a tab."""
    with RegistrationContext():

        class Open(rx.State):
            ACCESS: ClassVar[Access] = Access.EVERYONE

            @rx.event
            def send(self, form: dict[str, Any], count: int = 0, share: float | None = None) -> None:
                """Take them."""

        def passes(**payload: Any) -> bool:
            event = Event(name=f"{Open.get_full_name()}.send", payload=payload)
            return guard.is_payload_allowed(event, Access.EVERYONE)

        for fine in ({"form": {}}, {"form": {"email": "x" * 300}, "count": 1, "share": 1}, {"form": {}, "share": None}):
            assert passes(**fine), fine
        for refused in (
            {},
            {"form": "x"},
            {"form": {}, "more": ""},
            {"form": {}, "count": True},
            {"form": {}, "count": "1"},
            {"form": {}, "share": []},
            {"form": {"email": "x" * 5_000}},
        ):
            assert not passes(**refused), refused
