"""What a member said of the latest event they were invited to: a drawing and words."""

from typing import Any

import reflex as rx

from clubapp.services.members.last_answer import NO, SILENT, WAITING, YES
from clubapp.ui.kit.icon import icon


def answer_mark(answer: Any) -> rx.Component:
    """A `LastAnswer`; nothing for who was never invited."""
    drawing = rx.match(
        answer.mark,
        (YES, icon("check", 16)),
        (NO, icon("cross", 16)),
        (WAITING, icon("hourglass", 16)),
        (SILENT, icon("clock", 16)),
        rx.fragment(),
    )
    return rx.el.span(drawing, answer.text, class_name="answer-mark")
