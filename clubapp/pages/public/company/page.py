"""/entreprises/{id}: one company and its team."""

import reflex as rx

from clubapp import routes
from clubapp.pages.public.company import parts
from clubapp.pages.public.company.state import CompanyPageState
from clubapp.ui import is_in_address
from clubapp.ui.frame.layouts import record_page
from clubapp.ui.frame.titles import page_title
from clubapp.web.screens.page import Page


def content() -> rx.Component:
    """The screen."""
    is_loaded = is_in_address(CompanyPageState.company.id)
    return record_page(rx.cond(is_loaded, parts.company(), parts.loading()), is_loaded)


def first_paint() -> rx.Component:
    """The same, of a document that has its data."""
    return record_page(parts.company())


PAGES = (
    Page(
        route=routes.COMPANY,
        title=page_title(CompanyPageState.company.name),
        content=content,
        first_paint=first_paint,
        on_load=[CompanyPageState.load],
    ),
)
