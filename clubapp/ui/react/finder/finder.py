"""The search over everything: the buttons that open it, and its dialog."""

from typing import Any

import reflex as rx

from clubapp.ui.react.script_path import script

_LIBRARY = script(__name__, "finder.jsx")


class Finder(rx.Component):
    """The dialog, opened by Ctrl+K, ⌘K and each `FinderButton`. Its children are the drawings of `KINDS` in finder.jsx.

    `on_search` is called with what was typed, and answered by `found` or `failed` with the same text in `asked`. While
    an answer is on its way, only the newest text waits.
    """

    library = _LIBRARY
    tag = "Finder"

    found: rx.Var[Any]
    failed: rx.Var[Any]

    on_search: rx.EventHandler[rx.event.passthrough_event_spec(str)]


class FinderButton(rx.Component):
    """A button that opens the dialog; `has_key` shows the key that does the same."""

    library = _LIBRARY
    tag = "FinderButton"

    label: rx.Var[str]
    has_key: rx.Var[bool]


class PressLink(rx.Component):
    """A link to a screen, on which the button with `data-press` of that name is pressed then."""

    library = _LIBRARY
    tag = "PressLink"

    to: rx.Var[str]
    press: rx.Var[str]


finder = Finder.create
finder_button = FinderButton.create
press_link = PressLink.create
