"""The subject of a mail, its variables in French."""

import reflex as rx

from clubapp.ui.react.script_path import script


class SubjectReading(rx.Component):
    """Reads the field whose id is `target`; `labels` are the words of the variables by name."""

    library = script(__name__, "subject_reading.jsx")
    tag = "SubjectReading"

    target: rx.Var[str]
    labels: rx.Var[dict[str, str]]


subject_reading = SubjectReading.create
