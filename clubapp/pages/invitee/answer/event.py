"""The card with the facts of the event, beside every question."""

from typing import Any

import reflex as rx

from clubapp.pages.invitee.answer.parts import VISIT
from clubapp.text.programme import ProgrammePart, ProgrammeStep
from clubapp.ui import external_link, visually_hidden

_event: Any = VISIT.view.event  # its attributes are Vars
_has_programme: Any = _event.description.length() > 0
_has_more: Any = (
    _has_programme
    | (_event.speakers.length() > 0)
    | (_event.lunch != "")
    | (_event.places != "")
    | (_event.closes != "")
)


def event_card() -> rx.Component:
    """Title, date, place, places left, programme and speakers.

    A phone shows date and place, with the rest one touch away, so that what is asked needs no scrolling.
    """
    return rx.el.section(
        rx.el.p(_event.month_label, class_name="answer-month"),
        rx.el.h1(_event.title, tab_index=-1, class_name="answer-title"),
        rx.el.dl(
            _fact("Quand", _event.long_date),
            _fact("Où", rx.fragment(_event.place, " ", _map())),
            *_particulars("answer-fact answer-wide"),
            class_name="answer-facts",
        ),
        rx.cond(_has_programme, rx.el.div(_programme(), class_name="answer-programme answer-wide"), rx.fragment()),
        rx.cond(_has_more, _folded(), rx.fragment()),
        aria_label="La rencontre",
        class_name="card answer-event",
        data_event_id=_event.id,
    )


def _fact(name: str, value: Any, class_name: str = "answer-fact") -> rx.Component:
    return rx.el.div(rx.el.dt(name), rx.el.dd(value), class_name=class_name)


def _particulars(class_name: str) -> list[rx.Component]:
    """What not every event has: speakers, lunch, a limit, a deadline."""
    facts = (
        (_event.speakers.length() > 0, "Avec", _speakers()),
        (_event.lunch != "", "Déjeuner", _event.lunch),
        (_event.places != "", "Places", _event.places),
        (_event.closes != "", "Répondre", rx.fragment("jusqu’au ", _event.closes)),
    )
    return [rx.cond(holds, _fact(name, value, class_name), rx.fragment()) for holds, name, value in facts]


def _map() -> rx.Component:
    named = rx.fragment("Voir sur la carte", visually_hidden(" (nouvel onglet)"))
    return external_link(named, _event.map_link, target="_blank", class_name="answer-map")


def _speakers() -> rx.Component:
    return rx.foreach(_event.speakers, lambda speaker: rx.el.span(speaker, class_name="answer-speaker"))


def _programme() -> rx.Component:
    """The description in its own order, as the invitation has it."""
    return rx.fragment(
        rx.el.h2("Au programme", class_name="answer-programme-title"),
        rx.foreach(_event.description, _programme_part),
    )


def _programme_part(part: ProgrammePart) -> rx.Component:
    steps: Any = part.steps  # a Var
    return rx.fragment(
        rx.cond(part.prose != "", rx.el.p(part.prose, class_name="answer-about-text"), rx.fragment()),
        rx.cond(
            steps.length() > 0, rx.el.dl(rx.foreach(steps, _programme_step), class_name="answer-steps"), rx.fragment()
        ),
    )


def _programme_step(step: ProgrammeStep) -> rx.Component:
    return rx.el.div(rx.el.dt(step.hour), rx.el.dd(step.what), class_name="answer-programme-step")


def _folded() -> rx.Component:
    """The rest for a phone."""
    return rx.el.details(
        rx.el.summary("Programme et intervenants", class_name="answer-about-label"),
        rx.el.dl(*_particulars("answer-fact"), class_name="answer-facts"),
        rx.cond(_has_programme, _programme(), rx.fragment()),
        class_name="answer-about",
    )
