"""/admin/events/{id}/appels: before an event, call those who have not answered; on a phone, or on one printed page."""

from typing import Any

import reflex as rx

from clubapp import routes
from clubapp.pages.admin.call_list.parts import rows
from clubapp.pages.admin.call_list.state import CallListState
from clubapp.ui import banner, empty_state, page_link, polling
from clubapp.ui.frame.event_screen import event_placeholder, event_screen
from clubapp.ui.kit.text import show_if
from clubapp.web.screens.page import Page

FOLLOW_MS = 2000
BEGUN = "La rencontre a commencé\u00a0: ce que vous notez corrige la liste, et aucun e-mail ne part."
TITLE = "Liste d’appels"
_calls: Any = CallListState.calls


def content() -> rx.Component:
    """The screen."""
    return event_screen(CallListState, _calls, _list(), title=TITLE, on_arrive=CallListState.begin, is_printed=True)


def first_paint() -> rx.Component:
    """The placeholder."""
    return event_placeholder(TITLE, is_printed=True)


def _list() -> rx.Component:
    return rx.el.section(
        polling(FOLLOW_MS, CallListState.follow),
        show_if(_calls.closed != "", banner(_calls.closed)),
        show_if((_calls.closed == "") & _calls.has_begun, banner(BEGUN)),
        rx.el.p(_calls.sentence, class_name="callees-count"),
        show_if(
            _calls.rows.length() > 0,
            page_link(
                "Écrire à ceux qui n’ont pas répondu",
                to=f"{routes.ADMIN_WRITE}?evenement={_calls.event_id}&reponse=sans",
                class_name="callees-write",
            ),
        ),
        rx.el.p(CallListState.said, role="status", class_name="visually-hidden"),
        rx.cond(_calls.rows, rows(), _nobody()),
        aria_label=TITLE,
        class_name="calling",
    )


def _nobody() -> rx.Component:
    return rx.cond(
        _calls.invitation_sent,
        empty_state("Plus personne à appeler", "Toutes les personnes invitées ont répondu."),
        empty_state(
            "Pas d’appel à passer pour le moment",
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
