"""An invitation answered in the member area: yes or no in one press, or the whole answer in a form.

`state` is the state of the screen, one with `OwnAnswers`.
"""

from typing import Any

import reflex as rx

from clubapp.services.answers.answer_form import GUEST_CHOICES, NO, YES
from clubapp.services.answers.recording import TOO_MANY_GUESTS
from clubapp.ui.kit.button import button
from clubapp.ui.kit.choice import select
from clubapp.ui.kit.field import hidden_field
from clubapp.ui.kit.text import show_if
from clubapp.ui.react.forms.entries_form import entries_form
from clubapp.ui.records.guest_fields import NOTHING_REQUIRED, guest_fields, naming_label, own_wish_field

COMES = "Je viens"


def yes_or_no(state: Any, invitation: Any) -> rx.Component:
    """Two buttons: one press records."""
    event_id = invitation.event.id
    saving = state.saving == event_id
    form = entries_form(
        hidden_field("event_id", event_id),
        _notice(invitation, "Oui"),
        rx.el.fieldset(
            rx.el.legend("Serez-vous des nôtres\u00a0?", class_name="field-label"),
            *[
                button(
                    label,
                    variant="secondary",
                    type="submit",
                    name="will_attend",
                    value=value,
                    disabled=saving,
                    class_name="own-answer-press",
                )
                for value, label in ((YES, "Oui"), (NO, "Non"))
            ],
            class_name="own-answer-presses",
        ),
        on_entries=state.attend,
        busy=saving,
        attempt=rx.cond(state.refused == event_id, state.attempt, 0),
        marks_press=True,
        class_name="form",
    )
    return rx.el.div(form, class_name="own-answer")


def answer_form(state: Any, invitation: Any) -> rx.Component:
    """The whole answer, and below it the guests by name and the meals."""
    return rx.el.div(_form(state, invitation), _names(state, invitation), class_name="own-answer")


def _form(state: Any, invitation: Any) -> rx.Component:
    event = invitation.event
    refused: Any = state.refused == event.id
    return entries_form(
        hidden_field("event_id", event.id),
        _notice(invitation, COMES),
        _attendance(state, invitation, refused),
        show_if(
            ~invitation.is_waiting | (invitation.offer != ""),
            rx.el.div(
                rx.cond(event.has_lunch, _lunch(invitation), rx.fragment()),
                _guests(state, invitation, refused),
                class_name="own-event-more",
            ),
        ),
        rx.el.div(
            rx.cond(
                invitation.answer == "",
                _send(state, "Envoyer ma réponse", "primary", event.id),
                _send(state, "Changer ma réponse", "secondary", event.id),
            ),
            class_name="form-actions",
        ),
        on_entries=state.answer,
        busy=state.saving == event.id,
        attempt=rx.cond(refused, state.attempt, 0),
        # An answer recorded here or elsewhere resets the fields.
        key=f"{event.id} {invitation.answer} {invitation.lunch} {invitation.guest_count}",
        class_name="form",
    )


def _names(state: Any, invitation: Any) -> rx.Component:
    """The guests by name and the wishes for the meal, folded: nothing of it is required."""
    event = invitation.event
    saving = state.saving == event.id
    errors = rx.cond(state.naming == event.id, state.guest_errors, {})
    form = entries_form(
        hidden_field("event_id", event.id),
        show_if(invitation.guests.length() > 0, rx.el.p(NOTHING_REQUIRED, class_name="muted")),
        guest_fields(invitation.guests, event.has_lunch, event.id, errors=errors),
        show_if(event.has_lunch & invitation.with_lunch, own_wish_field(invitation.meal_wish, event.id)),
        rx.el.div(
            button("Enregistrer", variant="secondary", type="submit", busy=saving, busy_label="Enregistrement…"),
            class_name="form-actions",
        ),
        on_entries=state.name_guests,
        busy=saving,
        attempt=rx.cond(state.naming == event.id, state.attempt, 0),
        key=f"names {event.id} {invitation.guest_count}",
        class_name="form",
    )
    count = invitation.guests.length()
    named_already = invitation.guest_names.length()
    title = rx.cond(count > 0, naming_label(count, named_already), "Un souhait pour le repas\u00a0?")
    named = rx.el.ul(rx.foreach(invitation.guest_names, rx.el.li), class_name="own-event-guests")
    return show_if(
        invitation.may_name,
        rx.el.div(
            show_if(named_already > 0, named),
            rx.el.details(rx.el.summary(title, class_name="own-event-naming"), form),
        ),
    )


def _send(state: Any, label: str, variant: Any, event_id: Any) -> rx.Component:
    busy = state.saving == event_id
    return button(label, variant=variant, type="submit", busy=busy, busy_label="Enregistrement…")


def _notice(invitation: Any, yes: str) -> rx.Component:
    offer = rx.el.p(
        rx.el.span(
            "Une place s’est libérée pour vous. Elle vous est réservée jusqu’au ",
            rx.el.strong(invitation.offer),
            f"\u00a0: répondez «\u00a0{yes}\u00a0» pour la prendre.",
        ),
        class_name="banner banner-green",
    )
    full = rx.el.p(
        f"La rencontre est complète pour le moment\u00a0: si vous répondez «\u00a0{yes}\u00a0», vous êtes sur la "
        "liste d’attente, et nous vous écrivons dès qu’une place se libère pour vous.",
        class_name="banner banner-amber",
    )
    return rx.cond(invitation.offer != "", offer, show_if(invitation.event.is_full & ~invitation.is_waiting, full))


def _attendance(state: Any, invitation: Any, refused: Any) -> rx.Component:
    wrong = refused & (state.problem_field == "will_attend")
    error_id = f"answer-error-{invitation.event.id}"
    return rx.el.fieldset(
        rx.el.legend("Serez-vous des nôtres\u00a0?", class_name="field-label"),
        *[
            _choice(invitation, value, label, wrong, error_id)
            for value, label in ((YES, COMES), (NO, "Je ne viens pas"))
        ],
        rx.cond(
            wrong,
            rx.el.p(state.problem, id=error_id, role="alert", class_name="field-error"),
            rx.fragment(),
        ),
        class_name="own-event-choices",
    )


def _choice(invitation: Any, value: str, label: str, wrong: Any, error_id: Any) -> rx.Component:
    box = rx.el.input(
        type="radio",
        name="will_attend",
        value=value,
        default_checked=invitation.answer == value,
        aria_invalid=rx.cond(wrong, "true", "false"),
        aria_describedby=rx.cond(wrong, error_id, ""),
        class_name="checkbox-box",
    )
    return rx.el.label(box, rx.el.span(label), class_name="checkbox-label")


def _lunch(invitation: Any) -> rx.Component:
    return rx.el.fieldset(
        rx.el.legend("Resterez-vous déjeuner\u00a0?", class_name="field-label"),
        *[
            rx.el.label(
                rx.el.input(
                    type="radio",
                    name="with_lunch",
                    value=value,
                    default_checked=invitation.lunch == value,
                    class_name="checkbox-box",
                ),
                rx.el.span(label),
                class_name="checkbox-label",
            )
            for value, label in ((YES, "Je reste déjeuner"), (NO, "Sans déjeuner"))
        ],
        class_name="own-event-choices",
    )


def _guests(state: Any, invitation: Any, refused: Any) -> rx.Component:
    wrong = refused & (state.problem_field == "guest_count")
    return select(
        "Nombre d’invités",
        "guest_count",
        GUEST_CHOICES,
        id=f"guests-{invitation.event.id}",
        default_value=invitation.guest_count,
        hint=rx.cond(invitation.guests_left != "", invitation.guests_left, TOO_MANY_GUESTS),
        error=rx.cond(wrong, state.problem, ""),
    )
