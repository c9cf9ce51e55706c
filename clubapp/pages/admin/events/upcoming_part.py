"""The list of upcoming events, which offers without a mouse all that the calendar does."""

from typing import Any

import reflex as rx

from clubapp.pages.admin.events.detail_state import EventDetailState
from clubapp.pages.admin.events.sending_part import send_test_button
from clubapp.pages.admin.events.sending_state import EventSendingState
from clubapp.pages.admin.events.state import CalendarState
from clubapp.services.events.admin_views import EventRow
from clubapp.ui import badge, button, empty_state, panel, polling, skeleton_lines, status_badge, visually_hidden
from clubapp.ui.kit.text import show_if
from clubapp.ui.react.lists.load_more import load_more_button

FOLLOW_MS, FOLLOW_SENDING_MS = 5000, 2000


def upcoming_events() -> rx.Component:
    """The events that have not ended, soonest first."""
    return panel(
        "Événements à venir",
        rx.cond(CalendarState.is_loaded, _list(), rx.cond(CalendarState.has_failed, rx.fragment(), skeleton_lines(6))),
        polling(
            rx.cond(CalendarState.is_sending & ~EventDetailState.is_open, FOLLOW_SENDING_MS, FOLLOW_MS),
            CalendarState.follow,
        ),
        class_name="events-upcoming",
    )


def _list() -> rx.Component:
    return rx.cond(
        CalendarState.upcoming,
        rx.fragment(rx.el.ul(rx.foreach(CalendarState.upcoming, _row), class_name="event-rows"), _more()),
        empty_state(
            "Aucun événement à venir",
            "Créez la prochaine rencontre\u00a0: les membres y seront invités par e-mail.",
        ),
    )


def _more() -> rx.Component:
    rows: Any = CalendarState.upcoming
    return load_more_button(
        "Afficher la suite",
        more=CalendarState.has_more,
        shown=rows.length(),
        on_more=CalendarState.show_more,
        class_name="event-rows-more",
    )


def _row(event: EventRow) -> rx.Component:
    return rx.el.li(
        rx.el.div(
            rx.el.h3(event.title, class_name="event-row-title"),
            rx.el.span(
                status_badge(event.status, event.status_label),
                show_if(event.is_running, badge("en cours", "indigo")),
                class_name="event-row-badges",
            ),
            class_name="event-row-head",
        ),
        rx.el.p(event.date, class_name="event-row-date"),
        rx.el.p(event.location, class_name="event-row-place"),
        rx.cond(event.speakers != "", rx.el.p(event.speakers, class_name="event-row-speakers"), rx.fragment()),
        rx.cond(event.invitation_sent, _sent(event), rx.fragment()),
        _actions(event),
        key=event.id,
        data_event_id=event.id,
        class_name="event-row",
    )


def _sent(event: EventRow) -> rx.Component:
    return rx.el.div(
        badge("Invitations envoyées", "green"),
        rx.el.span(event.sending, class_name="event-row-sending"),
        show_if(event.failed != "", badge(event.failed, "red")),
        class_name="event-row-sent",
    )


def _actions(event: EventRow) -> rx.Component:
    named = visually_hidden(f"\u00a0: {event.title}")
    return rx.el.div(
        rx.cond(
            event.invitation_sent | event.has_begun,
            rx.fragment(),
            button("Envoyer invitations", named, variant="secondary", on_click=EventSendingState.ask(event.id)),
        ),
        show_if(~event.has_begun, send_test_button(event.id, named)),
        button("Voir détails", named, variant="quiet", on_click=EventDetailState.show(event.id)),
        class_name="event-row-actions",
    )
