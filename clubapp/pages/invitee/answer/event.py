"""The card with the facts of the event, beside every question."""

from typing import Any

import reflex as rx

from clubapp.pages.invitee.answer.state import AnswerState
from clubapp.ui import external_link, visually_hidden

_event: Any = AnswerState.view.event  # its attributes are Vars


def event_card() -> rx.Component:
    """Title, date, place, speakers, places left. After the first question a phone shows the first three only."""
    return rx.el.section(
        rx.el.p(_event.month_label, class_name="answer-month"),
        rx.el.h1(_event.title, tab_index=-1, class_name="answer-title"),
        rx.el.dl(
            _fact("Quand", _event.long_date),
            _fact("Où", rx.fragment(_event.place, " ", _map())),
            _more(_event.speakers.length() > 0, "Avec", _speakers()),
            _more(_event.lunch != "", "Déjeuner", _event.lunch),
            _more(_event.places != "", "Places", _event.places),
            _more(_event.closes != "", "Répondre", rx.fragment("jusqu’au ", _event.closes)),
            class_name="answer-facts",
        ),
        rx.cond(_event.description != "", _about(), rx.fragment()),
        aria_label="La rencontre",
        class_name="card answer-event",
        data_event_id=_event.id,
    )


def _fact(name: str, value: Any, class_name: str = "answer-fact") -> rx.Component:
    return rx.el.div(rx.el.dt(name), rx.el.dd(value), class_name=class_name)


def _more(condition: Any, name: str, value: Any) -> rx.Component:
    return rx.cond(condition, _fact(name, value, "answer-fact answer-fact-more"), rx.fragment())


def _map() -> rx.Component:
    named = rx.fragment("Voir sur la carte", visually_hidden(" (nouvel onglet)"))
    return external_link(named, _event.map_link, target="_blank", class_name="answer-map")


def _speakers() -> rx.Component:
    return rx.foreach(_event.speakers, lambda speaker: rx.el.span(speaker, class_name="answer-speaker"))


def _about() -> rx.Component:
    return rx.el.details(
        rx.el.summary("Au programme", class_name="answer-about-label"),
        rx.el.p(_event.description, class_name="answer-about-text"),
        class_name="answer-about",
    )
