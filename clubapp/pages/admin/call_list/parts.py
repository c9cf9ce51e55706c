"""The rows of the call list: person, phone number, and buttons for the answer."""

from typing import Any

import reflex as rx

from clubapp.pages.admin.call_list.state import CallListState
from clubapp.services.answers.answer_form import GUEST_CHOICES, NO, YES
from clubapp.services.attendance.call_list import NO_PHONE
from clubapp.ui import button, external_link, visually_hidden
from clubapp.ui.kit.icon import icon
from clubapp.ui.kit.text import show_if
from clubapp.ui.react.forms.entries_form import entries_form
from clubapp.ui.records.guest_fields import AS_MEMBER, guest_fields

_calls: Any = CallListState.calls


def rows() -> rx.Component:
    """Everyone to call, and those whose answer was recorded since the list was opened."""
    return rx.el.ul(rx.foreach(_calls.rows, _row), aria_label="Personnes à appeler", class_name="callees")


def _row(row: Any) -> rx.Component:
    return rx.el.li(
        _who(row),
        _number(row),
        rx.cond(_calls.closed == "", _outcomes(row), rx.fragment()),
        show_if(row.answer != "", _recorded(row)),
        show_if((row.answer == "") & (row.called != ""), _called(row)),
        _boxes(),
        key=row.key,
        data_answer=row.answer,
        class_name="callee",
    )


def _who(row: Any) -> rx.Component:
    return rx.el.div(
        rx.el.p(row.name, class_name="callee-name"),
        rx.el.p(row.company, class_name="callee-company"),
        rx.el.p(
            rx.match(
                row.last_time,
                ("", "Aucun oui avant"),
                rx.cond(row.has_come, f"Dernière venue\u00a0: {row.last_time}", f"Dernier oui\u00a0: {row.last_time}"),
            ),
            show_if(row.reason != "", rx.el.span(f" · {row.reason}", class_name="callee-reason")),
            class_name="callee-past",
        ),
        class_name="callee-who",
    )


def _number(row: Any) -> rx.Component:
    link = external_link(
        rx.fragment(visually_hidden("Appeler "), row.phone), row.phone_href, class_name="button button-secondary"
    )
    typed = rx.el.span(rx.cond(row.phone != "", row.phone, NO_PHONE), class_name="callee-no-phone")
    return rx.el.div(rx.cond(row.phone_href != "", link, typed), class_name="callee-number")


def _outcomes(row: Any) -> rx.Component:
    """What a call can end with."""
    missed = rx.el.button(
        "Pas joint, rappeler",
        visually_hidden(f"\u00a0: {row.name}"),
        type="button",
        id=f"missed-{row.key}",
        on_click=CallListState.note_call(row.key),
        class_name="chip callee-missed",
    )
    return rx.el.div(
        _answer(row), show_if((row.answer == "") & (row.phone != ""), missed), class_name="callee-outcomes"
    )


def _called(row: Any) -> rx.Component:
    """How often nobody was reached."""
    undo = button(
        "Annuler",
        visually_hidden(rx.Var.create(f" l’appel {row.of}")),
        variant="quiet",
        # The button may disappear with the call, so the focus moves to the one that noted it.
        on_click=[rx.call_function(_focus("missed", row)), CallListState.undo_call(row.key)],
    )
    return rx.el.div(
        rx.el.p(icon("phone", 16), row.called, class_name="callee-says callee-called"),
        show_if(row.can_undo_call & (_calls.closed == ""), undo),
        class_name="callee-recorded callee-tried",
    )


def _answer(row: Any) -> rx.Component:
    """Two buttons that are never replaced, so that they keep the focus."""
    return rx.el.div(
        _choice(row, YES, "Oui", True),
        _choice(row, NO, "Non", False),
        role="group",
        aria_label=f"{row.name} vient\u00a0?",
        class_name="callee-answer",
    )


def _choice(row: Any, value: str, label: str, will_attend: bool) -> rx.Component:
    return rx.el.button(
        label,
        type="button",
        id=f"{value}-{row.key}",
        aria_pressed=rx.cond(row.answer == value, "true", "false"),
        on_click=CallListState.answer(row.key, will_attend),
        class_name="chip",
    )


def _recorded(row: Any) -> rx.Component:
    return rx.el.div(
        rx.el.p(rx.el.strong(row.says), rx.el.span(row.told, class_name="callee-told"), class_name="callee-says"),
        show_if(row.has_place & (_calls.closed == ""), _party(row)),
        show_if((row.guests.length() > 0) & (_calls.closed == ""), _names(row)),
        show_if(
            row.can_undo & (_calls.closed == ""),
            button(
                "Annuler",
                visually_hidden(rx.Var.create(f" la réponse {row.of}")),
                variant="quiet",
                # The button disappears with the answer, so the focus moves to the first one of the row.
                on_click=[rx.call_function(_focus(YES, row)), CallListState.undo(row.key)],
            ),
        ),
        class_name="callee-recorded",
    )


def _focus(button_name: str, row: Any) -> rx.Var:
    return rx.Var(f"() => document.getElementById('{button_name}-' + {row.key!s})?.focus()")


def _party(row: Any) -> rx.Component:
    return rx.el.div(
        show_if(
            _calls.has_lunch,
            rx.el.button(
                "Déjeune",
                type="button",
                aria_pressed=rx.cond(row.with_lunch, "true", "false"),
                on_click=CallListState.lunch(row.key, ~row.with_lunch),
                class_name="chip",
            ),
        ),
        rx.el.label(
            rx.el.span("Invités"),
            rx.el.select(
                *[rx.el.option(label, value=value) for value, label in GUEST_CHOICES],
                value=row.guest_count.to_string(),
                on_change=lambda count: CallListState.guests(row.key, count),
                class_name="control control-select",
            ),
            class_name="callee-guests",
        ),
        class_name="callee-party",
    )


def _names(row: Any) -> rx.Component:
    """The guests by name, folded: nothing of it is required."""
    is_refused = CallListState.naming == row.key
    form = entries_form(
        guest_fields(
            row.guests,
            _calls.has_lunch,
            row.key,
            unsaid=AS_MEMBER,
            errors=rx.cond(is_refused, CallListState.guest_errors, {}),
        ),
        button(
            "Enregistrer les invités",
            visually_hidden(rx.Var.create(f" {row.of}")),
            variant="secondary",
            type="submit",
        ),
        on_entries=lambda entries: CallListState.name_guests(row.key, entries),
        attempt=rx.cond(is_refused, CallListState.attempt, 0),
        key=f"{row.key} {row.guest_count}",
        class_name="form",
    )
    return rx.el.details(rx.el.summary("Nommer les invités"), form, class_name="callee-names")


def _boxes() -> rx.Component:
    """Boxes to tick on paper; only printed."""
    box: Any = rx.el.span(class_name="callee-box")
    return rx.el.div(box, "Oui", box, "Non", aria_hidden="true", class_name="callee-boxes")
