"""An invisible part of a form that proposes a tick from an hour."""

import reflex as rx

from clubapp.ui.react.script_path import script


class HourTick(rx.Component):
    """Ticks the box `target` while the hour of the moment `source` is from `first` to `last`, as '10:30', else not.

    Only while `active`, and not once somebody pressed the box.
    """

    library = script(__name__, "hour_tick.jsx")
    tag = "HourTick"

    source: rx.Var[str]
    target: rx.Var[str]
    first: rx.Var[str]
    last: rx.Var[str]
    active: rx.Var[bool]


hour_tick = HourTick.create
