"""How present a member is, in the form of their record."""

from typing import Any

import reflex as rx

from clubapp import routes
from clubapp.pages.admin.members.state import MemberFormState
from clubapp.ui.access.download_link import download_link
from clubapp.ui.kit.text import show_if
from clubapp.ui.records.presence_dots import presence_lists

_presence: Any = MemberFormState.presence


def presence_row() -> rx.Component:
    """For the record of a member; nothing before the first meeting whose doors were closed."""
    shown = rx.el.section(
        rx.el.h3("Présence aux rencontres"),
        *presence_lists(_presence),
        download_link("Présences de tous les membres (CSV)", routes.PRESENCES_EXPORT, class_name="link"),
        class_name="presence",
    )
    return show_if(_presence.dots.length() > 0, shown)
