"""A clock that ticks only while someone looks at the tab."""

from typing import Any

import reflex as rx

from clubapp.ui.vendor.beside import script


class Ticker(rx.Component):
    """Calls `on_tick` every `interval` milliseconds, and at once when the tab is looked at again.

    With `on_between`, every other tick is that one's.
    """

    library = script(__name__, "ticker.jsx")
    tag = "Ticker"

    interval: rx.Var[int]

    on_tick: rx.EventHandler[rx.event.no_args_event_spec]
    on_between: rx.EventHandler[rx.event.no_args_event_spec]


def ticker(interval_ms: int | rx.Var[int], on_tick: Any, **between: Any) -> rx.Component:
    """Keep a screen live: `on_tick` reads again while the tab is visible; `on_between=` every other time instead."""
    return Ticker.create(interval=interval_ms, on_tick=on_tick, **between)
