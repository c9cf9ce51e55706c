"""Sends what is pressed on the answer page: a press survives a lost connection and is recorded once."""

import reflex as rx

from clubapp.ui.react.script_path import script


def _yes_or_no(value: rx.Var[bool], press: rx.Var[str]) -> tuple[rx.Var[bool], rx.Var[str]]:
    return value, press


def _number(value: rx.Var[str], press: rx.Var[str]) -> tuple[rx.Var[str], rx.Var[str]]:
    return value, press


class AnswerSender(rx.Component):
    """Listens to buttons whose `data-say` is like "attend:oui" or "lunch:non", and to a form with "guests:<field>".

    Each press has an identifier. The handler receives it and puts it into `handled` once it is done; until then the
    press is sent again. `late_text` is shown when that takes long.
    """

    library = script(__name__, "answer_sender.jsx")
    tag = "AnswerSender"

    handled: rx.Var[str]
    step: rx.Var[str]
    late_text: rx.Var[str]

    on_attend: rx.EventHandler[_yes_or_no]
    on_lunch: rx.EventHandler[_yes_or_no]
    on_guests: rx.EventHandler[_number]


answer_sender = AnswerSender.create
