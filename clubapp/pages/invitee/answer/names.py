"""Naming the guests, and a wish for the meal: one press away from the end of an answer, and never required."""

from typing import Any

import reflex as rx

from clubapp.pages.invitee.answer.parts import VISIT, go_form, heading, note, post_form, problem, step
from clubapp.services.answers import page
from clubapp.ui import button
from clubapp.ui.records.guest_fields import NOTHING_REQUIRED, guest_fields, naming_label, own_wish_field

WISH = "Un souhait pour le repas\u00a0?"
_view: Any = VISIT.view
_eats: Any = _view.event.has_lunch & _view.with_lunch


def name_guests() -> rx.Component:
    """The button that leads to the form, where there is something to say."""
    to_guests = go_form(naming_label(_view.guest_count, _view.guest_names.length()), to=page.NAMES)
    to_meal = rx.cond(_eats, go_form(WISH, to=page.NAMES), rx.fragment())
    return rx.el.div(rx.cond(_view.guest_count > 0, to_guests, to_meal), class_name="answer-names")


def names_step() -> rx.Component:
    """A group of fields for each guest, and the member's own wish."""
    return step(
        heading(
            rx.cond(
                _view.guest_count > 0, rx.cond(_view.guest_count == 1, "Votre invité", "Vos invités"), "Votre repas"
            )
        ),
        rx.cond(_view.guest_count > 0, note(NOTHING_REQUIRED), rx.fragment()),
        post_form(
            guest_fields(_view.guests, _view.event.has_lunch, is_document=True),
            rx.cond(_eats, _own_meal(), rx.fragment()),
            rx.cond(VISIT.is_refused, rx.fragment(), problem()),
            button("Enregistrer", type="submit", class_name="answer-go"),
            class_name="answer-form answer-guests",
        ),
        go_form("Retour", to=page.CALENDAR),
    )


def _own_meal() -> rx.Component:
    title = rx.el.h3("Votre repas", class_name="answer-own-meal")
    return rx.fragment(rx.cond(_view.guest_count > 0, title, rx.fragment()), own_wish_field(_view.meal_wish))
