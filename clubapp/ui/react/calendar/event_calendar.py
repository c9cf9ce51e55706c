"""The calendar of react-big-calendar in French. Only one screen imports it, because its scripts are large."""

from typing import Any

import reflex as rx
from reflex_base.components.component import NoSSRComponent

from clubapp.ui.react.script_path import script

script(__name__, "event_calendar.css")  # imported by the component, beside it


class EventCalendar(NoSSRComponent):
    """Month, week, day and agenda. Every time is local time of the club, as ISO text without an offset."""

    library = script(__name__, "event_calendar.jsx")
    tag = "EventCalendar"
    lib_dependencies: list[str] = ["react-big-calendar@1.20.0", "date-fns@4.4.0"]

    entries: rx.Var[list[Any]]
    today: rx.Var[str]
    height: rx.Var[int]

    on_pick: rx.EventHandler[rx.event.passthrough_event_spec(str)]
    on_open: rx.EventHandler[rx.event.passthrough_event_spec(str)]
    on_turn: rx.EventHandler[rx.event.no_args_event_spec]


def event_calendar(
    entries: Any, today: Any, *, on_pick: Any, on_open: Any, on_turn: Any, height: int = 600
) -> rx.Component:
    """A calendar of `entries` (id, title, start, end, status, status_label).

    `on_pick` receives the local time of an empty slot, `on_open` the id of an event; `on_turn` is called when another
    view or month is shown.
    """
    return EventCalendar.create(
        entries=entries, today=today, height=height, on_pick=on_pick, on_open=on_open, on_turn=on_turn
    )
