"""Who answered what to an event, as a bar; the words and numbers of the same stand beside it."""

from typing import Any

import reflex as rx


def answer_bar(shares: Any) -> rx.Component:
    """The bar of `AnswerShare`s, hidden from screen readers."""
    return rx.el.span(
        rx.foreach(shares, lambda part: rx.el.span(data_answer=part.kind, style={"flexGrow": part.count})),
        aria_hidden="true",
        class_name="answer-shares",
    )
