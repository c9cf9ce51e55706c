"""/admin/events/{id}/appels: before an event, call those who have not answered; on a phone, or on one printed page."""

from typing import Any

import reflex as rx

from clubapp import routes
from clubapp.pages.admin.call_list.parts import rows
from clubapp.pages.admin.call_list.state import CallListState
from clubapp.ui import banner, button, empty_state, error_state, link_button, polling, skeleton_lines, takeover
from clubapp.ui.frame.layouts import admin_layout, screen_main
from clubapp.ui.kit.text import show_if
from clubapp.web.screens.page import Page

FOLLOW_MS = 2000
BEGUN = "La rencontre a commencé\u00a0: ce que vous notez corrige la liste, et aucun e-mail ne part."
TITLE = "Liste d’appels"
_calls: Any = CallListState.calls


def content() -> rx.Component:
    """The screen."""
    return admin_layout(
        takeover(True),
        rx.cond(
            CallListState.missing != "",
            error_state(CallListState.missing, "", link_button("Retour aux événements", routes.ADMIN_EVENTS)),
            rx.cond(_calls.event_id != "", _list(), skeleton_lines(8)),
        ),
        title=TITLE,
        hint=rx.cond(_calls.event_id != "", f"{_calls.title}, {_calls.date}", ""),
        actions=_actions(),
        on_arrive=CallListState.begin,
    )


def first_paint() -> rx.Component:
    """The placeholder of the list; the document takes the layout around it from another built screen."""
    return screen_main(skeleton_lines(8), title=TITLE, hint=rx.Var.create(""), actions=_actions())


def _actions() -> list[rx.Component]:
    return [
        link_button("Retour aux événements", routes.ADMIN_EVENTS, variant="quiet"),
        button("Imprimer", variant="secondary", on_click=rx.call_function(rx.Var("() => window.print()"))),
    ]


def _list() -> rx.Component:
    return rx.el.section(
        polling(FOLLOW_MS, CallListState.follow),
        show_if(_calls.closed != "", banner(_calls.closed)),
        show_if((_calls.closed == "") & _calls.has_begun, banner(BEGUN)),
        rx.el.p(_calls.sentence, class_name="callees-count"),
        rx.el.p(CallListState.said, role="status", class_name="visually-hidden"),
        rx.cond(_calls.rows, rows(), _nobody()),
        aria_label=TITLE,
        class_name="calling",
    )


def _nobody() -> rx.Component:
    return rx.cond(
        _calls.invitation_sent,
        empty_state("Personne à appeler", "Toutes les personnes invitées ont répondu."),
        empty_state(
            "Personne à appeler pour le moment",
            "Les invitations de cet événement ne sont pas encore envoyées. "
            "Ceux qui n’auront pas répondu seront ici, avec leur téléphone.",
        ),
    )


PAGES = [
    Page(
        route=routes.CALLING_LIST,
        title=TITLE,
        content=content,
        on_load=[CallListState.load],
        first_paint=first_paint,
    )
]
