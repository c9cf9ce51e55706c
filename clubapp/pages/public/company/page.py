"""/entreprises/{id}: one company and its team."""

import reflex as rx

from clubapp import routes
from clubapp.pages.public.company import parts
from clubapp.pages.public.company.state import CompanyPageState
from clubapp.ui import is_in_address, takeover
from clubapp.ui.frame.layouts import public_layout
from clubapp.ui.frame.titles import page_title
from clubapp.web.screens.page import Page


def content() -> rx.Component:
    """The screen."""
    is_loaded = is_in_address(CompanyPageState.company.id)
    return public_layout(
        takeover(is_loaded),
        rx.el.div(rx.cond(is_loaded, parts.company(), parts.loading()), class_name="wrap page person"),
    )


PAGES = (
    Page(
        route=routes.COMPANY,
        title=page_title(CompanyPageState.company.name),
        content=content,
        on_load=[CompanyPageState.load],
    ),
)
