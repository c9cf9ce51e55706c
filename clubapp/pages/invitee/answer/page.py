"""The answer page of an invited person."""

from typing import Any

import reflex as rx

from clubapp import routes
from clubapp.pages.invitee.answer.event import event_card
from clubapp.pages.invitee.answer.parts import (
    attendance_step,
    calendar_step,
    closed_step,
    error_card,
    guests_step,
    lunch_step,
    progress,
    waiting,
)
from clubapp.pages.invitee.answer.state import ERROR, AnswerState
from clubapp.services import answers
from clubapp.ui import takeover
from clubapp.ui.layouts import bare_layout
from clubapp.ui.vendor.answer_token import answer_token
from clubapp.web.page import Page

QUESTION_ID = "question"


def content() -> rx.Component:
    """The event, and beside or under it the one question that is next."""
    step = AnswerState.view.step
    return bare_layout(
        answer_token(known=step != "", step=step, question=QUESTION_ID, on_token=AnswerState.open),
        takeover(step != ""),
        rx.el.div(
            rx.match(
                step,
                ("", waiting()),
                (ERROR, error_card()),
                rx.fragment(event_card(), _question()),
            ),
            class_name=rx.cond(_is_going_on(), "answer answer-going", "answer"),
            data_step=step,
        ),
    )


def _is_going_on() -> Any:
    """Past the first question: the card may be short."""
    step = AnswerState.view.step
    return rx.Var.create([answers.LUNCH, answers.GUESTS, answers.CALENDAR]).contains(step)


def _question() -> rx.Component:
    step = AnswerState.view.step
    steps = (
        (answers.ATTENDANCE, attendance_step),
        (answers.LUNCH, lunch_step),
        (answers.GUESTS, guests_step),
        (answers.CALENDAR, calendar_step),
    )
    return rx.el.div(
        rx.cond(step == answers.CLOSED, rx.fragment(), progress()),
        rx.match(step, *[(name, made(QUESTION_ID)) for name, made in steps], closed_step(QUESTION_ID)),
        class_name="answer-question",
    )


PAGES = [Page(route=routes.ANSWER, title="Votre réponse", content=content, on_load=[AnswerState.start])]
