"""A list of named facts, such as a profile that is only read."""

import reflex as rx

from clubapp.ui.text import Text, shown_if


def facts(*pairs: tuple[str, Text]) -> rx.Component:
    """Names and values; a fact without a value is left out."""
    return rx.el.dl(*[shown_if(value != "", _fact(name, value)) for name, value in pairs], class_name="facts")


def _fact(name: str, value: Text) -> rx.Component:
    return rx.el.div(rx.el.dt(name), rx.el.dd(value), class_name="fact")
