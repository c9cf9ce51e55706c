"""What the caterer and the host of the open event were told, what has changed since, and the press that tells them."""

from typing import Any

import reflex as rx

from clubapp.pages.admin.events.day.announcement_state import AnnouncementState
from clubapp.pages.admin.events.detail_state import EventDetailState
from clubapp.services.events.announcement import FIRST
from clubapp.ui import button
from clubapp.ui.kit.field import field, hidden_field
from clubapp.ui.kit.text import show_if
from clubapp.ui.react.forms.entries_form import entries_form

_announcement: Any = EventDetailState.detail.announcement


def announcement_notice() -> rx.Component:
    """Nothing for an event without a host and a caterer to tell."""
    press = button(
        _announcement.label,
        variant="secondary",
        busy=AnnouncementState.is_busy,
        busy_label="Envoi en cours…",
        on_click=AnnouncementState.send(EventDetailState.detail.id),
    )
    shown = rx.el.section(
        rx.el.h3("Hôte et traiteur"),
        rx.el.p(
            rx.cond(_announcement.told != "", _announcement.told, "Les nombres ne sont pas encore envoyés."),
            data_focus_after="",
        ),
        show_if(_announcement.recipients != "", rx.el.p(_announcement.recipients, class_name="event-told")),
        show_if(_announcement.due != "", rx.el.p(_announcement.due)),
        show_if(_announcement.changes != "", rx.el.p(_announcement.changes, class_name="event-changes")),
        show_if(_announcement.label != "", press),
        class_name="event-announcement",
    )
    return show_if((_announcement.told != "") | (_announcement.label != ""), shown)


def caterer_form() -> rx.Component:
    """The address of a caterer who is not known yet: it is kept and written to in one act."""
    busy = AnnouncementState.is_busy
    event_id = EventDetailState.detail.id
    return entries_form(
        hidden_field("event_id", event_id),
        field(
            "E-mail du traiteur",
            "caterer_email",
            "email",
            id="numbers-caterer",
            required=True,
            auto_complete="off",
            error=AnnouncementState.problem,
        ),
        button(FIRST, variant="secondary", type="submit", busy=busy, busy_label="Envoi en cours…"),
        on_entries=AnnouncementState.send_to,
        busy=busy,
        attempt=AnnouncementState.attempt,
        key=event_id,
        class_name="form numbers-caterer",
    )
