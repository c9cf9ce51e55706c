"""The card with the facts of the event, beside every question."""

from typing import Any

import reflex as rx

from clubapp.pages.invitee.answer.state import AnswerState
from clubapp.text.programme import ProgrammeStep
from clubapp.ui import external_link, visually_hidden

_event: Any = AnswerState.view.event  # its attributes are Vars
_has_programme: Any = (_event.description != "") | (_event.programme.length() > 0)


def event_card() -> rx.Component:
    """Title, date, place, places left, programme and speakers.

    A phone has programme and speakers one touch away, and after the first question shows no more than date and place.
    """
    return rx.el.section(
        rx.el.p(_event.month_label, class_name="answer-month"),
        rx.el.h1(_event.title, tab_index=-1, class_name="answer-title"),
        rx.el.dl(
            _fact("Quand", _event.long_date),
            _fact("Où", rx.fragment(_event.place, " ", _map())),
            _more(_event.speakers.length() > 0, "Avec", _speakers(), "answer-fact answer-fact-more answer-wide"),
            _more(_event.lunch != "", "Déjeuner", _event.lunch),
            _more(_event.places != "", "Places", _event.places),
            _more(_event.closes != "", "Répondre", rx.fragment("jusqu’au ", _event.closes)),
            class_name="answer-facts",
        ),
        rx.cond(_has_programme, rx.el.div(_programme(), class_name="answer-programme answer-wide"), rx.fragment()),
        rx.cond(_has_programme | (_event.speakers.length() > 0), _folded(), rx.fragment()),
        aria_label="La rencontre",
        class_name="card answer-event",
        data_event_id=_event.id,
    )


def _fact(name: str, value: Any, class_name: str = "answer-fact") -> rx.Component:
    return rx.el.div(rx.el.dt(name), rx.el.dd(value), class_name=class_name)


def _more(condition: Any, name: str, value: Any, class_name: str = "answer-fact answer-fact-more") -> rx.Component:
    return rx.cond(condition, _fact(name, value, class_name), rx.fragment())


def _map() -> rx.Component:
    named = rx.fragment("Voir sur la carte", visually_hidden(" (nouvel onglet)"))
    return external_link(named, _event.map_link, target="_blank", class_name="answer-map")


def _speakers() -> rx.Component:
    return rx.foreach(_event.speakers, lambda speaker: rx.el.span(speaker, class_name="answer-speaker"))


def _programme() -> rx.Component:
    return rx.fragment(
        rx.el.h2("Au programme", class_name="answer-programme-title"),
        rx.cond(
            _event.programme.length() > 0,
            rx.el.dl(rx.foreach(_event.programme, _programme_step), class_name="answer-steps"),
            rx.fragment(),
        ),
        rx.cond(_event.description != "", rx.el.p(_event.description, class_name="answer-about-text"), rx.fragment()),
    )


def _programme_step(step: ProgrammeStep) -> rx.Component:
    return rx.el.div(rx.el.dt(step.hour), rx.el.dd(step.what), class_name="answer-programme-step")


def _folded() -> rx.Component:
    """The programme and the speakers for a phone."""
    with_speakers = rx.el.div(
        rx.el.h2("Avec", class_name="answer-programme-title"), rx.el.p(_speakers(), class_name="answer-about-text")
    )
    return rx.el.details(
        rx.el.summary("Programme et intervenants", class_name="answer-about-label"),
        rx.cond(_has_programme, _programme(), rx.fragment()),
        rx.cond(_event.speakers.length() > 0, with_speakers, rx.fragment()),
        class_name="answer-about",
    )
