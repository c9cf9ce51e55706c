"""The name under which a handler's time is told."""

from typing import ClassVar

import reflex as rx
from reflex_base.registry import RegistrationContext

from clubapp.web.screens.event_metrics import handler_name
from clubapp.web.security.guard import Access


def test_only_what_is_a_handler_has_a_name_so_that_no_client_invents_figures() -> None:
    with RegistrationContext():

        class TimedScreen(rx.State):
            ACCESS: ClassVar[Access] = Access.ADMIN

            @rx.event
            def press(self) -> None:
                """Press."""

        name = TimedScreen.get_full_name()
        assert handler_name(f"{name}.press").endswith(".TimedScreen.press")
        assert handler_name(f"{name}.unheard_of") == handler_name("") == handler_name("a" * 10_000) == ""
