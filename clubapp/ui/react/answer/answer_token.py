"""The token of an invitation's link in the browser; it stays out of the address bar and of every page (W6)."""

import reflex as rx

from clubapp.ui.react.script_path import script


def _link(token: rx.Var[str], answer: rx.Var[str]) -> tuple[rx.Var[str], rx.Var[str]]:
    return token, answer


class AnswerToken(rx.Component):
    """Calls `on_token(token, answer)` while `known` is false, and moves the focus to each new question.

    `question` is the id of the element that takes the focus when `step` changes.
    """

    library = script(__name__, "answer_token.jsx")
    tag = "AnswerToken"

    known: rx.Var[bool]
    step: rx.Var[str]
    question: rx.Var[str]

    on_token: rx.EventHandler[_link]


class CalendarFile(rx.Component):
    """A link to the event's calendar file, made in the browser with the token it keeps."""

    library = AnswerToken.library
    tag = "CalendarFile"


answer_token = AnswerToken.create
calendar_file_link = CalendarFile.create
