"""Rows of a list that are chosen for an act on several; what is chosen is known to the browser alone until the act."""

import reflex as rx

from clubapp.ui.react.script_path import script


def _act(act: rx.Var[str], ids: rx.Var[list[str]]) -> tuple[rx.Var[str], rx.Var[list[str]]]:
    return act, ids


class SelectableRows(rx.Component):
    """Around rows with `data_record_id`: see selectable_rows.jsx. A new `round` chooses `everything`, `done` nobody."""

    library = script(__name__, "selectable_rows.jsx")
    tag = "SelectableRows"

    everything: rx.Var[list[str]]
    round: rx.Var[int]
    done: rx.Var[int]


class RowCheck(rx.Component):
    """The box of the row of a `record`."""

    library = SelectableRows.library
    tag = "RowCheck"

    record: rx.Var[str]
    label: rx.Var[str]


class AllCheck(rx.Component):
    """The box of all `rows`, their ids."""

    library = SelectableRows.library
    tag = "AllCheck"

    rows: rx.Var[list[str]]
    label: rx.Var[str]


class SelectionBar(rx.Component):
    """Its children are the acts. `rows` are the ids that are shown; `on_all` chooses all `found`, at `most` so many."""

    library = SelectableRows.library
    tag = "SelectionBar"

    label: rx.Var[str]
    rows: rx.Var[list[str]]
    found: rx.Var[int]
    most: rx.Var[int]

    on_all: rx.EventHandler[rx.event.no_args_event_spec]


class SelectionAct(rx.Component):
    """A button; `on_act` gets the `act` and the ids of those who are chosen. `one` is its label for a single one."""

    library = SelectableRows.library
    tag = "SelectionAct"

    act: rx.Var[str]
    label: rx.Var[str]
    one: rx.Var[str]

    on_act: rx.EventHandler[_act]
