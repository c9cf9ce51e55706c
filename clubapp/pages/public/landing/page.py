"""/: the club, its animator, what it brings and does, how to join."""

import reflex as rx

from clubapp import routes
from clubapp.pages.public.landing import parts
from clubapp.pages.public.landing.state import LandingState
from clubapp.ui import takeover
from clubapp.ui.frame.club_identity import ClubState
from clubapp.ui.frame.layouts import public_layout
from clubapp.ui.frame.titles import page_title
from clubapp.web.screens.page import Page


def content() -> rx.Component:
    """The screen."""
    return public_layout(
        takeover(LandingState.is_loaded),
        parts.hero(),
        parts.figures(),
        parts.next_event(),
        parts.about(),
        parts.activities(),
        parts.rule(),
        parts.contact(),
    )


PAGES = (
    Page(route=routes.HOME, title=page_title(ClubState.club.headline), content=content, on_load=[LandingState.load]),
)
