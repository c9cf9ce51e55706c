"""The formatting of a mail's text, whose editor is fetched by the screens that need it."""

import reflex as rx

from clubapp.ui.react.forms import image_input
from clubapp.ui.react.script_path import script

script(__name__, "mail_schema.jsx")  # imported by the editor
script(__name__, "mail_editor.jsx")  # imported by the component once it is shown
script(image_input.__name__, "image_crop_dialog.jsx")  # imported for a picture


class MailText(rx.Component):
    """Formatting for the field whose id is `target`, its child.

    `labels` are the words of all variables by name, `offered` the names of those that the text may hold.
    """

    library = script(__name__, "mail_text.jsx")
    tag = "MailText"
    lib_dependencies: list[str] = [
        "prosemirror-commands@1.7.2",
        "prosemirror-history@1.5.1",
        "prosemirror-inputrules@1.6.0",
        "prosemirror-keymap@1.2.3",
        "prosemirror-model@1.25.13",
        "prosemirror-schema-list@1.6.0",
        "prosemirror-state@1.4.4",
        "prosemirror-view@1.42.9",
    ]

    target: rx.Var[str]
    label: rx.Var[str]
    labels: rx.Var[dict[str, str]]
    offered: rx.Var[list[str]]
    is_each_line: rx.Var[bool]
