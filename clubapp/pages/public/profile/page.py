"""/membres/{id}: one member."""

import reflex as rx

from clubapp import routes
from clubapp.pages.public.profile import parts
from clubapp.pages.public.profile.state import MemberPageState
from clubapp.ui import is_in_address
from clubapp.ui.frame.layouts import record_page
from clubapp.ui.frame.titles import page_title
from clubapp.web.screens.page import Page


def content() -> rx.Component:
    """The screen."""
    is_loaded = is_in_address(MemberPageState.profile.id)
    return record_page(rx.cond(is_loaded, parts.profile(), parts.loading()), is_loaded)


def first_paint() -> rx.Component:
    """The same, of a document that has its data."""
    return record_page(parts.profile())


PAGES = (
    Page(
        route=routes.MEMBER_PROFILE,
        title=page_title(MemberPageState.profile.name),
        content=content,
        first_paint=first_paint,
        on_load=[MemberPageState.load],
    ),
)
