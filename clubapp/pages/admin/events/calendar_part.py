"""The calendar with its legend."""

import reflex as rx

from clubapp.pages.admin.events.detail_state import EventDetailState
from clubapp.pages.admin.events.form_state import SlotState
from clubapp.pages.admin.events.state import CalendarState
from clubapp.services.events.form import STATUSES
from clubapp.ui import button, close_button, status_badge, when_loaded
from clubapp.ui.react.calendar.event_calendar import event_calendar


def calendar_panel() -> rx.Component:
    """The calendar, or its placeholder, or the error; over its end why a month is taken, which moves nothing."""
    return rx.el.section(
        when_loaded(CalendarState, _calendar(), _placeholder(), "Le calendrier n’a pas pu être chargé"),
        rx.el.div(
            rx.cond(SlotState.refusal.text != "", _refusal(), rx.fragment()), role="alert", class_name="calendar-answer"
        ),
        _legend(),
        aria_label="Calendrier des événements",
        class_name="events-calendar",
    )


def _refusal() -> rx.Component:
    return rx.el.div(
        rx.el.p(SlotState.refusal.text, class_name="banner-body"),
        button(
            f"Voir «\u00a0{SlotState.refusal.title}\u00a0»",
            variant="secondary",
            on_click=EventDetailState.show(SlotState.refusal.event_id),
        ),
        close_button("Fermer le message", on_click=SlotState.dismiss),
        class_name="banner banner-amber calendar-refusal",
    )


def _calendar() -> rx.Component:
    return rx.el.div(
        event_calendar(
            CalendarState.entries,
            CalendarState.today,
            on_pick=SlotState.pick,
            on_open=EventDetailState.show,
            on_turn=SlotState.dismiss,
        ),
        class_name="calendar-frame",
    )


def _placeholder() -> rx.Component:
    return rx.el.div(
        rx.el.span("Chargement du calendrier…", class_name="visually-hidden"),
        role="status",
        class_name="calendar-frame calendar-coming",
    )


def _legend() -> rx.Component:
    return rx.el.ul(
        *[rx.el.li(status_badge(status, label)) for status, label in STATUSES],
        aria_label="Légende",
        class_name="calendar-legend",
    )
