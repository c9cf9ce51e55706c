"""The stages of an event in a row, each with what it is at."""

from typing import Any

import reflex as rx

from clubapp.ui.kit.icon import icon
from clubapp.ui.kit.text import show_if


def stage_cells(stages: Any) -> rx.Component:
    """The Var of a list of `Stage`s: a tick for what is done, a ring for the current one; its detail below the name."""
    return rx.el.ol(rx.foreach(stages, _cell), class_name="stage-cells")


def _cell(stage: Any) -> rx.Component:
    said = rx.match(stage.state, ("done", ", fait"), ("current", ", en cours"), ("coming", ", à venir"), "")
    return rx.el.li(
        rx.el.span(show_if(stage.state == "done", icon("check", 14)), class_name="stage-mark"),
        rx.el.span(
            rx.el.span(stage.name, class_name="stage-name"),
            rx.el.span(said, class_name="visually-hidden"),
            rx.el.span(stage.detail, class_name="stage-detail"),
            class_name="stage-words",
        ),
        aria_current=rx.cond(stage.state == "current", "step", rx.Var("undefined")),
        data_stage=stage.state,
        data_step=stage.key,
    )
