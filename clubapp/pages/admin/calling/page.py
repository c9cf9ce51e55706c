"""/admin/events/{id}/appels: before an event, call those who have not answered; on a phone, or on one printed page."""

from typing import Any

import reflex as rx

from clubapp import routes
from clubapp.pages.admin.calling.parts import rows
from clubapp.pages.admin.calling.state import CallingState
from clubapp.ui import banner, button, empty_state, error_state, link_button, skeleton_lines, takeover, ticker
from clubapp.ui.layouts import admin_layout
from clubapp.ui.text import shown_if
from clubapp.web.page import Page

FOLLOW_MS = 2000
TITLE = "Liste d'appels"
_calls: Any = CallingState.calls


def content() -> rx.Component:
    """The screen. The first paint's template calling.html draws it while the list is on its way."""
    return admin_layout(
        takeover(True),
        rx.cond(
            CallingState.missing != "",
            error_state(CallingState.missing, "", link_button("Retour aux événements", routes.ADMIN_EVENTS)),
            rx.cond(_calls.event_id != "", _list(), skeleton_lines(8)),
        ),
        title=TITLE,
        hint=rx.cond(_calls.event_id != "", f"{_calls.title}, {_calls.date}", ""),
        actions=[
            link_button("Retour aux événements", routes.ADMIN_EVENTS, variant="quiet"),
            button("Imprimer", variant="secondary", on_click=rx.call_function(rx.Var("() => window.print()"))),
        ],
        on_arrive=CallingState.begin,
    )


def _list() -> rx.Component:
    return rx.el.section(
        ticker(FOLLOW_MS, CallingState.follow),
        shown_if(_calls.closed != "", banner(_calls.closed)),
        rx.el.p(_calls.sentence, class_name="callees-count"),
        rx.el.p(CallingState.said, role="status", class_name="visually-hidden"),
        rx.cond(_calls.rows, rows(), _nobody()),
        aria_label=TITLE,
        class_name="calling",
    )


def _nobody() -> rx.Component:
    return rx.cond(
        _calls.invitation_sent,
        empty_state("Personne à appeler", "Tous les invités ont répondu."),
        empty_state(
            "Personne à appeler pour le moment",
            "Les invitations de cet événement ne sont pas encore envoyées. "
            "Ceux qui n'auront pas répondu seront ici, avec leur téléphone.",
        ),
    )


PAGES = [Page(route=routes.CALLING_LIST, title=TITLE, content=content, on_load=[CallingState.load])]
