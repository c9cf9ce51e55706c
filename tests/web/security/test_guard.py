"""Who may call what, and what may not even be said."""

from typing import ClassVar

import pytest
import reflex as rx
from reflex_base.registry import RegistrationContext

from clubapp.services.base.actors import VISITOR, Actor
from clubapp.web.security import guard
from clubapp.web.security.guard import Access, Undeclared, is_clean, may

MEMBER = Actor("m@club.example", member_id="1", session_id="s")
ADMIN = Actor("a@club.example", is_admin=True, session_id="s")


@pytest.mark.parametrize(
    ("person", "allowed"),
    [
        (VISITOR, {Access.EVERYONE}),
        (MEMBER, {Access.EVERYONE, Access.SIGNED_IN, Access.MEMBER}),
        (ADMIN, {Access.EVERYONE, Access.SIGNED_IN, Access.ADMIN}),
    ],
)
def test_who_has_which_access(person: Actor, allowed: set[Access]) -> None:
    assert {access for access in Access if may(person, access)} == allowed


def test_a_state_without_declared_access_stops_the_start() -> None:
    with RegistrationContext():

        class Declared(rx.State):
            ACCESS: ClassVar[Access] = Access.ADMIN

        class Forgotten(Declared):
            pass

        with pytest.raises(Undeclared, match="Forgotten"):
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
        assert guard.access_of("reflex___state____state.hydrate") is Access.EVERYONE
        assert guard.access_of("reflex___state____state.setvar") is None


@pytest.mark.parametrize("value", ["a\0b", "\ud800", {"a": ["b", {"c": "\0"}]}, {"\0": 1}])
def test_text_no_database_can_store_is_refused(value: object) -> None:
    assert not is_clean(value)


def test_ordinary_text_passes() -> None:
    assert is_clean({"name": "Zoé 🎉 مرحبا", "list": [1, None, True, "O'Neil"]})


def test_a_payload_of_any_depth_is_looked_through() -> None:
    deep: list[object] = ["\0"]
    for _ in range(5000):
        deep = [deep]
    assert not is_clean({"a": deep})
