"""The card of the next event."""

from typing import Any

import reflex as rx

from clubapp import routes
from clubapp.services.events.stages import DAY_TAB
from clubapp.services.finder.shortcuts import POSTPONE
from clubapp.ui import empty_state, link_button, page_link, status_badge
from clubapp.ui.kit.icon import Icon, icon
from clubapp.ui.kit.text import show_if
from clubapp.ui.react.finder.finder import press_link
from clubapp.ui.records.answer_bar import answer_bar
from clubapp.ui.records.date_block import date_block


def meeting_card(meeting: Any) -> rx.Component:
    """When and where, how far it is, who answered; the way to plan one when there is none."""
    none = empty_state(
        "Aucune rencontre n’est prévue",
        "Créez la prochaine\u00a0: ses invitations et ses relances s’y rattachent.",
        link_button("Nouvel événement", routes.ADMIN_EVENTS, variant="secondary"),
    )
    return rx.el.section(
        rx.cond(meeting.id != "", _shown(meeting), none),
        aria_label="Prochaine rencontre",
        class_name="card today-meeting",
    )


def _shown(meeting: Any) -> rx.Component:
    words = rx.el.div(
        rx.el.p(
            rx.el.span("Prochaine rencontre", class_name="on-desk"),
            status_badge(meeting.status, meeting.status_label),
            class_name="today-meeting-kind",
        ),
        rx.el.h2(meeting.title, class_name="today-meeting-title"),
        rx.el.ul(_fact("clock", meeting.hours), _fact("place", meeting.place), class_name="today-facts"),
        class_name="today-words",
    )
    far = rx.el.p(
        rx.el.strong(meeting.far, class_name="today-far"), " ", rx.el.span(meeting.far_hint), class_name="today-days"
    )
    return rx.fragment(
        rx.el.div(date_block(meeting.month, meeting.day, meeting.weekday), words, far, class_name="today-meeting-head"),
        rx.el.ol(rx.foreach(meeting.stages, _stage), aria_label="Étapes", class_name="stages"),
        _answers(meeting),
        rx.el.div(
            _figure("seat", meeting.places, meeting.places_hint, rx.el.span(", invités compris", class_name="on-desk")),
            show_if(meeting.meals != "", _figure("meal", meeting.meals, meeting.meals_hint)),
            rx.el.span(
                show_if(
                    meeting.is_ahead,
                    press_link("Reporter", to=meeting.href, press=POSTPONE, class_name="today-more"),
                ),
                page_link("Imprimer", to=f"{meeting.href}?onglet={DAY_TAB}", class_name="today-more"),
                page_link(
                    rx.el.span("Ouvrir", rx.el.span(" la rencontre", class_name="visually-hidden")),
                    to=meeting.href,
                    class_name="today-more",
                ),
                class_name="today-acts",
            ),
            class_name="today-figures",
        ),
    )


def _fact(drawing: Icon, text: Any) -> rx.Component:
    return rx.el.li(icon(drawing, 18), rx.el.span(text))


def _stage(stage: Any) -> rx.Component:
    return rx.el.li(
        rx.el.span(
            show_if(stage.state == "done", icon("check", 14)),
            class_name="stage-mark",
        ),
        rx.el.span(stage.name, class_name="stage-name"),
        aria_current=rx.cond(stage.state == "current", "step", rx.Var("undefined")),
        data_stage=stage.state,
    )


def _answers(meeting: Any) -> rx.Component:
    """The bar and, in words and numbers, the same; before the invitations, that there is nothing to count."""
    legend = rx.el.ul(
        rx.foreach(
            meeting.bar,
            lambda part: rx.el.li(
                rx.el.span(data_answer=part.kind, aria_hidden="true", class_name="answer-share"),
                rx.el.strong(part.count),
                " ",
                rx.el.span(part.label),
                data_answer=part.kind,
            ),
        ),
        rx.el.li(meeting.invited, class_name="today-invited"),
        aria_label="Réponses",
        class_name="answer-legend",
    )
    return rx.cond(
        meeting.bar,
        rx.el.div(answer_bar(meeting.bar), legend, class_name="today-answers"),
        rx.el.p("Personne n’est encore invité.", class_name="today-empty today-answers"),
    )


def _figure(drawing: Icon, number: Any, *hint: Any) -> rx.Component:
    return rx.el.p(icon(drawing, 18), rx.el.strong(number), " ", rx.el.span(*hint), class_name="today-figure")
