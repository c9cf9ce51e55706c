"""The frame of a screen about one event: its title and day at the head, and what stands there until it has come."""

from typing import Any

import reflex as rx

from clubapp import routes
from clubapp.ui.frame.layouts import admin_layout, screen_main
from clubapp.ui.kit.button import button, link_button
from clubapp.ui.kit.loading import is_in_address, skeleton_lines, when_there
from clubapp.ui.react.frame.takeover import takeover

_BACK = "Retour aux événements"


def event_screen(
    state: Any, of: Any, content: rx.Component, *, title: str, on_arrive: Any, is_printed: bool = False
) -> rx.Component:
    """The screen. `of` of the state has the event's id, empty until it is read, its title and date."""
    is_there = is_in_address(of.event_id)
    return admin_layout(
        takeover(True),
        when_there(state, is_there, content, link_button(_BACK, routes.ADMIN_EVENTS)),
        title=title,
        hint=rx.cond(is_there, f"{of.title}, {of.date}", ""),
        actions=[_leading(of), *_actions(is_printed)],
        on_arrive=on_arrive,
    )


def _leading(of: Any) -> rx.Component:
    """The way to the page of the event itself."""
    page = link_button("Page de la rencontre", routes.admin_event(of.event_id), variant="quiet")
    return rx.cond(is_in_address(of.event_id), page, rx.fragment())


def event_placeholder(title: str, *, is_printed: bool = False) -> rx.Component:
    """The first paint; the document takes the layout around it from another built screen."""
    return screen_main(skeleton_lines(8), title=title, hint=rx.Var.create(""), actions=_actions(is_printed))


def _actions(is_printed: bool) -> list[rx.Component]:
    back = link_button(_BACK, routes.ADMIN_EVENTS, variant="quiet")
    printing = rx.call_function(rx.Var("() => window.print()"))
    return [back, *([button("Imprimer", variant="secondary", on_click=printing)] if is_printed else [])]
