"""The answer page of an invited person."""

from typing import Any

import reflex as rx

from clubapp import routes
from clubapp.pages.invitee.answer.endings import calendar_step, closed_step, error_card, waiting_step
from clubapp.pages.invitee.answer.event import event_card
from clubapp.pages.invitee.answer.parts import QUESTION_ID, progress, waiting_shape
from clubapp.pages.invitee.answer.questions import attendance_step, guests_step, lunch_step, offer_step
from clubapp.pages.invitee.answer.state import AnswerState
from clubapp.services.answers import page
from clubapp.ui import takeover
from clubapp.ui.frame.club_identity import ClubState
from clubapp.ui.frame.layouts import bare_layout
from clubapp.ui.frame.titles import page_title
from clubapp.ui.react.answer.answer_sender import answer_sender
from clubapp.ui.react.answer.answer_token import answer_gate, answer_token
from clubapp.web.screens.page import Page

LATE = "Votre choix est gardé sur cet appareil\u00a0: il sera envoyé dès que la connexion revient."
_STEPS = (
    (page.ATTENDANCE, attendance_step),
    (page.LUNCH, lunch_step),
    (page.GUESTS, guests_step),
    (page.CALENDAR, calendar_step),
    (page.WAITING, waiting_step),
    (page.OFFER, offer_step),
)
_COUNTED = (page.ATTENDANCE, *page.LATER_STEPS)


def content() -> rx.Component:
    """The event, and beside or below it the next question."""
    step = AnswerState.view.step
    return bare_layout(
        answer_token(opened=AnswerState.opened, step=step, question=QUESTION_ID, on_token=AnswerState.open),
        answer_gate(
            takeover(step != ""),
            _answer(
                rx.match(
                    step,
                    ("", waiting_shape()),
                    (page.ERROR, error_card()),
                    rx.fragment(event_card(), _question()),
                )
            ),
            opened=AnswerState.opened,
            waiting=rx.el.div(waiting_shape(), class_name="answer"),
        ),
        on_arrive=AnswerState.begin,
    )


def first_paint() -> rx.Component:
    """What the server renders: the event, without the name of the member and without questions."""
    advice = f"Pour répondre, activez JavaScript dans votre navigateur, ou écrivez à {ClubState.club.email}."
    question = rx.el.div(rx.el.noscript(rx.el.p(advice, class_name="answer-problem")), class_name="answer-question")
    is_wrong_link = AnswerState.view.step == page.ERROR
    return bare_layout(_answer(rx.cond(is_wrong_link, error_card(), rx.fragment(event_card(), question))))


def _answer(shown: Any) -> rx.Component:
    return rx.el.div(shown, class_name="answer", data_step=AnswerState.view.step)


def _is_one_of(steps: tuple[str, ...]) -> Any:
    return rx.Var.create(list(steps)).contains(AnswerState.view.step)


def _question() -> rx.Component:
    step = AnswerState.view.step
    return rx.el.div(
        rx.cond(_is_one_of(_COUNTED), progress(), rx.fragment()),
        rx.match(step, *[(name, made()) for name, made in _STEPS], closed_step()),
        answer_sender(
            handled=AnswerState.handled_press,
            step=step,
            late_text=LATE,
            on_attend=AnswerState.attend,
            on_lunch=AnswerState.lunch,
            on_guests=AnswerState.guests,
        ),
        class_name="answer-question",
    )


PAGES = [Page(route=routes.ANSWER, title=page_title("Votre réponse"), content=content, first_paint=first_paint)]
