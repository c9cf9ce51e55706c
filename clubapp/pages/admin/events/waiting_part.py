"""The waiting list of an event, in the order in which freed places are offered; the animator may change it."""

from typing import Any

import reflex as rx

from clubapp.pages.admin.events.waiting_state import WaitingState
from clubapp.services.answers.waiting_list_admin import WaitingRow
from clubapp.ui import badge, button, polling, visually_hidden
from clubapp.ui.react.lists.keep_focus import keep_focus

FOLLOW_MS = 1500
RULE = (
    "Une place qui se libère est proposée par e-mail à la première personne, pour 24 heures au plus\u00a0; "
    "sans réponse, elle passe à la suivante."
)
CLOSED = "Les réponses sont closes\u00a0: une place qui se libère n’est plus proposée."
GIVEN = f"{CLOSED} Notez le «\u00a0oui\u00a0» de la personne que vous joignez\u00a0: elle prend la place libre."

_listed: Any = WaitingState.listed  # a Var


def waiting_list(event_id: Any) -> rx.Component:
    """The waiting list, polled while it is shown; nothing while nobody waits."""
    listed = rx.el.section(
        rx.el.h3("Liste d’attente"),
        rx.el.p(rx.cond(_listed.is_given, GIVEN, rx.cond(_listed.is_closed, CLOSED, RULE)), class_name="waiting-rule"),
        keep_focus(rx.el.ol(rx.foreach(_listed.rows, _person), class_name="waiting-list")),
        rx.el.div(WaitingState.said, role="status", class_name="visually-hidden"),
        class_name="waiting",
    )
    is_this_one = (WaitingState.event_id == event_id) & (_listed.rows.length() > 0)
    return rx.fragment(
        polling(FOLLOW_MS, WaitingState.follow(event_id)),
        rx.cond(is_this_one, listed, rx.fragment()),
    )


def _person(row: WaitingRow) -> rx.Component:
    return rx.el.li(
        rx.el.span(row.position, class_name="waiting-position", aria_hidden="true"),
        rx.el.div(
            rx.el.p(row.name, class_name="waiting-name"),
            rx.el.p(rx.cond(row.company != "", f"{row.company}, ", ""), "depuis le ", row.since, class_name="muted"),
            rx.cond(row.offer != "", badge(row.offer, "indigo"), rx.fragment()),
            class_name="waiting-person",
        ),
        rx.cond(row.can_go_up | row.can_go_down, _moves(row), rx.fragment()),
        key=row.reservation_id,
        class_name="waiting-row",
    )


def _moves(row: WaitingRow) -> rx.Component:
    return rx.el.div(_move(row, "Monter", True), _move(row, "Descendre", False), class_name="waiting-moves")


def _move(row: WaitingRow, verb: str, up: bool) -> rx.Component:
    can = row.can_go_up if up else row.can_go_down
    return button(
        rx.el.span("↑" if up else "↓", aria_hidden="true"),
        visually_hidden(f"{verb} {row.name}"),
        variant="quiet",
        id=f"{'up' if up else 'down'}-{row.reservation_id}",
        # Not `disabled`, so that the button just pressed keeps the focus.
        aria_disabled=~can,
        on_click=WaitingState.move(row.reservation_id, up),
        class_name="waiting-move",
    )
