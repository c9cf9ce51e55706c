"""What the pages to read of a member and of a company share: targets to press, facts, what the public sees, history."""

from collections.abc import Callable
from typing import Any

import reflex as rx

from clubapp.ui.kit.icon import Icon, icon
from clubapp.ui.kit.links import external_link
from clubapp.ui.kit.text import broken_address, show_if


def reading_target(drawing: Icon, verb: str, text: Any, href: Any, nothing: str, *, parts: Any = None) -> rx.Component:
    """A telephone number, an address or a site to press: 56 pixels high. Without one it says `nothing`.

    A line of it breaks between its `parts`, where they are given.
    """
    written = text if parts is None else broken_address(parts)
    words = rx.el.span(rx.el.span(f"{verb} ", class_name="visually-hidden"), written, class_name="reading-target-text")
    link = external_link(rx.fragment(icon(drawing), words), href, class_name="reading-target")
    typed = rx.cond(text != "", written, nothing)
    return rx.cond(href != "", link, rx.el.p(icon(drawing), typed, class_name="reading-target reading-target-none"))


def fact(label: str, value: Any, is_known: Any) -> rx.Component:
    """A line of a list of facts."""
    return show_if(is_known, rx.el.div(rx.el.dt(label), rx.el.dd(value)))


def seen_list(parts: Any) -> rx.Component:
    """What the public sees and what it does not: parts with `label`, `is_visible`, `word` and `chosen`, by whom."""
    return rx.el.ul(rx.foreach(parts, _seen), class_name="reading-seen")


def timeline(lines: Any, drawing: Callable[[Any], Any]) -> rx.Component:
    """Lines of a history, the latest first, each with a `drawing`."""
    return rx.el.ol(rx.foreach(lines, lambda line: _line(line, drawing(line))), class_name="timeline")


def _seen(part: Any) -> rx.Component:
    return rx.el.li(
        rx.cond(part.is_visible, icon("eye"), icon("eye_off")),
        rx.el.span(part.label, show_if(part.chosen != "", rx.el.small(part.chosen, class_name="reading-chosen"))),
        rx.el.span(part.word, class_name="muted"),
        data_visible=part.is_visible,
    )


def _line(line: Any, drawing: Any) -> rx.Component:
    return rx.el.li(
        rx.el.span(drawing, class_name="timeline-mark", data_tone=line.tone),
        rx.el.div(
            rx.el.p(line.title, class_name="timeline-title"),
            show_if(line.detail != "", rx.el.p(line.detail, class_name="timeline-detail")),
            class_name="timeline-words",
        ),
        rx.el.time(line.when, class_name="timeline-when"),
        key=line.id,
        data_kind=line.kind,
    )
