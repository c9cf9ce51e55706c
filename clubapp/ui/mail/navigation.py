"""The tabs of the screens about mail."""

import reflex as rx

from clubapp import routes
from clubapp.ui.kit.links import nav_link

_TABS = (
    ("Emails", routes.ADMIN_EMAILS, (routes.ADMIN_WRITE,)),
    ("Relances", routes.ADMIN_REMINDERS, ()),
    ("Envois", routes.ADMIN_MAIL_LOG, ()),
    ("À venir", routes.ADMIN_PLANNED, ()),
)


def mail_tabs() -> rx.Component:
    """Links to all of them; the current one carries `aria-current`."""
    return rx.el.nav(
        *[nav_link(text, path, also, class_name="subnav-link") for text, path, also in _TABS],
        aria_label="Écrans des e-mails",
        class_name="subnav",
    )
