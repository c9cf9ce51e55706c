"""The token of an invitation's link in the browser; it stays out of the address bar and of every page (W6)."""

import reflex as rx

from clubapp.ui.react.script_path import script

Text = rx.Var[str]


def _link(token: Text, answer: Text, visit: Text) -> tuple[Text, Text, Text]:
    return token, answer, visit


class AnswerToken(rx.Component):
    """Calls `on_token(token, answer, visit)` until `opened` is this visit, and moves the focus to each new question.

    A visit is one document: a tab in which another link is opened begins a new one. `question` is the id of the element
    that takes the focus when `step` changes.
    """

    library = script(__name__, "answer_token.jsx")
    tag = "AnswerToken"

    opened: rx.Var[str]
    step: rx.Var[str]
    question: rx.Var[str]

    on_token: rx.EventHandler[_link]


class AnswerGate(rx.Component):
    """Shows its children once `opened` is the visit of this document, and `waiting` before."""

    library = AnswerToken.library
    tag = "AnswerGate"

    opened: rx.Var[str]
    waiting: rx.Var[rx.Component]


class CalendarFile(rx.Component):
    """A link to the event's calendar file, made in the browser with the token it keeps."""

    library = AnswerToken.library
    tag = "CalendarFile"


answer_gate = AnswerGate.create
answer_token = AnswerToken.create
calendar_file_link = CalendarFile.create
