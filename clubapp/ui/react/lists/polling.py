"""A timer that runs only while the tab is visible."""

from typing import Any

import reflex as rx

from clubapp.ui.react.script_path import script


class Polling(rx.Component):
    """Calls `on_between` and `on_tick` in turn every `interval` ms, and `on_tick` when the tab becomes visible; with
    `follows_acts` also when a toast says that something was done here."""

    library = script(__name__, "polling.jsx")
    tag = "Polling"

    interval: rx.Var[int]
    follows_acts: rx.Var[bool]

    on_tick: rx.EventHandler[rx.event.no_args_event_spec]
    on_between: rx.EventHandler[rx.event.no_args_event_spec]


def polling(
    interval_ms: int | rx.Var[int], on_tick: Any, on_between: Any = None, *, follows_acts: bool = False
) -> rx.Component:
    """Calls `on_tick` every `interval_ms` while the tab is visible; every other time `on_between`, if given."""
    return Polling.create(
        interval=interval_ms, follows_acts=follows_acts, on_tick=on_tick, on_between=on_between or on_tick
    )
