"""The menu of the two screens about sent and planned mail."""

import reflex as rx

from clubapp import routes
from clubapp.ui.kit.links import nav_link


def mail_screens_menu() -> rx.Component:
    """Links to both screens; the current one carries `aria-current`."""
    return rx.el.nav(
        nav_link("Messages", routes.ADMIN_JOURNAL, class_name="subnav-link"),
        nav_link("Envois à venir", routes.ADMIN_PLANNED, class_name="subnav-link"),
        aria_label="Envois",
        class_name="subnav",
    )
