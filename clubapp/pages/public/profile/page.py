"""/membres/{id}: one member."""

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
    return public_layout(
        takeover(is_loaded),
        rx.el.div(rx.cond(is_loaded, parts.profile(), parts.loading()), class_name="wrap page person"),
    )


PAGES = (
    Page(
        route=routes.MEMBER_PROFILE,
        title=page_title(MemberPageState.profile.name),
        content=content,
        on_load=[MemberPageState.load],
    ),
)
