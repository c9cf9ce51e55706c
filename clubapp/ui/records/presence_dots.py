"""How present a member is: a row of dots for the last meetings, with its legend, and figures by season."""

from typing import Any

import reflex as rx

from clubapp.ui.kit.text import visually_hidden


def presence_lists(presence: Any) -> tuple[rx.Component, ...]:
    """The dots, the oldest left, their legend, and the figures by season."""
    return (
        rx.el.ol(rx.foreach(presence.dots, _dot), aria_label="Dernières rencontres", class_name="presence-dots"),
        rx.el.ul(rx.foreach(presence.legend, _counted), aria_label="Légende", class_name="presence-legend"),
        rx.el.ul(rx.foreach(presence.seasons, _season), aria_label="Par saison", class_name="presence-seasons"),
    )


def _dot(dot: Any) -> rx.Component:
    return rx.el.li(
        _shape(dot.mark),
        rx.el.span(dot.month, aria_hidden="true", class_name="presence-month"),
        visually_hidden(dot.text),
        title=dot.text,
        data_mark=dot.mark,
    )


def _counted(item: Any) -> rx.Component:
    return rx.el.li(_shape(item.mark), rx.el.span(item.label), rx.el.strong(item.count))


def _season(line: Any) -> rx.Component:
    return rx.el.li(line)


def _shape(mark: Any) -> rx.Component:
    return rx.el.span(class_name=f"dot dot-{mark}", aria_hidden="true")
