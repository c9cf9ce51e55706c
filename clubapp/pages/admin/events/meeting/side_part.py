"""Beside the answers: the places with the waiting list, the programme, the speakers."""

from typing import Any

import reflex as rx

from clubapp.pages.admin.events.form_state import EventFormState
from clubapp.pages.admin.events.meeting.state import MeetingState
from clubapp.pages.admin.events.waiting_part import waiting_list
from clubapp.pages.admin.events.waiting_state import WaitingState
from clubapp.text.programme import ProgrammePart
from clubapp.ui import button
from clubapp.ui.kit.icon import icon
from clubapp.ui.kit.image import responsive_image
from clubapp.ui.kit.text import show_if, visually_hidden

_meeting: Any = MeetingState.meeting


def meeting_side() -> rx.Component:
    """The side."""
    return rx.el.aside(_places(), _programme(), _speakers(), aria_label="La rencontre", class_name="meeting-side")


def _places() -> rx.Component:
    waiting = rx.el.div(
        rx.el.p(_meeting.waiting),
        show_if(
            _meeting.wanted_limit > 0,
            button(
                f"Relever le maximum à {_meeting.wanted_limit}",
                variant="quiet",
                on_click=EventFormState.raise_limit(_meeting.id, _meeting.wanted_limit),
            ),
        ),
        rx.el.div(waiting_list(_meeting.id), on_mount=WaitingState.follow(_meeting.id)),
        class_name="places-waiting",
    )
    bar = rx.el.div(rx.foreach(_meeting.places_bar, _taken), aria_hidden="true", class_name="places-bar")
    legend = rx.el.ul(rx.foreach(_meeting.places_bar, _place), class_name="places-legend")
    return rx.el.section(
        rx.el.div(
            rx.el.h2("Places", class_name="meeting-card-title"),
            rx.el.strong(_meeting.places, class_name="places-count"),
            class_name="meeting-card-head",
        ),
        bar,
        legend,
        show_if(_meeting.waiting != "", waiting),
        class_name="card",
    )


def _taken(part: Any) -> rx.Component:
    return show_if(part.count > 0, rx.el.span(data_place=part.kind, style={"flexGrow": part.count}))


def _place(part: Any) -> rx.Component:
    return rx.el.li(
        rx.el.span(data_place=part.kind, aria_hidden="true", class_name="places-mark"),
        rx.el.span(part.label),
        rx.el.strong(part.count),
    )


def _programme() -> rx.Component:
    edit = rx.el.button(
        icon("pencil"),
        visually_hidden("Modifier le texte"),
        type="button",
        title="Modifier le texte",
        on_click=EventFormState.edit(_meeting.id),
        class_name="icon-button",
    )
    return rx.el.section(
        rx.el.div(
            rx.el.h2(rx.cond(_meeting.has_programme, "Programme", "Description"), class_name="meeting-card-title"),
            edit,
            class_name="meeting-card-head",
        ),
        rx.cond(
            _meeting.description,
            rx.el.div(rx.foreach(_meeting.description, _part), class_name="programme"),
            rx.el.p("Rien n’est encore écrit.", class_name="muted"),
        ),
        class_name="card",
    )


def _part(part: ProgrammePart) -> rx.Component:
    return rx.fragment(
        show_if(part.prose != "", rx.el.p(part.prose, class_name="programme-text")),
        show_if(part.steps, rx.el.ol(rx.foreach(part.steps, _step), class_name="programme-steps")),
    )


def _step(step: Any) -> rx.Component:
    return rx.el.li(rx.el.span(step.hour, class_name="programme-hour"), rx.el.span(step.what))


def _speakers() -> rx.Component:
    shown = rx.el.section(
        rx.el.h2("Intervenants", class_name="meeting-card-title"),
        rx.el.ul(rx.foreach(_meeting.speakers, _speaker), class_name="meeting-speakers"),
        class_name="card",
    )
    return show_if(_meeting.speakers, shown)


def _speaker(speaker: Any) -> rx.Component:
    return rx.el.li(
        responsive_image(speaker.picture, "", lazy=True, class_name="answer-face"),
        rx.el.span(
            rx.el.span(speaker.name, class_name="answer-name"),
            show_if(speaker.line != "", rx.el.span(speaker.line, class_name="answer-company")),
            class_name="answer-who",
        ),
    )
