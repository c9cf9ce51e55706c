"""What the caterer and the host of the open event were told, what has changed since, and the press that tells them."""

from typing import Any

import reflex as rx

from clubapp.pages.admin.events.day.announcement_state import AnnouncementState
from clubapp.pages.admin.events.detail_state import EventDetailState
from clubapp.ui import button
from clubapp.ui.kit.text import show_if

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
        rx.el.p(rx.cond(_announcement.told != "", _announcement.told, "Les nombres ne sont pas encore envoyés.")),
        show_if(_announcement.due != "", rx.el.p(_announcement.due)),
        show_if(_announcement.changes != "", rx.el.p(_announcement.changes, class_name="event-changes")),
        show_if(_announcement.label != "", press),
        class_name="event-announcement",
    )
    return show_if((_announcement.told != "") | (_announcement.label != ""), shown)
