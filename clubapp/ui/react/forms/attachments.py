"""The files of a mail: dropped or chosen, sent one after the other, shown, removed."""

from typing import Any

import reflex as rx

from clubapp.ui.react.script_path import script


class Attachments(rx.Component):
    """Posts files to `address`; `on_stored` is called after each. `files` are those that are kept, with id, name, size.

    What is refused stands beside its file. `most` files and `most_bytes` in all are told before they are sent;
    `kept_bytes` is what the kept ones weigh.
    """

    library = script(__name__, "attachments.jsx")
    tag = "Attachments"

    address: rx.Var[str]
    accept: rx.Var[str]
    files: rx.Var[Any]
    most: rx.Var[int]
    most_bytes: rx.Var[int]
    kept_bytes: rx.Var[int]
    total: rx.Var[str]

    on_stored: rx.EventHandler[rx.event.no_args_event_spec]
    on_remove: rx.EventHandler[rx.event.passthrough_event_spec(str)]


def attachments(**props: Any) -> rx.Component:
    """The list with its button."""
    return Attachments.create(**props)
