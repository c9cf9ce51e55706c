"""The fields for a mail: of its subject, and of its text with chips for variables, formatting and pictures."""

from collections.abc import Mapping
from typing import Any

import reflex as rx

from clubapp.services.base.form_fields import LONGEST_LINE
from clubapp.ui.kit.field import field, field_id, text_area
from clubapp.ui.kit.text import Text
from clubapp.ui.react.mail_texts.mail_text import MailText
from clubapp.ui.react.mail_texts.subject_reading import subject_reading

# The accessible name of the editor; that of the field is its label.
EDITOR = "Texte de l’e-mail, mis en forme"


def mail_subject(label: Text, name: str, variables: Mapping[str, str], **props: Any) -> rx.Component:
    """A field of one line, under which its variables are read in French; takes what `field` takes."""
    control_id = field_id(name, dict(props))
    return rx.el.div(
        field(label, name, max_length=LONGEST_LINE, **props),
        subject_reading(target=control_id, labels=dict(variables)),
        class_name="mail-subject-field",
    )


def mail_text_area(
    label: Text,
    name: str,
    variables: Mapping[str, str],
    *,
    offered: rx.Var[list[str]] | None = None,
    is_each_line: bool = False,
    **props: Any,
) -> rx.Component:
    """A field of several lines with an editor over it; takes what `text_area` takes.

    `variables` are the French words of the variables, by name; of these `offered`, or all, may stand in the
    text. With
    `is_each_line`, each line of a plain text is a paragraph. The field holds the text as it is stored
    (formatted_text.py) and is submitted under its name.
    """

    def cover(control_id: Any, control: rx.Component) -> rx.Component:
        return MailText.create(
            control,
            target=control_id,
            label=EDITOR,
            labels=dict(variables),
            offered=list(variables) if offered is None else offered,
            is_each_line=is_each_line,
        )

    return text_area(label, name, cover=cover, **props)
