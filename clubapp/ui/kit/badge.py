"""Badges: a word on a coloured background; the word carries the meaning without the colour."""

from typing import Any, Literal

import reflex as rx

from clubapp.ui.kit.text import Text, classes

Tone = Literal["amber", "green", "indigo", "red", "neutral"]


def badge(text: Text, tone: Tone = "neutral", **props: Any) -> rx.Component:
    """A word on a background of one of the five tones."""
    return rx.el.span(text, class_name=classes(f"badge badge-{tone}", props), **props)


def status_badge(status: Text, label: Text, **props: Any) -> rx.Component:
    """The status of an event (draft, confirmed, completed, cancelled) with its French name."""
    return rx.el.span(label, class_name=classes("badge", props), data_status=status, **props)
