"""The answer page of an invited person: a document with plain forms, which needs no script and no socket (D3).

Each press posts one step; the server answers with the page at the next one. The page's script sends the same forms
without leaving the page.
"""

from typing import Any

import reflex as rx

from clubapp import routes
from clubapp.pages.invitee.answer.endings import calendar_step, closed_step, error_card, waiting_step
from clubapp.pages.invitee.answer.event import event_card
from clubapp.pages.invitee.answer.names import names_step
from clubapp.pages.invitee.answer.parts import VISIT, progress
from clubapp.pages.invitee.answer.questions import attendance_step, guests_step, lunch_step, offer_step
from clubapp.services.answers import page
from clubapp.ui.frame.layouts import bare_layout
from clubapp.ui.frame.titles import page_title
from clubapp.web.screens.page import Page

LATE_AND_OPEN = (
    "Votre choix est gardé dans cette page\u00a0: laissez-la ouverte, il sera envoyé dès que la connexion reviendra."
)
LATE = "Votre choix est gardé sur cet appareil\u00a0: il sera envoyé dès que la connexion reviendra."
_STEPS = (
    (page.ATTENDANCE, attendance_step),
    (page.LUNCH, lunch_step),
    (page.GUESTS, guests_step),
    (page.CALENDAR, calendar_step),
    (page.NAMES, names_step),
    (page.WAITING, waiting_step),
    (page.OFFER, offer_step),
)
_COUNTED = (page.ATTENDANCE, *page.LATER_STEPS)


def content() -> rx.Component:
    """The event, and beside or below it the question of the step."""
    step = VISIT.view.step
    shown = rx.cond(step == page.ERROR, error_card(), rx.fragment(event_card(), _question()))
    return bare_layout(rx.el.div(shown, class_name="answer", data_step=step))


def _question() -> rx.Component:
    step = VISIT.view.step
    shown: Any = closed_step()
    for name, made in reversed(_STEPS):
        shown = rx.cond(step == name, made(), shown)
    return rx.el.div(
        rx.cond(rx.Var.create(list(_COUNTED)).contains(step), progress(), rx.fragment()),
        shown,
        # Filled by the script when a press does not reach the server.
        rx.el.div(role="status", data_late=LATE, data_open=LATE_AND_OPEN, class_name="answer-late"),
        class_name="answer-question",
    )


PAGES = [Page(route=routes.ANSWER, title=page_title("Votre réponse"), content=content, has_interface=False)]
