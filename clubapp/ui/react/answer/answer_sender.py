"""From the press to the server, however bad the connection: nothing pressed is lost, and nothing is sent twice."""

import reflex as rx

from clubapp.ui.react.script_path import script


def _yes_or_no(value: rx.Var[bool], press: rx.Var[str]) -> tuple[rx.Var[bool], rx.Var[str]]:
    return value, press


def _number(value: rx.Var[str], press: rx.Var[str]) -> tuple[rx.Var[str], rx.Var[str]]:
    return value, press


class AnswerSender(rx.Component):
    """Listens to buttons with `data-say` "attend:oui", "lunch:non", and to a form with "guests:<field>".

    Each press has a name of its own, which the handler gets and puts into `heard` once it has dealt with it; until
    then the press is repeated. `late` is what is said when that takes long.
    """

    library = script(__name__, "answer_sender.jsx")
    tag = "AnswerSender"

    heard: rx.Var[str]
    step: rx.Var[str]
    late: rx.Var[str]

    on_attend: rx.EventHandler[_yes_or_no]
    on_lunch: rx.EventHandler[_yes_or_no]
    on_guests: rx.EventHandler[_number]


answer_sender = AnswerSender.create
