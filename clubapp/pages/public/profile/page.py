"""/membres/{id}: one member."""

from typing import Any

import reflex as rx

from clubapp import routes
from clubapp.pages.public.profile import parts
from clubapp.pages.public.profile.state import MemberPageState
from clubapp.ui import is_in_address, takeover
from clubapp.ui.frame.layouts import public_layout
from clubapp.ui.frame.titles import page_title
from clubapp.web.screens.page import Page


def content() -> rx.Component:
    """The screen."""
    is_loaded = is_in_address(MemberPageState.profile.id)
    return _screen(rx.cond(is_loaded, parts.profile(), parts.loading()), is_loaded)


def first_paint() -> rx.Component:
    """The same, of a document that has its data."""
    return _screen(parts.profile(), True)


def _screen(shown: rx.Component, is_loaded: Any) -> rx.Component:
    return public_layout(takeover(is_loaded), rx.el.div(shown, class_name="wrap page person"))


PAGES = (
    Page(
        route=routes.MEMBER_PROFILE,
        title=page_title(MemberPageState.profile.name),
        content=content,
        first_paint=first_paint,
        on_load=[MemberPageState.load],
    ),
)
